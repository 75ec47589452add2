-- Who calls is a person of a group, and a group shares tenants. Persons are registered, a token is made by its person or by the operator, and
-- what happens to tokens and to what was recorded is noted for the person whom it concerns. Daemons and commands of the release before go on:
-- triggers fill in what they leave out.

-- A daemon's call locks them in this order, too: that prevents a deadlock.
lock table sentinel.tokens, sentinel.tenants;

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

alter table sentinel.tenants
  add column group_name text collate "C" check (length(group_name) between 1 and 200),
  -- So long everybody's events stay; for ever where it is null.
  add column keep_days int check (keep_days > 0);
update sentinel.tenants set group_name = name;
alter table sentinel.tenants alter column group_name set not null;
create index on sentinel.tenants (group_name);

create table sentinel.persons (
  group_name text collate "C" not null check (length(group_name) between 1 and 200),
  name text collate "C" not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  -- Since then a token exists that this person made: one that somebody else makes later cannot become such a token.
  own_since timestamptz,
  removed_at timestamptz,
  -- Who takes out for a person who was removed what that person recorded for the team.
  left_to text collate "C",
  primary key (group_name, name)
);

-- Tokens that are there are in use by their persons, so they count as their own.
alter table sentinel.tokens
  alter column tenant drop not null,
  add column group_name text collate "C",
  add column own boolean not null default false,
  add column replaced_by text collate "C",
  add column last_used_at timestamptz;
update sentinel.tokens set own = true, group_name = tenant;
insert into sentinel.persons (group_name, name, own_since)
select group_name, owner, case when bool_or(channel in ('agent', 'private')) then now() end from sentinel.tokens group by 1, 2;
alter table sentinel.tokens
  alter column group_name set not null,
  add foreign key (group_name, owner) references sentinel.persons;

-- What was done with tokens and with what was recorded. It says how much, and nothing of what it was.
create table sentinel.audit (
  group_name text collate "C" not null,
  at timestamptz not null default now(),
  -- Whom it concerns: all of the group where it is null.
  person text collate "C",
  -- Who did it: the operator where it is null.
  by text collate "C",
  act text collate "C" not null,
  what text not null
);
create index on sentinel.audit (group_name, at);

create function sentinel.fill_in_group() returns trigger language plpgsql set search_path = sentinel, pg_temp as $$
begin
  new.group_name := coalesce(new.group_name, new.name);
  return new;
end $$;
create function sentinel.fill_in_person() returns trigger language plpgsql set search_path = sentinel, pg_temp as $$
begin
  if new.group_name is null then
    select group_name into new.group_name from tenants where name = new.tenant;
    insert into persons (group_name, name) values (new.group_name, new.owner) on conflict do nothing;
  end if;
  return new;
end $$;
create trigger fill_in before insert on sentinel.tenants for each row execute function sentinel.fill_in_group();
create trigger fill_in before insert on sentinel.tokens for each row execute function sentinel.fill_in_person();
revoke all on function sentinel.fill_in_group, sentinel.fill_in_person from public;

grant select, update on sentinel.persons to sentinel_functions;
grant insert, update on sentinel.tokens to sentinel_functions;
grant select, insert on sentinel.audit to sentinel_functions;
grant execute on function sentinel.reading to sentinel_functions;

-- The most private that a token reads and records: what is one person's alone, only with a token that this person made.
create function sentinel.reach(own boolean, channel text) returns text language sql immutable parallel safe
  return case when own or sentinel.depth(channel) <= sentinel.depth('team') then channel else 'team' end;
revoke all on function sentinel.reach from public;
grant execute on function sentinel.reach to sentinel_functions;

create function sentinel.count_in_words(count bigint, noun text) returns text language sql immutable parallel safe
  return count || ' ' || noun || case count when 1 then '' else 's' end;
revoke all on function sentinel.count_in_words from public;
grant execute on function sentinel.count_in_words to sentinel_functions;

-- Where there is no such tenant nobody could read it.
create function sentinel.note(p_tenant text, p_person text, p_by text, p_act text, p_what text) returns void
language sql security definer set search_path = sentinel, pg_temp as $$
  insert into audit (group_name, person, by, act, what)
  select group_name, p_person, p_by, p_act, p_what || ' of ' || p_tenant from tenants where name = p_tenant
$$;

-- Who calls, and what for: the tenant that was asked for, or the only one; null where the token is good for others.
create function sentinel.find_caller(
  p_id text, p_asked text, out p_hash bytea, out p_tenant text, out p_owner text, out p_channel text, out p_scope text, out p_privacy text,
  out p_tenants text[], out p_own boolean, out p_unnoted boolean
) language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select t.hash, t.owner, reach(t.own, t.channel), t.scope, t.own,
    t.last_used_at is null or t.last_used_at < now() - interval '1 hour',
    array(select n.name from tenants n where n.group_name = t.group_name and n.name = coalesce(t.tenant, n.name) order by n.name)
  into p_hash, p_owner, p_channel, p_scope, p_own, p_unnoted, p_tenants
  from tokens t join persons p on p.group_name = t.group_name and p.name = t.owner and p.removed_at is null
  where t.id = p_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > now());
  select n.name, n.privacy into p_tenant, p_privacy from tenants n
  where n.name = any (p_tenants) and n.name = coalesce(p_asked, case cardinality(p_tenants) when 1 then p_tenants[1] end);
end $$;

-- For daemons of the release before, which know no group.
create or replace function sentinel.find_token(
  p_id text, out p_hash bytea, out p_tenant text, out p_owner text, out p_channel text, out p_scope text, out p_privacy text
) language sql stable security definer set search_path = sentinel, pg_temp as $$
  select p_hash, p_tenant, p_owner, p_channel, p_scope, p_privacy from find_caller(p_id, null) where p_tenant is not null
$$;

create function sentinel.note_use(p_id text) returns void language sql security definer set search_path = sentinel, pg_temp as $$
  update tokens set last_used_at = now() where id = p_id
$$;

-- Makes a token in place of one. The first that a person makes of what the operator made is the person's own, and the operator's ends at once.
-- @returns what it reads and records; null where the token is over, or has another in its place already.
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

-- What the holder of a token may read of the audit log: what concerns this person, or all of the group.
create function sentinel.audit_for(p_id text) returns table (at timestamptz, person text, by text, act text, what text)
language sql stable security definer set search_path = sentinel, pg_temp as $$
  select a.at, a.person, a.by, a.act, a.what
  from tokens t join audit a on a.group_name = t.group_name and (a.person is null or a.person = t.owner)
  where t.id = p_id order by a.at
$$;

-- Whose events for the team a person may take out besides.
create function sentinel.left_to(p_tenant text, p_person text) returns setof text
language sql stable security definer set search_path = sentinel, pg_temp as $$
  select p.name from persons p join tenants n on n.group_name = p.group_name
  where n.name = p_tenant and p.left_to = p_person and p.removed_at is not null order by p.name
$$;

-- Deletes what a person recorded for themselves. The owner of the schema may call it, and nobody else.
-- @returns how many events went.
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

-- Deletes the oldest day of events of one person that is over the time of its tenant.
-- @returns how many events went; null where none is over its time.
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

-- Whether a session is somebody else's, as the team sees it. Chunks answer for nearly all: events have to be looked for in each month.
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

-- Stores events, each key once; p_channel is the most private that its caller may read. The first four lists name the events of p_events, in
-- any order.
-- @returns the keys that are refused, because they were purged, and with = before them those that were stored already and stay as they are.
-- @raises SN001 for a person who was removed, SN002 where a session is one of somebody else, as the team sees it.
create or replace function sentinel.append_events(
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
  if exists (select from unnest(p_sessions) as given (session) group by session having is_foreign(p_tenant, p_owner, session)) then
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

  insert into chunks (tenant, owner, ts, key, part, channel, session_no, starts, ends, length, terms,
    repeated, frequencies)
  select p_tenant, p_owner, c.ts, c.key, c.part, c.channel, hashtextextended(c.session, 0), c.starts, c.ends, c.length,
    c.terms, c.repeated, c.frequencies
  from json_to_recordset(p_chunks) as c (
    ts timestamptz, key text, part int, channel text, session text, starts int, ends int, length int,
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

-- Takes events of a person out: those with these keys, or all of a session. With p_plan it only counts them.
create or replace function sentinel.purge_events(
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

-- Drops the events of a person from before a time. Unlike a purge it lets them come again.
create or replace function sentinel.expire_events(
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

do $$
declare
  name text;
begin
  foreach name in array array[
    'is_foreign', 'note', 'find_caller', 'note_use', 'rotate_token', 'audit_for', 'left_to', 'delete_private', 'expire_one_day']
  loop
    execute format('alter function sentinel.%I owner to sentinel_functions', name);
    execute format('revoke all on function sentinel.%I from public', name);
  end loop;
  foreach name in array array['find_caller', 'note_use', 'rotate_token', 'audit_for', 'left_to', 'expire_one_day'] loop
    execute format('grant execute on function sentinel.%I to sentinel_app', name);
  end loop;
  execute format('grant execute on function sentinel.delete_private to %I', current_user);
  -- What a person who was removed had recorded can be exported.
  foreach name in array array['events', 'event_keys', 'artifacts'] loop
    execute format('create policy leaving on sentinel.%I for select to %I using (
      tenant = (select sentinel.reading(''tenant'')) and owner = (select sentinel.reading(''owner''))
      and exists (
        select from sentinel.persons p join sentinel.tenants n on n.group_name = p.group_name
        where n.name = sentinel.reading(''tenant'') and p.name = sentinel.reading(''owner'') and p.removed_at is not null))',
      name, current_user);
  end loop;
end $$;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
