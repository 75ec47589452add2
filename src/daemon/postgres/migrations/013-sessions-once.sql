-- What an append asks costs less: whether a session is somebody else's once for each session, and not for each event.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The same numbers and hashes as before. PostgreSQL puts a function in the place of its call only where nothing within is less certain than it
-- says of itself, and plans it for each statement otherwise: an integer before || is, and so is convert_to.
create or replace function sentinel.write_lock(p_tenant text, p_owner text) returns bigint language sql immutable
  return hashtextextended('sentinel write ' || length(p_tenant)::text || ' ' || p_tenant || ' ' || p_owner, 0);

create or replace function sentinel.session_hash(p_tenant text, p_owner text, p_session text) returns bytea language sql stable
  return sha256(convert_to(length(p_tenant) || ' ' || p_tenant || ' ' || length(p_owner) || ' ' || p_owner || ' ' || p_session, 'UTF8'));

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

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
