-- The whole schema (docs/design/daemon.md, "Tables"). Names compare byte by byte, as in the file store.

create table sentinel.schema_version (
  version int not null,
  applied_at timestamptz not null default now()
);

-- Roles. The daemon's role is a member of `sentinel_app`: it reads under policies, and writes only through functions. The functions belong to
-- `sentinel_functions`, which can't log in.

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

-- Tenants and tokens. Commands of the schema's owner write them. A daemon looks up a token by its id and replaces it, both through functions. It
-- can't list tokens.

create table sentinel.tenants (
  name text collate "C" primary key check (length(name) between 1 and 200),
  -- The text of its privacy.yaml.
  privacy text not null default '',
  -- Days to keep events; forever if null.
  keep_days int check (keep_days > 0),
  -- Views, policies and lessons by file name, as `.context` has them. An empty text counts as absent.
  texts jsonb not null default '{}' check (jsonb_typeof(texts) = 'object'),
  -- Raised with each change of the texts.
  texts_version int not null default 0,
  created_at timestamptz not null default now()
);

create table sentinel.tokens (
  id text collate "C" primary key,
  -- SHA-256 of the secret.
  hash bytea not null check (length(hash) = 32),
  tenant text collate "C" not null references sentinel.tenants,
  owner text collate "C" not null check (length(owner) between 1 and 200),
  -- The most private channel to read and write.
  channel sentinel.channel not null,
  scope text collate "C" not null check (scope in ('write', 'read', 'metrics')),
  -- Whether the person made it, and not the operator.
  own boolean not null default false,
  replaced_by text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index on sentinel.tokens (tenant, owner);

-- What was done with tokens. A trigger writes it.
create table sentinel.audit (
  tenant text collate "C" not null references sentinel.tenants on delete cascade,
  -- Not the time of the transaction, which can write several.
  at timestamptz not null default clock_timestamp(),
  person text collate "C" not null,
  -- The person who did it; the operator if null.
  by text collate "C",
  act text collate "C" not null,
  token text collate "C" not null,
  what text not null
);
create index on sentinel.audit (tenant, at);

-- The session log. Every row has its tenant, its owner (the person who recorded it), and its channel.

create sequence sentinel.append_order;

create table sentinel.events (
  tenant text collate "C" not null check (tenant <> ''),
  owner text collate "C" not null check (owner <> ''),
  -- The identity in its id (src/sessions/kinds/event.ts). It belongs to one event of a person.
  key text collate "C" not null check (length(key) = 16),
  short text collate "C" not null generated always as (right(key, 8)) stored,
  ts timestamptz not null,
  -- Orders events of one millisecond.
  seq bigint not null,
  session text collate "C" not null check (session <> ''),
  -- A name may be too long for an index.
  session_no bigint not null generated always as (hashtextextended(session, 0)) stored,
  channel sentinel.channel not null,
  kind text collate "C" not null check (kind in (
    'message', 'tool_call', 'tool_result', 'decision', 'summary', 'task_update', 'artifact', 'session', 'pin', 'handoff')),
  refs text[] collate "C" not null,
  tags text[] collate "C" not null,
  -- The artifacts that its content names.
  artifacts text[] collate "C" not null,
  -- The whole event. jsonb would refuse \u0000 and change the text that was hashed.
  event json not null check (json_typeof(event) = 'object'),
  primary key (tenant, key, owner)
);
create index on sentinel.events (tenant, short);
create index on sentinel.events (tenant, ts);
create index on sentinel.events (tenant, owner, ts);
create index on sentinel.events (tenant, session_no, ts);
create index on sentinel.events (tenant, ts) where kind in ('decision', 'task_update', 'pin', 'handoff');
create index on sentinel.events using gin (artifacts) where artifacts <> '{}';

-- The parts of events that searches find. Each word is stored as a hash of it, its tenant and its readers, so a purged word doesn't stay in the index.
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
  terms tsvector not null,
  -- How often, for the terms that occur more than once.
  repeats jsonb not null,
  primary key (tenant, key, owner, part)
);
create index on sentinel.chunks using gin (terms);
create index on sentinel.chunks (tenant, owner, session_no, ts, key, part);
create index on sentinel.chunks (tenant, artifact) where artifact is not null;

-- The number of chunks and of their terms, so that no search has to count them. Concurrent writers use different shards.
create table sentinel.chunk_totals (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  shard int not null,
  chunks bigint not null,
  length bigint not null,
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

-- The keys of purged events, and hashes of the sessions that were purged as a whole, up to a channel. They are refused from then on.
create table sentinel.purged (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  mark text collate "C" not null,
  channel sentinel.channel not null,
  primary key (tenant, owner, mark)
);

-- Locks, hashes and triggers.

-- Appends of a person share this lock; a purge or a deletion holds it alone.
-- PostgreSQL inlines a function only if nothing in it is less stable than the function itself, so the length is cast to text.
create function sentinel.write_lock(p_tenant text, p_owner text) returns bigint language sql immutable
  return hashtextextended('sentinel write ' || length(p_tenant)::text || ' ' || p_tenant || ' ' || p_owner, 0);

create function sentinel.session_hash(p_tenant text, p_owner text, p_session text) returns text language sql stable
  return encode(sha256(convert_to(length(p_tenant) || ' ' || p_tenant || ' ' || length(p_owner) || ' ' || p_owner || ' ' || p_session, 'UTF8')), 'hex');

create function sentinel.is_valid(token sentinel.tokens) returns boolean language sql stable
  return token.revoked_at is null and (token.expires_at is null or token.expires_at > now());

create function sentinel.count_chunks() returns trigger
language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  sign int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into chunk_totals as held (tenant, owner, channel, shard, chunks, length)
  select tenant, owner, channel, pg_backend_pid() % 16, sign * count(*), sign * sum(length) from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant, owner, channel, shard)
  do update set chunks = held.chunks + excluded.chunks, length = held.length + excluded.length;
  return null;
end $$;

create trigger count_added after insert on sentinel.chunks referencing new table as changed
  for each statement execute function sentinel.count_chunks();
create trigger count_gone after delete on sentinel.chunks referencing old table as changed
  for each statement execute function sentinel.count_chunks();

-- Writing. Each of these functions names the tenant and the person in every statement, because its role sees all rows. Beside a key, `is not
-- distinct from` keeps PostgreSQL from reading all rows of the person by another index.

-- Returns whether any event refers to an artifact.
create function sentinel.is_needed(artifact sentinel.artifacts) returns boolean language sql stable
  return exists (
    select from sentinel.events e
    where e.tenant = artifact.tenant and e.owner = artifact.owner and e.channel = artifact.channel
      and e.artifacts <> '{}' and e.artifacts && array[artifact.id]);

-- Returns whether the session belongs to another person, as far as the team can see.
create function sentinel.is_foreign(p_tenant text, p_owner text, p_session text) returns boolean
language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  number bigint := hashtextextended(p_session, 0);
begin
  return p_session <> 'command-line'
    and not exists (
      select from events e where e.tenant = p_tenant and e.session_no = number and e.session = p_session and e.owner = p_owner)
    and exists (
      select from events e where e.tenant = p_tenant and e.session_no = number and e.session = p_session
        and e.channel in ('public', 'team'));
end $$;

-- Stores each key once. p_channel is the most private channel that the caller may read.
-- The first three lists describe the events of p_events, in any order.
-- @returns the refused keys, which were purged, and with a leading = the keys that were stored before and stay unchanged.
-- @raises SN001 if the token has ended, SN002 if a session belongs to another person, as far as the team can see.
create function sentinel.append_events(
  p_tenant text, p_owner text, p_channel text, p_keys text[], p_channels text[], p_sessions text[],
  p_events json, p_chunks json, p_artifacts json, p_now timestamptz, p_token text
) returns text[] language plpgsql security definer set search_path = sentinel, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  first_seq bigint := nextval('append_order') * 1000;
  refused text[];
  accepted text[];
  left_behind text[];
begin
  perform pg_advisory_xact_lock_shared(write_lock(p_tenant, p_owner));

  -- A removal holds the lock alone, so a call that was under way can't store anything after it.
  if p_token is not null and not exists (select from tokens where id = p_token and is_valid(tokens)) then
    raise exception using errcode = 'SN001';
  end if;
  -- Without the offset PostgreSQL would call the function for each event, not for each session.
  if exists (
    select from (select distinct session from unnest(p_sessions) as given (session) offset 0) as named
    where is_foreign(p_tenant, p_owner, named.session)
  ) then
    raise exception using errcode = 'SN002';
  end if;

  select coalesce(array_agg(given.key), '{}') into refused
  from unnest(p_keys, p_sessions, p_channels) as given (key, session, channel)
  where exists (
    select from purged p
    where p.tenant = p_tenant and p.owner = p_owner and p.mark in (given.key, session_hash(p_tenant, p_owner, given.session))
      and (p.mark = given.key or depth(given.channel) <= depth(p.channel)));

  select array_agg(artifact) into left_behind
  from events e, unnest(e.artifacts) as artifact where e.tenant = p_tenant and e.key = any (p_keys) and e.owner is not distinct from p_owner;

  -- Concurrent appends insert in the same order, so that they don't deadlock. The earliest copy of an event counts.
  with stored as (
    insert into events as held (tenant, owner, key, ts, seq, session, channel, kind, refs, tags, artifacts, event)
    select p_tenant, p_owner, e.key, e.ts, first_seq + e.n, e.session, e.channel, e.kind, e.refs, e.tags, e.artifacts, e.event::json
    from json_to_recordset(p_events) as e (
      n int, key text, ts timestamptz, session text, channel text, kind text, refs text[], tags text[], artifacts text[], event text)
    where e.key <> all (refused)
    order by e.key
    on conflict (tenant, key, owner) do update set
      ts = excluded.ts, seq = excluded.seq, session = excluded.session, channel = excluded.channel, kind = excluded.kind,
      refs = excluded.refs, tags = excluded.tags, artifacts = excluded.artifacts, event = excluded.event
    where excluded.ts < held.ts and depth(held.channel) <= depth(p_channel)
    returning held.key
  ) select coalesce(array_agg(key), '{}') into accepted from stored;

  delete from chunks c where c.tenant = p_tenant and c.key = any (accepted) and c.owner is not distinct from p_owner;
  insert into chunks (tenant, owner, ts, key, part, channel, session_no, artifact, starts, ends, length, terms, repeats)
  select p_tenant, p_owner, c.ts, c.key, c.part, c.channel, hashtextextended(c.session, 0), c.artifact, c.starts, c.ends,
    c.length, array_to_tsvector(c.terms), c.repeats
  from json_to_recordset(p_chunks) as c (
    ts timestamptz, key text, part int, channel text, session text, artifact text, starts int, ends int, length int,
    terms text[], repeats jsonb)
  where c.key = any (accepted);

  if json_array_length(p_artifacts) > 0 then
    -- Only artifacts of stored events. An artifact that exists already counts as used now.
    insert into artifacts (tenant, id, owner, channel, text, used_at)
    select distinct on (a.id, a.channel) p_tenant, a.id, p_owner, a.channel, a.text, p_now
    from json_to_recordset(p_artifacts) as a (key text, id text, channel text, text text)
    join events e on e.tenant = p_tenant and e.key = a.key and e.owner is not distinct from p_owner
    where e.channel = a.channel and a.id = any (e.artifacts)
    order by a.id, a.channel
    on conflict (tenant, id, owner, channel) do update set used_at = excluded.used_at;
  end if;
  delete from artifacts a
  where a.tenant = p_tenant and a.owner = p_owner and a.id = any (left_behind) and not is_needed(a);

  return refused || array(
    select '=' || key from unnest(p_keys) as given (key) where key <> all (accepted) and key <> all (refused));
end $$;

-- Purges events of a person: those with these keys, and those of a session.
create function sentinel.purge_events(
  p_tenant text, p_owner text, p_channel text, p_keys text[], p_session text, out p_kinds json, out p_artifacts bigint
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  with gone as (
    delete from events e
    where e.tenant = p_tenant and e.owner = p_owner and depth(e.channel) <= depth(p_channel)
      and (e.key = any (p_keys) or e.session_no = hashtextextended(p_session, 0) and e.session = p_session)
    returning e.key, e.kind, e.channel
  ), chunks_gone as (
    delete from chunks c using gone where c.tenant = p_tenant and c.key = gone.key and c.owner is not distinct from p_owner
  ), marks as (
    insert into purged select p_tenant, p_owner, gone.key, gone.channel from gone on conflict do nothing
  )
  select json_object_agg(counted.kind, counted.count) into p_kinds
  from (select gone.kind, count(*) from gone group by gone.kind) as counted;

  with gone as (
    delete from artifacts a
    where a.tenant = p_tenant and a.owner = p_owner and depth(a.channel) <= depth(p_channel) and not is_needed(a)
    returning a.id
  ) select count(*) into p_artifacts from gone;
  if p_session is not null and p_kinds is not null then
    insert into purged as known
    values (p_tenant, p_owner, session_hash(p_tenant, p_owner, p_session), p_channel)
    on conflict (tenant, owner, mark) do update set channel = excluded.channel where depth(excluded.channel) > depth(known.channel);
  end if;
end $$;

-- Deletes a person's oldest events from before a time, 10,000 at most, because a statement has a time limit. They can be stored again.
create function sentinel.expire_events(
  p_tenant text, p_owner text, p_channel text, p_before timestamptz, out p_events bigint, out p_bytes bigint
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  with gone as (
    delete from events e
    where e.tenant = p_tenant and e.owner = p_owner and e.key = any (array(
      select old.key from events old
      where old.tenant = p_tenant and old.owner = p_owner and old.ts < p_before and depth(old.channel) <= depth(p_channel)
      order by old.ts limit 10000))
    returning e.key, pg_column_size(e.*) as bytes
  ), chunks_gone as (
    delete from chunks c using gone where c.tenant = p_tenant and c.key = gone.key and c.owner is not distinct from p_owner
  )
  select count(*), coalesce(sum(bytes), 0) into p_events, p_bytes from gone;
end $$;

-- Deletes a person's artifacts, with their chunks: those last used before a time, the longest unused until the others take at most
-- p_most_bytes, and those that no event refers to.
create function sentinel.expire_artifacts(
  p_tenant text, p_owner text, p_channel text, p_before timestamptz, p_most_bytes float8, out p_artifacts bigint, out p_bytes bigint
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  with readable as (
    select a.id, a.channel, a.used_at < p_before or not is_needed(a) as is_over, a.used_at, pg_column_size(a.text) as bytes
    from artifacts a where a.tenant = p_tenant and a.owner = p_owner and depth(a.channel) <= depth(p_channel)
  ), sized as (
    select *, sum(bytes) filter (where not is_over) over (order by used_at desc, id, channel) as bytes_so_far from readable
  ), gone as (
    delete from artifacts a using sized
    where a.tenant = p_tenant and a.owner = p_owner and a.id = sized.id and a.channel = sized.channel
      and (sized.is_over or sized.bytes_so_far > p_most_bytes)
    returning a.id, a.channel, sized.bytes
  ), chunks_gone as (
    delete from chunks c using gone
    where c.tenant = p_tenant and c.owner = p_owner and c.artifact = gone.id and c.channel = gone.channel
  )
  select count(*), coalesce(sum(bytes), 0) into p_artifacts, p_bytes from gone;
end $$;

-- Deletes expired events of one person, by the days that their tenant keeps.
-- @returns the number of deleted events, or null if nothing has expired.
create function sentinel.expire_some() returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp set timezone = 'UTC' as $$
declare
  oldest record;
  gone bigint;
begin
  select n.name as tenant, n.keep_days, e.owner into oldest from tenants n cross join lateral (
    select e.owner from events e where e.tenant = n.name and e.ts < current_date - n.keep_days order by e.ts limit 1) as e
  where n.keep_days is not null limit 1;
  if not found then return null; end if;
  select p_events into gone from expire_events(oldest.tenant, oldest.owner, 'private', current_date - oldest.keep_days);
  perform expire_artifacts(oldest.tenant, oldest.owner, 'private', '-infinity', 'infinity');
  return gone;
end $$;

-- Removes a person: their tokens, and their events in the channels `agent` and `private`. Only the owner of the schema may call it.
-- @returns the number of deleted events.
create function sentinel.remove_person(p_tenant text, p_owner text) returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  events_gone bigint;
begin
  perform pg_advisory_xact_lock(write_lock(p_tenant, p_owner));
  delete from tokens where tenant = p_tenant and owner = p_owner;
  delete from chunks where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  delete from events where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  get diagnostics events_gone = row_count;
  delete from artifacts where tenant = p_tenant and owner = p_owner and depth(channel) > depth('team');
  return events_gone;
end $$;

-- Deletes a tenant with everything in it. Only the owner of the schema may call it. The policies apply to the owner, who couldn't delete the rows.
-- @returns the number of deleted events, or null if there is no such tenant.
create function sentinel.delete_tenant(p_tenant text) returns bigint
language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  events_gone bigint;
begin
  -- Nobody without a token can append, so these locks stop all appends.
  perform pg_advisory_xact_lock(write_lock(p_tenant, of.owner)) from (
    select owner from events where tenant = p_tenant union select owner from tokens where tenant = p_tenant order by owner) as of;
  delete from tokens where tenant = p_tenant;
  delete from chunks where tenant = p_tenant;
  delete from events where tenant = p_tenant;
  get diagnostics events_gone = row_count;
  delete from artifacts where tenant = p_tenant;
  delete from purged where tenant = p_tenant;
  -- The trigger of chunks wrote to it.
  delete from chunk_totals where tenant = p_tenant;
  delete from tenants where name = p_tenant;
  return case when found then events_gone end;
end $$;

-- Searching. Under the policies PostgreSQL couldn't use the index of terms, because its operator isn't leakproof. This function bypasses the
-- policies, so each scan names the tenant and may_read. What others keep to themselves changes no result and no score.

-- Returns the best chunk of each event: BM25, more for matching several terms, and a share of the scores of the two chunks before and after it
-- in the session, unless they're of the same event (as in src/ground/search/chunk-ranking.ts). It scores the chunks of the rarest terms, at most
-- p_most together, or the newest p_most of the rarest term. p_shared has the hashes of the terms in channels for all, p_own in those of the reader. p_chunks is the number of readable chunks, p_length their average length.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_shared text[], p_own text[], p_chunks float8, p_length float8, p_hits int, p_most int
) returns table (is_cut boolean, owner text, session_no bigint, ts timestamptz, key text, part int, score float8)
language plpgsql stable security definer set search_path = sentinel, pg_temp
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  -- `is not distinct from` keeps PostgreSQL from using another index than that of the terms, whose hashes depend on the tenant and the readers.
  with counted as (
    select asked.shared, asked.own, asked.query, number.held
    from (
      select shared, own, (quote_literal(shared) || '|' || quote_literal(own))::tsquery as query
      from unnest(p_shared, p_own) as hashes (shared, own)) as asked
    cross join lateral (
      select count(*) as held from (
        select from chunks c
        where c.terms @@ asked.query and c.tenant is not distinct from p_tenant and may_read(c.owner, c.channel, p_owner, p_channel)
        limit p_most + 1) as holders) as number
    where number.held > 0
  ), rarest_first as (
    select *, sum(held) over (order by held, shared) as so_far, row_number() over (order by held, shared) as place from counted
  ), chosen as (
    select shared, own, query, ln(1 + (p_chunks - held + 0.5) / (held + 0.5)) as rarity
    from rarest_first where so_far <= p_most or place = 1
  ), own as (
    select found.place, found.owner, found.ts, found.key, (
      sum(chosen.rarity * found.often / (found.often + 2 * (0.25 + 0.75 * found.length / p_length))) / whole.rarity
      * sqrt(count(*)::float8 / whole.terms))::real as score
    from chosen cross join (select sum(rarity) as rarity, count(*) as terms from chosen) as whole
    cross join lateral (
      select c.ctid as place, c.owner, c.ts, c.key, c.length, coalesce(c.repeats ->> chosen.shared, c.repeats ->> chosen.own, '1')::int as often
      from chunks c
      where c.terms @@ chosen.query and c.tenant is not distinct from p_tenant and may_read(c.owner, c.channel, p_owner, p_channel)
      order by c.ts desc limit p_most) as found
    group by found.place, found.owner, found.ts, found.key, whole.rarity, whole.terms
  ), best as (
    -- At most two parts of an event come first, because one long text can have very many.
    select place, score from (
      select *, row_number() over (partition by owner, ts, key order by score desc, place) as nth from own) as parts
    order by nth > 2, score desc, ts desc limit greatest(400, 2 * p_hits)
  ), scored as (
    -- Rounded, because equal chunks get sums that differ in the last digits.
    select near.place, round((sum(near.share * best.score) / 2.5)::numeric, 6)::float8 as score
    from best join chunks c on c.ctid = best.place
    cross join lateral (
      select c.ctid as place, 1.0::float8 as share
      union all
      (select n.ctid, case when (n.ts, n.key) = (c.ts, c.key) then 0 else 0.5 / row_number() over (order by n.ts, n.key, n.part) end
       from chunks n
       where n.tenant = p_tenant and n.owner = c.owner and n.session_no = c.session_no
         and (n.ts, n.key, n.part) > (c.ts, c.key, c.part) and may_read(n.owner, n.channel, p_owner, p_channel)
       order by n.ts, n.key, n.part limit 2)
      union all
      (select n.ctid, case when (n.ts, n.key) = (c.ts, c.key) then 0
         else 0.5 / row_number() over (order by n.ts desc, n.key desc, n.part desc) end
       from chunks n
       where n.tenant = p_tenant and n.owner = c.owner and n.session_no = c.session_no
         and (n.ts, n.key, n.part) < (c.ts, c.key, c.part) and may_read(n.owner, n.channel, p_owner, p_channel)
       order by n.ts desc, n.key desc, n.part desc limit 2)) as near
    group by near.place
  ), hits as (
    select distinct on (c.owner, c.ts, c.key) c.owner, c.session_no, c.ts, c.key, c.part, scored.score
    from scored join chunks c on c.ctid = scored.place
    order by c.owner, c.ts, c.key, scored.score desc, c.part
  )
  select (select max(so_far) > p_most from rarest_first), hits.* from hits
  order by hits.score desc, hits.ts desc, hits.key, hits.owner limit p_hits;
end $$;

-- Reading under the policies of the caller. Sequential scans are off, because a connection keeps plans from when a table was empty.

-- Returns chunks with their events; with p_with_neighbours also the nearest chunks of other events of the session. In order, and at most
-- p_bytes of content together. hidden is the text of a chunk that is in an artifact.
create function sentinel.chunks_named(p_chunks json, p_with_neighbours boolean, p_bytes int) returns table (n int, side text, part int, starts int, ends int, hidden text, owner text, event json)
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select found.n, found.side, found.part, found.starts, found.ends, found.hidden, found.owner, found.event from (
    select of.n::int, near.*, e.owner, e.event, whole.hidden, sum(octet_length(e.event::text)) over (order by of.n) as bytes
    from rows from (json_to_recordset(p_chunks) as (owner text, session_no bigint, ts timestamptz, key text, part int))
      with ordinality as of (owner, session_no, ts, key, part, n)
    cross join lateral (
      select 'hit' as side, c.ts, c.key, c.part, c.starts, c.ends, c.artifact from chunks c
      where c.owner = of.owner and c.key = of.key and c.part = of.part
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
      select * from events where owner = of.owner and key = near.key limit 1
    ) as e
    left join lateral (
      select substr(a.text, near.starts + 1, near.ends - near.starts) as hidden from artifacts a
      where a.owner = of.owner and a.id = near.artifact and a.channel = e.channel
    ) as whole on true
  ) as found
  where found.bytes <= p_bytes
  order by found.n;
end $$;

-- Tokens, and the texts of a tenant.

-- Returns the most private channel of a token. Only a token that the person made reaches the person's own channels.
create function sentinel.reach(own boolean, channel text) returns text language sql immutable parallel safe
  return case when own or sentinel.depth(channel) <= sentinel.depth('team') then channel else 'team' end;

-- Returns the caller of a token, or nulls, and notes its use once an hour.
create function sentinel.find_token(
  p_id text, p_hash bytea, out p_tenant text, out p_owner text, out p_channel text, out p_scope text, out p_own boolean,
  out p_expires_at timestamptz, out p_privacy text
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  last_use timestamptz;
begin
  select t.tenant, t.owner, reach(t.own, t.channel), t.scope, t.own, t.expires_at, n.privacy, coalesce(t.last_used_at, '-infinity')
  into p_tenant, p_owner, p_channel, p_scope, p_own, p_expires_at, p_privacy, last_use
  from tokens t join tenants n on n.name = t.tenant
  where t.id = p_id and t.hash = p_hash and is_valid(t);
  if last_use < now() - interval '1 hour' then
    begin
      update tokens set last_used_at = now() where id = p_id;
    -- A database that can't be written can still be read.
    exception when others then null;
    end;
  end if;
end $$;

-- Makes a token that replaces another one. The first token that a person makes from one of the operator's becomes the person's own, if it
-- reaches beyond `team`. The operator's token ends at once.
-- @returns the channel of the new token, or null if the old one has ended or was replaced before.
create function sentinel.rotate_token(
  p_id text, p_new_id text, p_new_hash bytea, p_expires timestamptz, p_overlap interval, out p_channel text
) language plpgsql security definer set search_path = sentinel, pg_temp as $$
declare
  old tokens;
  is_own boolean;
begin
  select * into old from tokens t where t.id = p_id and t.replaced_by is null and is_valid(t) for update;
  if not found then return; end if;
  -- One rotation of the person at a time, so that two can't both be the first.
  perform pg_advisory_xact_lock(hashtextextended('sentinel rotate ' || length(old.tenant)::text || ' ' || old.tenant || ' ' || old.owner, 0));
  is_own := old.own or depth(old.channel) > depth('team')
    and not exists (select from tokens t where t.tenant = old.tenant and t.owner = old.owner and t.own);
  insert into tokens (id, hash, tenant, owner, channel, scope, own, expires_at)
  values (p_new_id, p_new_hash, old.tenant, old.owner, old.channel, old.scope, is_own, p_expires);
  update tokens set replaced_by = p_new_id,
    expires_at = least(expires_at, now() + case when old.own then p_overlap else interval '0' end)
  where id = p_id;
  p_channel := reach(is_own, old.channel);
end $$;

-- Writes the audit log. Only `rotate_token` inserts and updates tokens as sentinel_functions, and so on behalf of the person.
create function sentinel.audit_token() returns trigger language plpgsql set search_path = sentinel, pg_temp as $$
declare
  token tokens := coalesce(new, old);
begin
  insert into audit (tenant, person, by, act, token, what) values (
    token.tenant, token.owner,
    case when tg_op <> 'DELETE' and current_user = 'sentinel_functions' then token.owner end,
    case when tg_op = 'INSERT' then 'created' when tg_op = 'DELETE' then 'deleted'
      when new.revoked_at is distinct from old.revoked_at then 'revoked' else 'replaced' end,
    token.id,
    case when tg_op <> 'INSERT' then ''
      else concat('for ', new.scope, case when new.scope <> 'metrics' then ', up to ' || reach(new.own, new.channel) end, ', until ', new.expires_at) end);
  return null;
end $$;
create trigger audit_changed after insert or delete or update of revoked_at, replaced_by on sentinel.tokens
  for each row execute function sentinel.audit_token();

-- Returns the audit log of the person who holds a token.
create function sentinel.audit_for(p_id text) returns table (at timestamptz, person text, by text, act text, token text, what text)
language sql stable security definer set search_path = sentinel, pg_temp as $$
  select a.at, a.person, a.by, a.act, a.token, a.what
  from tokens t join audit a on a.tenant = t.tenant and a.person = t.owner
  where t.id = p_id order by a.at
$$;

-- Returns the version of a tenant's texts, and the texts if the caller knows another version. Lessons are for the team.
create function sentinel.shared_texts(p_tenant text, p_channel text, p_known int, out p_version int, out p_texts jsonb)
language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select n.texts_version, case when n.texts_version is distinct from p_known then
    case when depth(p_channel) < depth('team') then n.texts - 'memory_log.jsonl' else n.texts end end
  into p_version, p_texts
  from tenants n where n.name = p_tenant;
end $$;

-- Rights. Everybody may call a new function until that is revoked.

revoke all on all functions in schema sentinel from public;
grant usage on schema sentinel to sentinel_app, sentinel_functions;

do $$
declare
  name text;
begin
  foreach name in array array['events', 'chunks', 'chunk_totals', 'artifacts', 'purged'] loop
    -- A subquery is evaluated once per query, not once per row.
    execute format('create policy readers on sentinel.%I for select to sentinel_app using (
      tenant = (select sentinel.reading(''tenant''))
      and sentinel.may_read(owner, channel, (select sentinel.reading(''owner'')), (select sentinel.reading(''channel''))))', name);
    execute format('grant select on sentinel.%I to sentinel_app', name);
    execute format('grant select, insert, update, delete on sentinel.%I to sentinel_functions', name);
    execute format('alter table sentinel.%I enable row level security', name);
    execute format('alter table sentinel.%I force row level security', name);
    execute format('create policy functions on sentinel.%I to sentinel_functions using (true) with check (true)', name);
  end loop;
  -- The owner may export the events of a person whose tokens have all ended.
  foreach name in array array['events', 'artifacts'] loop
    execute format('create policy leaving on sentinel.%I for select to %I using (
      tenant = (select sentinel.reading(''tenant'')) and owner = (select sentinel.reading(''owner''))
      and not exists (
        select from sentinel.tokens t
        where t.tenant = sentinel.reading(''tenant'') and t.owner = sentinel.reading(''owner'') and sentinel.is_valid(t)))',
      name, current_user);
  end loop;
end $$;

grant select on sentinel.schema_version to sentinel_app;
grant select, insert, update, delete on sentinel.tokens to sentinel_functions;
grant select, delete on sentinel.tenants to sentinel_functions;
grant select, insert on sentinel.audit to sentinel_functions;
grant usage on sequence sentinel.append_order to sentinel_functions;

grant execute on function sentinel.depth, sentinel.may_read, sentinel.reading, sentinel.write_lock to sentinel_app, sentinel_functions;
grant execute on function sentinel.session_hash, sentinel.is_valid, sentinel.reach to sentinel_functions;
grant execute on function sentinel.append_events, sentinel.purge_events, sentinel.expire_events, sentinel.expire_artifacts,
  sentinel.expire_some, sentinel.search_chunks, sentinel.chunks_named, sentinel.find_token, sentinel.rotate_token,
  sentinel.audit_for, sentinel.shared_texts to sentinel_app;

-- Only a role that may create in the schema can own its functions, and only a member of it can give functions to it.
do $$
declare
  made regprocedure;
begin
  grant create on schema sentinel to sentinel_functions;
  execute format('grant sentinel_functions to %I', current_user);
  for made in
    select oid from pg_proc
    where pronamespace = 'sentinel'::regnamespace and (prosecdef or proname = 'is_needed')
  loop
    execute format('alter function %s owner to sentinel_functions', made);
  end loop;
  execute format('grant execute on function sentinel.remove_person, sentinel.delete_tenant to %I', current_user);
  execute format('revoke sentinel_functions from %I', current_user);
  revoke create on schema sentinel from sentinel_functions;
end $$;
