-- What every bundle reads. Events are in a partition for each month, and to plan for all of them takes longer than to read a few: the plans of
-- functions are kept with their connection. They read under the policies of who calls. A plan that was made while a month was empty must
-- not go through all of it later, so none does.

-- The events with these keys, or with ids that end so.
create function sentinel.events_named(p_keys text[], p_shorts text[]) returns setof sentinel.events
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from events e where (e.ts, e.owner, e.key) in (
    select k.ts, k.owner, k.key from event_keys k where k.key = any (p_keys) or k.short = any (p_shorts));
end $$;

-- What was stored by a transaction or after it, whatever its time.
create function sentinel.events_since(p_tx xid8) returns setof sentinel.events
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from events e where e.tx >= p_tx;
end $$;

-- Chunks with their events; p_with_neighbours, also the nearest chunks of other events of the session. In order, and no more than have p_bytes
-- of content together.
create function sentinel.chunks_named(
  p_owners text[], p_sessions bigint[], p_times timestamptz[], p_keys text[], p_parts int[], p_with_neighbours boolean, p_bytes int
) returns table (n int, side text, part int, starts int, ends int, event sentinel.events)
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select found.n, found.side, found.part, found.starts, found.ends, found.event from (
    select of.n::int, near.*, named.event, sum(octet_length((named.event).content::text)) over (order by of.n) as bytes
    from unnest(p_owners, p_sessions, p_times, p_keys, p_parts) with ordinality as of (owner, session_no, ts, key, part, n)
    cross join lateral (
      select 'hit' as side, c.ts, c.key, c.part, c.starts, c.ends from chunks c
      where c.owner = of.owner and c.ts = of.ts and c.key = of.key and c.part = of.part
      union all
      (select 'before', c.ts, c.key, c.part, c.starts, c.ends from chunks c
       where p_with_neighbours and c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key) < (of.ts, of.key)
       order by c.ts desc, c.key desc, c.part desc limit 1)
      union all
      (select 'after', c.ts, c.key, c.part, c.starts, c.ends from chunks c
       where p_with_neighbours and c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key) > (of.ts, of.key)
       order by c.ts, c.key, c.part limit 1)
    ) as near
    -- The limit keeps the planner from reading all events for a join.
    cross join lateral (
      select e as event from events e where e.owner = of.owner and e.ts = near.ts and e.key = near.key limit 1
    ) as named
  ) as found
  where found.bytes <= p_bytes
  order by found.n;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['events_named', 'events_since', 'chunks_named'] loop
    execute format('revoke all on function sentinel.%I from public', name);
    execute format('grant execute on function sentinel.%I to sentinel_app', name);
  end loop;
end $$;
