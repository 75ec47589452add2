-- The whole schema (docs/design/daemon.md, "Tables"). Names compare byte by byte, as in the file store.

create table sentinel.schema_version (
  version int not null,
  applied_at timestamptz not null default now()
);

-- Roles. The daemon's role is a member of `sentinel_app`: it reads under policies, and writes only through functions. The functions belong to
-- `sentinel_functions`, which can't log in. Nobody has a right on a partition, because the policies of the table don't apply there.

do $$ begin
  create role sentinel_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  create role sentinel_functions nologin;
exception when duplicate_object or unique_violation then null;
end $$;

create domain sentinel.channel as text collate "C"
  check (value in ('private', 'team', 'agent', 'public'));

-- Returns 1 for a channel that everybody may read, and more for a more private one.
create function sentinel.depth(channel text) returns int language sql immutable parallel safe
  return array_position(array['public', 'team', 'agent', 'private'], channel);

create function sentinel.may_read(of_owner text, of_channel text, reader text, deepest text) returns boolean
  language sql immutable parallel safe
  return sentinel.depth(of_channel) <= sentinel.depth(deepest)
    and (of_channel in ('public', 'team') or of_owner = reader);

-- Returns a setting of the transaction. On the same connection it's '' afterwards, not null.
create function sentinel.reading(setting text) returns text language sql stable parallel safe
  return nullif(current_setting('sentinel.' || setting, true), '');

-- Tenants, persons and tokens. Commands of the schema's owner write them. A daemon looks up a token by its id, through a function, and can
-- neither list nor change tokens.

create table sentinel.tenants (
  name text collate "C" primary key check (length(name) between 1 and 200),
  group_name text collate "C" not null check (length(group_name) between 1 and 200),
  -- The text of its privacy.yaml.
  privacy text not null default '',
  -- Days to keep events; forever if null.
  keep_days int check (keep_days > 0),
  -- Views and policies by file name, as `.context` has them. An empty text counts as absent.
  texts jsonb not null default '{}' check (jsonb_typeof(texts) = 'object'),
  created_at timestamptz not null default now()
);
create index on sentinel.tenants (group_name);

create table sentinel.persons (
  group_name text collate "C" not null check (length(group_name) between 1 and 200),
  name text collate "C" not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  -- When the person made their first own token. No later token of the operator can become one.
  own_since timestamptz,
  removed_at timestamptz,
  -- Who may purge the team events of a removed person.
  left_to text collate "C",
  primary key (group_name, name)
);

create table sentinel.tokens (
  id text collate "C" primary key,
  -- SHA-256 of the secret.
  hash bytea not null check (length(hash) = 32),
  group_name text collate "C" not null,
  -- Null for all tenants of the group.
  tenant text collate "C" references sentinel.tenants,
  owner text collate "C" not null check (length(owner) between 1 and 200),
  -- The most private channel to read and write.
  channel sentinel.channel not null,
  scope text collate "C" not null check (scope in ('write', 'read', 'metrics', 'lessons')),
  -- Whether the person made it, and not the operator.
  own boolean not null default false,
  replaced_by text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  foreign key (group_name, owner) references sentinel.persons
);
create index on sentinel.tokens (tenant);

-- What was done with tokens and with recorded events. It contains counts, and nothing that was recorded.
create table sentinel.audit (
  group_name text collate "C" not null,
  at timestamptz not null default now(),
  -- The person concerned; everybody in the group if null.
  person text collate "C",
  -- Who did it; the operator if null.
  by text collate "C",
  act text collate "C" not null,
  what text not null
);
create index on sentinel.audit (group_name, at);

-- Lines of a memory_log.jsonl, in no order: all lines of a tenant are read at once.
create table sentinel.lessons (
  tenant text collate "C" not null references sentinel.tenants on delete cascade,
  line text collate "C" not null
);
create index on sentinel.lessons (tenant);

-- The last push tells which commit the lessons are from. A commit pushed before it is old.
create table sentinel.lesson_pushes (
  tenant text collate "C" not null references sentinel.tenants on delete cascade,
  commit text collate "C" not null check (commit ~ '^[0-9a-f]{40,64}$'),
  -- 1 for the first.
  number int not null check (number > 0),
  owner text collate "C" not null,
  pushed_at timestamptz not null default now(),
  primary key (tenant, commit),
  unique (tenant, number)
);

-- The session log. Every row has its tenant, its owner (the person who recorded it), and its channel.

create sequence sentinel.event_order;

-- The id of an event is its time and its key (src/sessions/kinds/event.ts).
create table sentinel.events (
  tenant text collate "C" not null check (tenant <> ''),
  owner text collate "C" not null check (owner <> ''),
  ts timestamptz not null,
  key text collate "C" not null check (length(key) = 16),
  -- Orders events of one millisecond.
  seq bigint not null default nextval('sentinel.event_order'),
  -- The transaction that stored it. Followers read again from the oldest transaction that was still open.
  tx xid8 not null default pg_current_xact_id(),
  session text collate "C" not null check (session <> ''),
  -- A name may be too long for an index.
  session_no bigint not null generated always as (hashtextextended(session, 0)) stored,
  agent text collate "C" not null check (agent <> ''),
  channel sentinel.channel not null,
  actor_type text collate "C" not null check (actor_type in ('human', 'agent', 'tool')),
  actor_id text collate "C" not null check (actor_id <> ''),
  kind text collate "C" not null check (kind in (
    'message', 'tool_call', 'tool_result', 'decision', 'summary', 'task_update', 'artifact', 'session', 'pin', 'handoff')),
  sensitivity text collate "C" not null check (sensitivity in ('none', 'low', 'high', 'secret')),
  refs text[] collate "C" not null,
  tags text[] collate "C" not null,
  -- The artifacts that its content names.
  artifacts text[] collate "C" not null,
  origin text collate "C",
  place json,
  hash text collate "C" not null check (hash like 'sha256:%'),
  -- jsonb would refuse \u0000 and change the text that was hashed.
  content json not null check (json_typeof(content) = 'object'),
  primary key (tenant, ts, owner, key)
) partition by range (ts);

create index on sentinel.events (tenant, session_no, ts);
create index on sentinel.events (tenant, tx, seq);
create index on sentinel.events (tenant, ts) where kind in ('decision', 'task_update', 'pin', 'handoff');
create index on sentinel.events using gin (artifacts) where artifacts <> '{}';

-- Takes events with any other date, so a wrong clock loses nothing.
create table sentinel.events_default partition of sentinel.events default;

-- A key belongs to one event of a person, in any month. A key without a time was purged.
create table sentinel.event_keys (
  tenant text collate "C" not null,
  key text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  ts timestamptz,
  short text collate "C" not null generated always as (right(key, 8)) stored,
  primary key (tenant, key, owner)
);
create index on sentinel.event_keys (tenant, short);

-- The parts of events that searches find. Each word is stored as a number that can't be computed without the word, its tenant and its readers.
-- No foreign key leads to the events: checking one costs as much as the rest of an append, and every function that writes events writes chunks.
create table sentinel.chunks (
  tenant text collate "C" not null,
  ts timestamptz not null,
  owner text collate "C" not null,
  key text collate "C" not null,
  part int not null check (part > 0),
  channel sentinel.channel not null,
  session_no bigint not null,
  -- The artifact that contains the part, if the event doesn't show it.
  artifact text collate "C",
  -- The place in the text of its event in UTF-16 units, or in its artifact in characters.
  starts int not null,
  ends int not null,
  -- In terms, with repetitions.
  length int not null,
  terms bigint[] not null,
  -- The terms that occur more than once, and how often. Most occur once, and searching a long list is slow.
  repeated bigint[] not null,
  frequencies smallint[] not null check (cardinality(frequencies) = cardinality(repeated)),
  primary key (tenant, ts, owner, key, part)
);
create index on sentinel.chunks using gin (terms);
create index on sentinel.chunks (tenant, owner, session_no, ts, key, part);
create index on sentinel.chunks (tenant, artifact) where artifact is not null;

-- The number of chunks, so that no search has to count them, and the number of all removed ones. Concurrent writers use different shards.
create table sentinel.chunk_totals (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  shard int not null,
  chunks bigint not null,
  length bigint not null,
  gone bigint not null default 0,
  primary key (tenant, owner, channel, shard)
) with (fillfactor = 50);

-- Whole texts that events show shortened. If two persons record the same text, it's stored twice, so that neither learns about the other's.
create table sentinel.artifacts (
  tenant text collate "C" not null,
  id text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  text text collate "C" not null,
  used_at timestamptz not null,
  primary key (tenant, id, owner, channel)
);
create index on sentinel.artifacts (tenant, owner, used_at);

-- Days that lost events: followers read them again.
create table sentinel.dropped_days (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  day date not null,
  tx xid8 not null default pg_current_xact_id()
);
create index on sentinel.dropped_days (tenant, tx);

-- Sessions that were purged as a whole, up to a channel: their events are refused from then on.
create table sentinel.purged_sessions (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  hash bytea not null,
  channel sentinel.channel not null,
  primary key (tenant, owner, hash)
);

-- Makes the partitions of the months from a year before to three months after a time. A month with events in the default partition stays there.
create function sentinel.make_months(around timestamptz default now()) returns void
language plpgsql security definer set search_path = sentinel, pg_temp set timezone = 'UTC' as $$
declare
  month timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('sentinel months', 0));
  for month in select generate_series(
    date_trunc('month', around) - interval '12 months', date_trunc('month', around) + interval '3 months', interval '1 month')
  loop
    continue when to_regclass('sentinel.events_' || to_char(month, 'YYYY_MM')) is not null;
    begin
      execute format('create table events_%s partition of events for values from (%L) to (%L)',
        to_char(month, 'YYYY_MM'), month, month + interval '1 month');
    exception when check_violation then null;
    end;
  end loop;
end $$;

-- Locks, hashes and triggers.

-- Appends of a person share this lock; a purge or a deletion holds it alone.
-- PostgreSQL inlines a function only if nothing in it is less stable than the function itself, so the length is cast to text.
create function sentinel.write_lock(p_tenant text, p_owner text) returns bigint language sql immutable
  return hashtextextended('sentinel write ' || length(p_tenant)::text || ' ' || p_tenant || ' ' || p_owner, 0);

create function sentinel.session_hash(p_tenant text, p_owner text, p_session text) returns bytea language sql stable
  return sha256(convert_to(length(p_tenant) || ' ' || p_tenant || ' ' || length(p_owner) || ' ' || p_owner || ' ' || p_session, 'UTF8'));

create function sentinel.count_added_chunks() returns trigger
language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  insert into chunk_totals as held (tenant, owner, channel, shard, chunks, length)
  select tenant, owner, channel, pg_backend_pid() % 16, count(*), sum(length) from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant, owner, channel, shard)
  do update set chunks = held.chunks + excluded.chunks, length = held.length + excluded.length;
  return null;
end $$;

create function sentinel.count_gone_chunks() returns trigger
language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  insert into chunk_totals as held (tenant, owner, channel, shard, chunks, length, gone)
  select tenant, owner, channel, pg_backend_pid() % 16, -count(*), -sum(length), count(*) from gone group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant, owner, channel, shard) do update
  set chunks = held.chunks + excluded.chunks, length = held.length + excluded.length, gone = held.gone + excluded.gone;
  return null;
end $$;

create function sentinel.note_dropped_days() returns trigger
language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  insert into dropped_days (tenant, owner, channel, day)
  select distinct tenant, owner, channel, (ts at time zone 'UTC')::date from gone;
  return null;
end $$;

create trigger count_added after insert on sentinel.chunks referencing new table as added
  for each statement execute function sentinel.count_added_chunks();
create trigger count_gone after delete on sentinel.chunks referencing old table as gone
  for each statement execute function sentinel.count_gone_chunks();
create trigger note_dropped after delete on sentinel.events referencing old table as gone
  for each statement execute function sentinel.note_dropped_days();

-- Writing. Each of these functions names the tenant and the person in every statement, because its role sees all rows.

-- Returns whether any event refers to an artifact.
create function sentinel.is_needed(artifact sentinel.artifacts) returns boolean language sql stable
  return exists (
    select from sentinel.events e
    where e.tenant = artifact.tenant and e.owner = artifact.owner and e.channel = artifact.channel
      and e.artifacts <> '{}' and e.artifacts && array[artifact.id]);

-- Returns whether the session belongs to another person, as far as the team can see.
-- Chunks answer nearly always, and events would have to be searched month by month.
create function sentinel.is_foreign(p_tenant text, p_owner text, p_session text) returns boolean
language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  number bigint := hashtextextended(p_session, 0);
begin
  if p_session = 'command-line'
    or exists (select from chunks c where c.tenant = p_tenant and c.owner = p_owner and c.session_no = number)
    or exists (select from events e where e.tenant = p_tenant and e.session_no = number and e.session = p_session and e.owner = p_owner)
  then
    return false;
  end if;
  return exists (
    select from events e where e.tenant = p_tenant and e.session_no = number and e.session = p_session
      and e.channel in ('public', 'team'));
end $$;

-- Stores each key once. p_channel is the most private channel that the caller may read.
-- The first four lists describe the events of p_events, in any order.
-- @returns the refused keys, which were purged, and with a leading = the keys that were stored before and stay unchanged.
-- @raises SN001 if the person was removed, SN002 if a session belongs to another person, as far as the team can see.
create function sentinel.append_events(
  p_tenant text, p_owner text, p_channel text, p_keys text[], p_times timestamptz[], p_channels text[], p_sessions text[],
  p_events json, p_chunks json, p_artifacts json, p_now timestamptz
) returns text[] language plpgsql security definer set search_path = sentinel, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  refused text[];
  accepted text[];
  known record;
  left_behind text[] := '{}';
  before text[] := '{}';
begin
  perform pg_advisory_xact_lock_shared(write_lock(p_tenant, p_owner));

  if exists (
    select from persons p join tenants n on n.group_name = p.group_name
    where n.name = p_tenant and p.name = p_owner and p.removed_at is not null
  ) then
    raise exception using errcode = 'SN001', message = 'this person was removed';
  end if;
  -- The offset keeps the sessions apart from the question: PostgreSQL would ask it for each event, and only then look which sessions differ.
  if exists (
    select from (select distinct session from unnest(p_sessions) as given (session) offset 0) as named
    where is_foreign(p_tenant, p_owner, named.session)
  ) then
    raise exception using errcode = 'SN002', message = 'a session of these is somebody else''s';
  end if;

  select coalesce(array_agg(given.key), '{}') into refused
  from unnest(p_keys, p_sessions, p_channels) as given (key, session, channel)
  where exists (
    select from purged_sessions p
    where p.tenant = p_tenant and p.owner = p_owner and p.hash = session_hash(p_tenant, p_owner, given.session)
      and depth(given.channel) <= depth(p.channel));

  -- Always in the same order, so that two that come at once do not wait for each other.
  with added as (
    insert into event_keys (tenant, key, owner, channel, ts)
    select p_tenant, given.key, p_owner, given.channel, given.ts
    from unnest(p_keys, p_channels, p_times) as given (key, channel, ts)
    where given.key <> all (refused)
    order by given.key
    on conflict do nothing
    returning key
  ) select coalesce(array_agg(key), '{}') into accepted from added;

  if cardinality(accepted) + cardinality(refused) < cardinality(p_keys) then
    for known in
      select k.key, k.ts, given.ts as given_ts, given.channel as given_channel
      from event_keys k join unnest(p_keys, p_times, p_channels) as given (key, ts, channel) on given.key = k.key
      where k.tenant = p_tenant and k.owner = p_owner
        and k.key <> all (accepted) and k.key <> all (refused)
        and (k.ts is null or given.ts < k.ts and depth(k.channel) <= depth(p_channel))
      order by k.key for update of k
    loop
      if known.ts is null then
        refused := refused || known.key;
        continue;
      end if;
      -- The earliest counts.
      delete from chunks c where c.tenant = p_tenant and c.owner = p_owner and c.ts = known.ts and c.key = known.key;
      with gone as (
        delete from events e where e.tenant = p_tenant and e.owner = p_owner and e.ts = known.ts and e.key = known.key
        returning e.artifacts
      ) select left_behind || gone.artifacts into left_behind from gone;
      update event_keys k set ts = known.given_ts, channel = known.given_channel
      where k.tenant = p_tenant and k.key = known.key and k.owner = p_owner;
      accepted := accepted || known.key;
    end loop;
    select array_agg('=' || given.key) into before from unnest(p_keys) as given (key)
    where given.key <> all (accepted) and given.key <> all (refused);
  end if;

  insert into events (tenant, owner, ts, key, session, agent, channel, actor_type, actor_id, kind, sensitivity,
    refs, tags, artifacts, origin, place, hash, content)
  select p_tenant, p_owner, e.ts, e.key, e.session, e.agent, e.channel, e.actor_type, e.actor_id, e.kind, e.sensitivity,
    e.refs, e.tags, e.artifacts, e.origin, e.place::json, e.hash, e.content::json
  from json_to_recordset(p_events) as e (
    n int, ts timestamptz, key text, session text, agent text, channel text, actor_type text, actor_id text, kind text,
    sensitivity text, refs text[], tags text[], artifacts text[], origin text, place text, hash text, content text)
  where e.key = any (accepted)
  order by e.n;

  insert into chunks (tenant, owner, ts, key, part, channel, session_no, artifact, starts, ends, length, terms,
    repeated, frequencies)
  select p_tenant, p_owner, c.ts, c.key, c.part, c.channel, hashtextextended(c.session, 0), c.artifact, c.starts, c.ends,
    c.length, c.terms, c.repeated, c.frequencies
  from json_to_recordset(p_chunks) as c (
    ts timestamptz, key text, part int, channel text, session text, artifact text, starts int, ends int, length int,
    terms bigint[], repeated bigint[], frequencies smallint[])
  where c.key = any (accepted);

  if json_array_length(p_artifacts) > 0 then
    -- Those that the events have which are stored now. What is there already becomes as young as a new one.
    insert into artifacts (tenant, id, owner, channel, text, used_at)
    select distinct on (a.id, a.channel) p_tenant, a.id, p_owner, a.channel, a.text, p_now
    from json_to_recordset(p_artifacts) as a (key text, id text, channel text, text text)
    join event_keys k on k.tenant = p_tenant and k.key = a.key and k.owner = p_owner
    join events e on e.tenant = p_tenant and e.ts = k.ts and e.owner = p_owner and e.key = k.key
    where e.channel = a.channel and a.id = any (e.artifacts)
    order by a.id, a.channel
    on conflict (tenant, id, owner, channel) do update set used_at = excluded.used_at;
  end if;
  if cardinality(left_behind) > 0 then
    delete from artifacts a
    where a.tenant = p_tenant and a.owner = p_owner and a.id = any (left_behind) and not is_needed(a);
  end if;

  return refused || before;
end $$;

-- Stores new events of sessions that their persons have already. `append_events` takes the rest. All lists and p_events have one order.
-- It doesn't wait for a purge of one person, because all others would wait with it.
-- @returns the positions of the stored events, counted from 1.
create function sentinel.append_together(
  p_tenant text, p_owners text[], p_keys text[], p_times timestamptz[], p_channels text[], p_sessions text[], p_events json, p_chunks json
) returns int[] language plpgsql security definer set search_path = sentinel, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  free text[];
  plain int[];
  stored int[];
begin
  select array_agg(given.owner) into free from (select distinct owner from unnest(p_owners) as named (owner) offset 0) as given
  where pg_try_advisory_xact_lock_shared(write_lock(p_tenant, given.owner));

  -- Of one key only the first, since a statement cannot tell the second of two from one that was stored before.
  select array_agg(of_key.n) into plain from (
    select min(given.n)::int as n
    from unnest(p_owners, p_keys, p_sessions) with ordinality as given (owner, key, session, n)
    where given.owner = any (free)
      and exists (
        select from chunks c
        where c.tenant = p_tenant and c.owner = given.owner and c.session_no = hashtextextended(given.session, 0))
      and not exists (
        select from purged_sessions p
        where p.tenant = p_tenant and p.owner = given.owner and p.hash = session_hash(p_tenant, given.owner, given.session))
      and not exists (
        select from persons p join tenants t on t.group_name = p.group_name
        where t.name = p_tenant and p.name = given.owner and p.removed_at is not null)
    group by given.owner, given.key
  ) as of_key;

  -- Always in the same order, so that two that come at once do not wait for each other.
  with added as (
    insert into event_keys (tenant, key, owner, channel, ts)
    select p_tenant, p_keys[n], p_owners[n], p_channels[n], p_times[n] from unnest(plain) as n
    order by p_keys[n], p_owners[n]
    on conflict do nothing
    returning owner, key
  )
  select array_agg(n) into stored from unnest(plain) as n join added on added.owner = p_owners[n] and added.key = p_keys[n];

  insert into events (tenant, owner, ts, key, session, agent, channel, actor_type, actor_id, kind, sensitivity,
    refs, tags, artifacts, origin, place, hash, content)
  select p_tenant, p_owners[e.n], e.ts, e.key, e.session, e.agent, e.channel, e.actor_type, e.actor_id, e.kind, e.sensitivity,
    e.refs, e.tags, e.artifacts, e.origin, e.place::json, e.hash, e.content::json
  from rows from (json_to_recordset(p_events) as (
    ts timestamptz, key text, session text, agent text, channel text, actor_type text, actor_id text, kind text,
    sensitivity text, refs text[], tags text[], artifacts text[], origin text, place text, hash text, content text)
  ) with ordinality as e (
    ts, key, session, agent, channel, actor_type, actor_id, kind, sensitivity, refs, tags, artifacts, origin, place, hash, content, n)
  where e.n = any (stored);

  insert into chunks (tenant, owner, ts, key, part, channel, session_no, starts, ends, length, terms,
    repeated, frequencies)
  select p_tenant, c.owner, c.ts, c.key, c.part, c.channel, hashtextextended(c.session, 0), c.starts, c.ends, c.length,
    c.terms, c.repeated, c.frequencies
  from json_to_recordset(p_chunks) as c (
    owner text, ts timestamptz, key text, part int, channel text, session text, starts int, ends int, length int,
    terms bigint[], repeated bigint[], frequencies smallint[])
  join unnest(stored) as n on p_owners[n] = c.owner and p_keys[n] = c.key;

  return coalesce(stored, '{}');
end $$;

-- Purges events of a person: those with these keys, or a whole session. With p_plan it only counts them.
create function sentinel.purge_events(
  p_tenant text, p_owner text, p_channel text, p_keys text[], p_session text, p_plan boolean,
  out p_kinds json, out p_artifacts int
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  going_keys text[];
  going_times timestamptz[];
begin
  if not p_plan then perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner)); end if;

  if p_session is null then
    select array_agg(k.key), array_agg(k.ts) into going_keys, going_times from event_keys k
    where k.tenant = p_tenant and k.owner = p_owner and k.key = any (p_keys) and k.ts is not null
      and depth(k.channel) <= depth(p_channel);
  else
    select array_agg(e.key), array_agg(e.ts) into going_keys, going_times from events e
    where e.tenant = p_tenant and e.owner = p_owner and depth(e.channel) <= depth(p_channel)
      and e.session_no = hashtextextended(p_session, 0) and e.session = p_session;
  end if;

  select json_object_agg(counted.kind, counted.count) into p_kinds from (
    select e.kind, count(*) from unnest(going_times, going_keys) as going (ts, key)
    join events e on e.tenant = p_tenant and e.owner = p_owner and e.ts = going.ts and e.key = going.key
    group by e.kind) as counted;

  -- The artifacts that no other event has.
  select count(*) into p_artifacts
  from (
    select distinct unnest(e.artifacts) as id, e.channel
    from unnest(going_times, going_keys) as going (ts, key)
    join events e on e.tenant = p_tenant and e.owner = p_owner and e.ts = going.ts and e.key = going.key
  ) as named
  join artifacts a on a.tenant = p_tenant and a.id = named.id and a.owner = p_owner and a.channel = named.channel
  where not exists (
    select from events other
    where other.tenant = p_tenant and other.owner = p_owner and other.channel = named.channel
      and other.artifacts <> '{}' and other.artifacts && array[named.id] and other.key <> all (going_keys));
  if p_plan then return; end if;

  delete from chunks c using unnest(going_times, going_keys) as going (ts, key)
  where c.tenant = p_tenant and c.owner = p_owner and c.ts = going.ts and c.key = going.key;
  delete from events e using unnest(going_times, going_keys) as going (ts, key)
  where e.tenant = p_tenant and e.owner = p_owner and e.ts = going.ts and e.key = going.key;
  update event_keys k set ts = null where k.tenant = p_tenant and k.owner = p_owner and k.key = any (going_keys);
  delete from artifacts a
  where a.tenant = p_tenant and a.owner = p_owner and depth(a.channel) <= depth(p_channel) and not is_needed(a);
  if going_keys is not null then
    perform note(p_tenant, p_owner, coalesce(reading('owner'), p_owner), 'purged', count_in_words(cardinality(going_keys), 'event'));
  end if;
  if p_session is not null and going_keys is not null then
    insert into purged_sessions as known (tenant, owner, hash, channel)
    values (p_tenant, p_owner, session_hash(p_tenant, p_owner, p_session), p_channel)
    on conflict (tenant, owner, hash) do update set channel = excluded.channel where depth(excluded.channel) > depth(known.channel);
  end if;
end $$;

-- Deletes the events of a person from before a time. Unlike purged events, they can be stored again.
create function sentinel.expire_events(
  p_tenant text, p_owner text, p_channel text, p_before timestamptz, out p_events bigint, out p_bytes bigint
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  delete from chunks c
  where c.tenant = p_tenant and c.owner = p_owner and c.ts < p_before and depth(c.channel) <= depth(p_channel);
  with gone as (
    delete from events e
    where e.tenant = p_tenant and e.owner = p_owner and e.ts < p_before and depth(e.channel) <= depth(p_channel)
    returning e.key, pg_column_size(e.*) as bytes
  ), keys_gone as (
    delete from event_keys k using gone where k.tenant = p_tenant and k.owner = p_owner and k.key = gone.key
  )
  select count(*), coalesce(sum(bytes), 0) into p_events, p_bytes from gone;
  if p_events > 0 then
    perform note(p_tenant, p_owner, p_owner, 'deleted', count_in_words(p_events, 'event') || ' from before ' || (p_before at time zone 'UTC')::date);
  end if;
end $$;

-- Deletes artifacts last used at the given times, and those that no event refers to, with their chunks.
create function sentinel.expire_artifacts(
  p_tenant text, p_owner text, p_channel text, p_ids text[], p_used_at timestamptz[], out p_artifacts bigint, out p_bytes bigint
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  with gone as (
    delete from artifacts a
    where a.tenant = p_tenant and a.owner = p_owner and depth(a.channel) <= depth(p_channel) and (
      (a.id, a.used_at) in (select id, used_at from unnest(p_ids, p_used_at) as given (id, used_at))
      or not is_needed(a))
    returning a.id, a.channel, pg_column_size(a.text) as bytes
  ), parts as (
    delete from chunks c using gone
    where c.tenant = p_tenant and c.owner = p_owner and c.artifact = gone.id and c.channel = gone.channel
  )
  select count(*), coalesce(sum(bytes), 0) into p_artifacts, p_bytes from gone;
end $$;

-- Deletes the oldest expired day of events of one person.
-- @returns the number of deleted events, or null if nothing has expired.
create function sentinel.expire_one_day() returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp set timezone = 'UTC' as $$
declare
  oldest record;
  gone bigint;
  day_ends timestamptz;
begin
  select n.name as tenant, e.owner, e.ts into oldest from tenants n cross join lateral (
    select e.owner, e.ts from events e where e.tenant = n.name and e.ts < current_date - n.keep_days order by e.ts limit 1) as e
  where n.keep_days is not null limit 1;
  if not found then return null; end if;
  day_ends := date_trunc('day', oldest.ts) + interval '1 day';
  perform pg_advisory_xact_lock(write_lock(oldest.tenant, oldest.owner));
  delete from chunks c where c.tenant = oldest.tenant and c.owner = oldest.owner and c.ts < day_ends;
  with going as (
    delete from events e where e.tenant = oldest.tenant and e.owner = oldest.owner and e.ts < day_ends returning e.key
  ), keys_gone as (
    delete from event_keys k using going where k.tenant = oldest.tenant and k.owner = oldest.owner and k.key = going.key
  ) select count(*) into gone from going;
  delete from artifacts a where a.tenant = oldest.tenant and a.owner = oldest.owner and not is_needed(a);
  if gone > 0 then
    perform note(oldest.tenant, oldest.owner, null, 'deleted', count_in_words(gone, 'event') || ' over the time of the tenant');
  end if;
  return gone;
end $$;

-- Deletes the private events of a person. Only the owner of the schema may call it.
-- @returns the number of deleted events.
create function sentinel.delete_private(p_tenant text, p_owner text) returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  events_gone bigint;
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  delete from chunks where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  delete from events where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  get diagnostics events_gone = row_count;
  delete from event_keys where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  delete from artifacts where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  return events_gone;
end $$;

-- Deletes everything a tenant recorded. Only the owner of the schema may call it, because the policies apply to the owner as well.
-- @returns the number of deleted events.
create function sentinel.delete_record(p_tenant text) returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  events_gone bigint;
begin
  -- As a purge does, so that nothing of these persons is appended meanwhile.
  perform pg_advisory_xact_lock(write_lock(p_tenant, of.owner))
  from (select distinct owner from event_keys where tenant = p_tenant order by owner) as of;
  delete from chunks where tenant = p_tenant;
  delete from events where tenant = p_tenant;
  get diagnostics events_gone = row_count;
  delete from event_keys where tenant = p_tenant;
  delete from artifacts where tenant = p_tenant;
  delete from purged_sessions where tenant = p_tenant;
  -- Triggers noted in these what went.
  delete from chunk_totals where tenant = p_tenant;
  delete from dropped_days where tenant = p_tenant;
  return events_gone;
end $$;

-- Searching. Under the policies PostgreSQL couldn't use the index of terms, because comparing lists isn't leakproof. So these functions
-- bypass the policies, and name the tenant and the readable channels themselves.

-- The chunks that hold any of some terms, a line a term: of each chunk its ctid, its length, and how often it holds the term. One text,
-- because a driver takes a microsecond for each field. A ctid names a chunk for as long as the transaction lasts.
--
-- Each term has two numbers, for what all of the tenant may read and for what is the reader's own. Those terms are read that the fewest chunks
-- hold, together at most p_most times; if the rarest alone is in more, the newest of these. p_counts says of each term that was read how many
-- hold it. p_held is what is known of every term then, which the reader gives as p_known with its next search, 0 for a term of which it knows
-- nothing: a term that is too common is not read again, because counting it takes as long as reading it. No fewer hold it now than did then,
-- unless chunks went since, and p_gone counts these.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_all bigint[], p_own bigint[], p_known int[], p_known_gone bigint, p_most int,
  out p_count float8, out p_length float8, out p_gone bigint, out p_is_cut boolean, out p_counts int[], out p_held int[],
  out p_postings text
) language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off as $$
declare
  for_all text[] := array(select c from unnest(array['public', 'team']) as c where depth(c) <= depth(p_channel));
  for_owner text[] := array(select c from unnest(array['agent', 'private']) as c where depth(c) <= depth(p_channel));
  postings text[] := '{}';
  held int;
  found text;
  n int;
  are_read int[];
  is_lone boolean;
begin
  select coalesce(sum(t.chunks), 0), coalesce(sum(t.length), 0), coalesce(sum(t.gone), 0) into p_count, p_length, p_gone
  from chunk_totals t where t.tenant = p_tenant and may_read(t.owner, t.channel, p_owner, p_channel);

  p_held := case when p_gone = p_known_gone then p_known else array_fill(0, array[cardinality(p_all)]) end;
  -- First those of which nothing is known, then what is to be read of all. More may hold one than was known; then others may be the rarest.
  are_read := array(select h.n from unnest(p_held) with ordinality as h (held, n) where h.held = 0);
  loop
    foreach n in array are_read loop
      continue when postings[n] is not null;
      -- The tenant is compared in words that no other index is used for: the one of terms finds only this tenant's.
      select count(*), coalesce(string_agg(posting, ' '), '') into held, found from (
        (select concat_ws(' ', c.ctid, c.length, coalesce(c.frequencies[array_position(c.repeated, p_own[n])], 1)) as posting
         from chunks c
         where c.terms && array[p_own[n]] and c.owner = p_owner and c.channel = any (for_owner)
           and c.tenant is not distinct from p_tenant
         limit p_most + 1)
        union all
        (select concat_ws(' ', c.ctid, c.length, coalesce(c.frequencies[array_position(c.repeated, p_all[n])], 1))
         from chunks c
         where c.terms && array[p_all[n]] and c.channel = any (for_all) and c.tenant is not distinct from p_tenant
         limit p_most + 1)
        limit p_most + 1) as holders;
      p_held[n] := held;
      postings[n] := found;
    end loop;
    select coalesce(array_agg(rarest.n) filter (where rarest.sum <= p_most or rarest.rank = 1), '{}'),
      coalesce(bool_or(rarest.sum > p_most), false), coalesce(min(rarest.sum) > p_most, false)
    into are_read, p_is_cut, is_lone
    from (
      select h.n, sum(h.held) over (order by h.held, h.n) as sum, row_number() over (order by h.held, h.n) as rank
      from unnest(p_held) with ordinality as h (held, n) where h.held > 0
    ) as rarest;
    exit when is_lone or not exists (select from unnest(are_read) as r (n) where postings[r.n] is null);
  end loop;

  if is_lone then
    -- The newest last: of equal ones ranking takes those that come later.
    select string_agg(posting, ' ' order by ts) into found from (
      select concat_ws(' ', c.ctid, c.length, 1) as posting, c.ts from chunks c
      where c.terms && array[p_all[are_read[1]], p_own[are_read[1]]] and c.tenant is not distinct from p_tenant
        and (c.channel = any (for_all) or c.owner = p_owner and c.channel = any (for_owner))
      order by c.ts desc limit p_most) as holders;
    postings[are_read[1]] := found;
  end if;

  select array_agg(case when h.n = any (are_read) then least(h.held, p_most) else 0 end order by h.n),
    string_agg(case when h.n = any (are_read) then postings[h.n] else '' end, E'\n' order by h.n)
  into p_counts, p_postings
  from unnest(p_held) with ordinality as h (held, n);
end $$;

-- Of chunks, by their ctids: who recorded each, and its session; then the chunk among those that stand nearest to it there, p_near at most on
-- either side, in their order: of each its ctid, ms, key and part, with | between.
create function sentinel.chunks_around(p_tenant text, p_owner text, p_channel text, p_places tid[], p_near int)
returns table (owner text, session_no bigint, around text)
language plpgsql stable security definer set search_path = sentinel, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select of.owner, of.session_no,
    (select string_agg(concat_ws(' ', near.ctid, (date_part('epoch', near.ts) * 1000)::bigint, near.key, near.part), '|'
      order by near.ts, near.key, near.part)
    from (
      select of.ctid, of.ts, of.key, of.part
      union all
      (select c.ctid, c.ts, c.key, c.part from chunks c
       where c.tenant = p_tenant and c.owner = of.owner and c.session_no = of.session_no
         and (c.ts, c.key, c.part) < (of.ts, of.key, of.part) and may_read(c.owner, c.channel, p_owner, p_channel)
       order by c.ts desc, c.key desc, c.part desc limit p_near)
      union all
      (select c.ctid, c.ts, c.key, c.part from chunks c
       where c.tenant = p_tenant and c.owner = of.owner and c.session_no = of.session_no
         and (c.ts, c.key, c.part) > (of.ts, of.key, of.part) and may_read(c.owner, c.channel, p_owner, p_channel)
       order by c.ts, c.key, c.part limit p_near)
    ) as near)
  from unnest(p_places) with ordinality as asked (place, n)
  join chunks of on of.ctid = asked.place and of.tenant = p_tenant and may_read(of.owner, of.channel, p_owner, p_channel)
  order by asked.n;
end $$;

-- Reading under the policies of the caller. Planning a statement for all months takes longer than reading a few events, and a connection
-- keeps the plans of its functions. A plan made while a month was empty must not scan the whole month later, so sequential scans are off.

-- Returns chunks with their events; with p_with_neighbours also the nearest chunks of other events of the session. In order, and at most
-- p_bytes of content together. hidden is the text of a chunk that is in an artifact.
create function sentinel.chunks_named(
  p_owners text[], p_sessions bigint[], p_times timestamptz[], p_keys text[], p_parts int[], p_with_neighbours boolean, p_bytes int
) returns table (n int, side text, part int, starts int, ends int, hidden text, event sentinel.events)
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select found.n, found.side, found.part, found.starts, found.ends, found.hidden, found.event from (
    select of.n::int, near.*, named.event, whole.hidden, sum(octet_length((named.event).content::text)) over (order by of.n) as bytes
    from unnest(p_owners, p_sessions, p_times, p_keys, p_parts) with ordinality as of (owner, session_no, ts, key, part, n)
    cross join lateral (
      select 'hit' as side, c.ts, c.key, c.part, c.starts, c.ends, c.artifact from chunks c
      where c.owner = of.owner and c.ts = of.ts and c.key = of.key and c.part = of.part
      union all
      (select 'before', c.ts, c.key, c.part, c.starts, c.ends, c.artifact from chunks c
       where p_with_neighbours and c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key) < (of.ts, of.key)
       order by c.ts desc, c.key desc, c.part desc limit 1)
      union all
      (select 'after', c.ts, c.key, c.part, c.starts, c.ends, c.artifact from chunks c
       where p_with_neighbours and c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key) > (of.ts, of.key)
       order by c.ts, c.key, c.part limit 1)
    ) as near
    -- The limit keeps the planner from reading all events for a join.
    cross join lateral (
      select e as event from events e where e.owner = of.owner and e.ts = near.ts and e.key = near.key limit 1
    ) as named
    left join lateral (
      select substr(a.text, near.starts + 1, near.ends - near.starts) as hidden from artifacts a
      where a.owner = of.owner and a.id = near.artifact and a.channel = (named.event).channel
    ) as whole on true
  ) as found
  where found.bytes <= p_bytes
  order by found.n;
end $$;

-- Returns the events with these keys, or whose ids end with these short ids.
create function sentinel.events_named(p_keys text[], p_shorts text[]) returns setof sentinel.events
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from events e where (e.ts, e.owner, e.key) in (
    select k.ts, k.owner, k.key from event_keys k where k.key = any (p_keys) or k.short = any (p_shorts));
end $$;

-- Returns the first events since a transaction. If there are more, a window is read from its beginning.
create function sentinel.events_from(p_tx xid8, p_most int) returns setof sentinel.events
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set enable_sort = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from events e where e.tx >= p_tx order by e.tx, e.seq limit p_most;
end $$;

-- Tokens, persons and the texts of a tenant.

-- Returns the most private channel of a token. Only a token that the person made reaches the person's private channels.
create function sentinel.reach(own boolean, channel text) returns text language sql immutable parallel safe
  return case when own or sentinel.depth(channel) <= sentinel.depth('team') then channel else 'team' end;

create function sentinel.count_in_words(count bigint, noun text) returns text language sql immutable parallel safe
  return count || ' ' || noun || case count when 1 then '' else 's' end;

-- Adds to the audit log. Without the tenant nobody could read the entry.
create function sentinel.note(p_tenant text, p_person text, p_by text, p_act text, p_what text) returns void
language sql security definer set search_path = sentinel, pg_temp as $$
  insert into audit (group_name, person, by, act, what)
  select group_name, p_person, p_by, p_act, p_what || ' of ' || p_tenant from tenants where name = p_tenant
$$;

-- Returns the caller of a token for the tenant in the call, or for the only one. The tenant is null if the token is for others.
create function sentinel.find_caller(
  p_id text, p_asked text, out p_hash bytea, out p_tenant text, out p_owner text, out p_channel text, out p_scope text, out p_privacy text,
  out p_tenants text[], out p_own boolean, out p_unnoted boolean, out p_expires_at timestamptz
) language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select t.hash, t.owner, reach(t.own, t.channel), t.scope, t.own, t.expires_at,
    t.last_used_at is null or t.last_used_at < now() - interval '1 hour',
    array(select n.name from tenants n where n.group_name = t.group_name and n.name = coalesce(t.tenant, n.name) order by n.name)
  into p_hash, p_owner, p_channel, p_scope, p_own, p_expires_at, p_unnoted, p_tenants
  from tokens t join persons p on p.group_name = t.group_name and p.name = t.owner and p.removed_at is null
  where t.id = p_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > now());
  select n.name, n.privacy into p_tenant, p_privacy from tenants n
  where n.name = any (p_tenants) and n.name = coalesce(p_asked, case cardinality(p_tenants) when 1 then p_tenants[1] end);
end $$;

create function sentinel.note_use(p_id text) returns void language sql security definer set search_path = sentinel, pg_temp as $$
  update tokens set last_used_at = now() where id = p_id
$$;

-- Makes a token that replaces another one. The first token that a person makes from one of the operator's becomes the person's own,
-- and the operator's ends at once.
-- @returns the channel of the new token, or null if the old one has ended or was replaced before.
create function sentinel.rotate_token(
  p_id text, p_new_id text, p_new_hash bytea, p_expires timestamptz, p_overlap interval, out p_channel text
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  old tokens;
  is_own boolean;
begin
  select * into old from tokens t
  where t.id = p_id and t.revoked_at is null and t.replaced_by is null and (t.expires_at is null or t.expires_at > now()) for update;
  if not found then return; end if;
  is_own := old.own;
  if not is_own and depth(old.channel) > depth('team') then
    update persons set own_since = now()
    where group_name = old.group_name and name = old.owner and own_since is null and removed_at is null;
    is_own := found;
  end if;
  insert into tokens (id, hash, tenant, group_name, owner, channel, scope, own, expires_at)
  values (p_new_id, p_new_hash, old.tenant, old.group_name, old.owner, old.channel, old.scope, is_own, p_expires);
  update tokens set replaced_by = p_new_id,
    expires_at = least(expires_at, now() + case when old.own then p_overlap else interval '0' end)
  where id = p_id;
  p_channel := reach(is_own, old.channel);
  insert into audit (group_name, person, by, act, what)
  values (old.group_name, old.owner, old.owner, 'rotated', 'token ' || p_id || ', now ' || p_new_id || ', up to ' || p_channel);
end $$;

-- Returns the audit log for the holder of a token: entries about this person or the whole group.
create function sentinel.audit_for(p_id text) returns table (at timestamptz, person text, by text, act text, what text)
language sql stable security definer set search_path = sentinel, pg_temp as $$
  select a.at, a.person, a.by, a.act, a.what
  from tokens t join audit a on a.group_name = t.group_name and (a.person is null or a.person = t.owner)
  where t.id = p_id order by a.at
$$;

-- Returns the removed persons whose team events this person may purge.
create function sentinel.left_to(p_tenant text, p_person text) returns setof text
language sql stable security definer set search_path = sentinel, pg_temp as $$
  select p.name from persons p join tenants n on n.group_name = p.group_name
  where n.name = p_tenant and p.left_to = p_person and p.removed_at is not null order by p.name
$$;

-- Returns the texts of a tenant and its last push: 0 and null before the first.
create function sentinel.shared_by(p_tenant text, out p_texts jsonb, out p_number int, out p_commit text)
language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select texts into p_texts from tenants where name = p_tenant;
  select number, commit into p_number, p_commit from lesson_pushes where tenant = p_tenant order by number desc limit 1;
  p_number := coalesce(p_number, 0);
end $$;

-- Replaces the lessons. @returns false if another push came after `p_after`, or if the commit was pushed before it.
create function sentinel.push_lessons(p_tenant text, p_owner text, p_after int, p_commit text, p_lines text[]) returns boolean
language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sentinel lessons ' || p_tenant, 0));
  if p_after <> coalesce((select max(number) from lesson_pushes where tenant = p_tenant), 0)
    or exists (select from lesson_pushes where tenant = p_tenant and commit = p_commit and number < p_after) then
    return false;
  end if;
  delete from lessons as of where tenant = p_tenant and not exists (select from unnest(p_lines) as line where line = of.line);
  insert into lessons select p_tenant, line from unnest(p_lines) as line
    where not exists (select from lessons as of where of.tenant = p_tenant and of.line = line.line);
  insert into lesson_pushes (tenant, commit, number, owner) values (p_tenant, p_commit, p_after + 1, p_owner)
    on conflict (tenant, commit) do update set number = excluded.number, owner = excluded.owner, pushed_at = excluded.pushed_at;
  return true;
end $$;

-- Rights. Everybody may call a new function until that is revoked.

revoke all on all functions in schema sentinel from public;
grant usage on schema sentinel to sentinel_app, sentinel_functions;

do $$
declare
  name text;
begin
  foreach name in array array['events', 'event_keys', 'chunks', 'chunk_totals', 'artifacts', 'dropped_days'] loop
    -- A subquery is evaluated once per query, not once per row.
    execute format('create policy readers on sentinel.%I for select to sentinel_app using (
      tenant = (select sentinel.reading(''tenant''))
      and sentinel.may_read(owner, channel, (select sentinel.reading(''owner'')), (select sentinel.reading(''channel''))))', name);
    execute format('grant select on sentinel.%I to sentinel_app', name);
    execute format('grant select, insert, update, delete on sentinel.%I to sentinel_functions', name);
  end loop;
  foreach name in array array[
    'events', 'event_keys', 'chunks', 'chunk_totals', 'artifacts', 'dropped_days', 'purged_sessions', 'lessons', 'lesson_pushes']
  loop
    execute format('alter table sentinel.%I enable row level security', name);
    execute format('alter table sentinel.%I force row level security', name);
    execute format('create policy functions on sentinel.%I to sentinel_functions using (true) with check (true)', name);
  end loop;
  -- The owner may export the events of a removed person.
  foreach name in array array['events', 'event_keys', 'artifacts'] loop
    execute format('create policy leaving on sentinel.%I for select to %I using (
      tenant = (select sentinel.reading(''tenant'')) and owner = (select sentinel.reading(''owner''))
      and exists (
        select from sentinel.persons p join sentinel.tenants n on n.group_name = p.group_name
        where n.name = sentinel.reading(''tenant'') and p.name = sentinel.reading(''owner'') and p.removed_at is not null))',
      name, current_user);
  end loop;
end $$;

-- Lessons are for the team: a reader of public events sees none.
create policy readers on sentinel.lessons for select to sentinel_app using (
  tenant = (select sentinel.reading('tenant'))
  and (select sentinel.depth(sentinel.reading('channel')) >= sentinel.depth('team')));

grant select on sentinel.schema_version, sentinel.lessons to sentinel_app;
grant select, insert, update, delete on sentinel.purged_sessions to sentinel_functions;
grant select, insert, delete on sentinel.lessons to sentinel_functions;
grant select, insert, update on sentinel.lesson_pushes, sentinel.tokens to sentinel_functions;
grant select, update on sentinel.persons to sentinel_functions;
grant select, insert on sentinel.audit to sentinel_functions;
grant select on sentinel.tenants to sentinel_functions;
grant usage on sequence sentinel.event_order to sentinel_functions;

grant execute on function sentinel.depth, sentinel.may_read, sentinel.reading, sentinel.write_lock to sentinel_app, sentinel_functions;
grant execute on function sentinel.session_hash, sentinel.reach, sentinel.count_in_words to sentinel_functions;
grant execute on function sentinel.make_months, sentinel.append_events, sentinel.append_together, sentinel.purge_events,
  sentinel.expire_events, sentinel.expire_artifacts, sentinel.expire_one_day, sentinel.search_chunks, sentinel.chunks_around,
  sentinel.chunks_named, sentinel.events_named, sentinel.events_from, sentinel.find_caller, sentinel.note_use, sentinel.rotate_token,
  sentinel.audit_for, sentinel.left_to, sentinel.shared_by, sentinel.push_lessons to sentinel_app;

-- Only a role that may create in the schema can own its functions, and only a member of it can give functions to it.
do $$
declare
  made regprocedure;
begin
  grant create on schema sentinel to sentinel_functions;
  execute format('grant sentinel_functions to %I', current_user);
  for made in
    select oid from pg_proc
    where pronamespace = 'sentinel'::regnamespace and proname <> 'make_months' and (prosecdef or proname = 'is_needed')
  loop
    execute format('alter function %s owner to sentinel_functions', made);
  end loop;
  execute format('grant execute on function sentinel.delete_private, sentinel.delete_record to %I', current_user);
  execute format('revoke sentinel_functions from %I', current_user);
  revoke create on schema sentinel from sentinel_functions;
end $$;
