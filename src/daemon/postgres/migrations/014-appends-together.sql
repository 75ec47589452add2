-- Appends that come at the same moment cost less: events of several persons in one transaction, where nothing speaks against them.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- Stores new events of sessions that their persons have already; the rest is left to `append_events`. All lists and p_events are in one order.
-- It waits for no purge of one of the persons, since the others would wait with it.
-- @returns the places of what it stored, from 1 on.
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

alter function sentinel.append_together owner to sentinel_functions;
revoke all on function sentinel.append_together from public;
grant execute on function sentinel.append_together to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
