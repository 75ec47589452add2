-- Searches find what long texts hold beyond what their events show. Events that were stored before stay as they were.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- In which artifact a part stands that its event does not show; starts and ends are characters of it then.
alter table sentinel.chunks add column artifact text collate "C";
create index on sentinel.chunks (tenant, artifact) where artifact is not null;

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

-- Drops artifacts that were last used then, and those that no event has, with the parts of them that searches found.
create or replace function sentinel.expire_artifacts(
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

drop function sentinel.chunks_named;
-- Chunks with their events; p_with_neighbours, also the nearest chunks of other events of the session. In order, and no more than have p_bytes
-- of content together. hidden is the text of one that stands in an artifact.
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

revoke all on function sentinel.chunks_named from public;
grant execute on function sentinel.chunks_named to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
