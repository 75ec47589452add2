-- What changes the record. Each function names the tenant and the person in every statement: its role sees all rows.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- Writers of a person share it; what takes events out has it alone.
create function sentinel.write_lock(p_tenant text, p_owner text) returns bigint language sql immutable
  return hashtextextended('sentinel write ' || length(p_tenant) || ' ' || p_tenant || ' ' || p_owner, 0);

create function sentinel.session_hash(p_tenant text, p_owner text, p_session text) returns bytea language sql immutable
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

-- Whether any event has an artifact.
create function sentinel.is_needed(artifact sentinel.artifacts) returns boolean language sql stable
  return exists (
    select from sentinel.events e
    where e.tenant = artifact.tenant and e.owner = artifact.owner and e.channel = artifact.channel
      and e.artifacts <> '{}' and e.artifacts && array[artifact.id]);

-- Stores events, each key once; p_channel is the most private that its caller may read. The first four lists name the events of p_events, in
-- any order.
-- @returns the keys that are refused, because they were purged.
create function sentinel.append_events(
  p_tenant text, p_owner text, p_channel text, p_keys text[], p_times timestamptz[], p_channels text[], p_sessions text[],
  p_events json, p_chunks json, p_artifacts json, p_now timestamptz
) returns text[] language plpgsql security definer set search_path = sentinel, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  refused text[];
  accepted text[];
  known record;
  left_behind text[] := '{}';
begin
  perform pg_advisory_xact_lock_shared(write_lock(p_tenant, p_owner));

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

  return refused;
end $$;

-- Takes events of a person out: those with these keys, or all of a session. With p_plan it only counts them.
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
  if p_session is not null and going_keys is not null then
    insert into purged_sessions as known (tenant, owner, hash, channel)
    values (p_tenant, p_owner, session_hash(p_tenant, p_owner, p_session), p_channel)
    on conflict (tenant, owner, hash) do update set channel = excluded.channel where depth(excluded.channel) > depth(known.channel);
  end if;
end $$;

-- Drops the events of a person from before a time. Unlike a purge it lets them come again.
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
end $$;

-- Drops artifacts of a person: those that no event has, and those given, unless they were used since.
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
    returning pg_column_size(a.text) as bytes
  )
  select count(*), coalesce(sum(bytes), 0) into p_artifacts, p_bytes from gone;
end $$;

alter function sentinel.count_added_chunks owner to sentinel_functions;
alter function sentinel.count_gone_chunks owner to sentinel_functions;
alter function sentinel.note_dropped_days owner to sentinel_functions;
alter function sentinel.is_needed owner to sentinel_functions;
alter function sentinel.append_events owner to sentinel_functions;
alter function sentinel.purge_events owner to sentinel_functions;
alter function sentinel.expire_events owner to sentinel_functions;
alter function sentinel.expire_artifacts owner to sentinel_functions;

revoke all on function sentinel.write_lock, sentinel.session_hash from public;
grant execute on function sentinel.write_lock to sentinel_app, sentinel_functions;
grant execute on function sentinel.session_hash to sentinel_functions;
revoke all on function sentinel.count_added_chunks, sentinel.count_gone_chunks, sentinel.note_dropped_days from public;
revoke all on function sentinel.is_needed, sentinel.append_events, sentinel.purge_events, sentinel.expire_events, sentinel.expire_artifacts
  from public;
grant execute on function sentinel.append_events, sentinel.purge_events, sentinel.expire_events, sentinel.expire_artifacts
  to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
