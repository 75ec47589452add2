-- What a window reads of events that came since a transaction, the first of them: it is read from its beginning where there are more.
create function sentinel.events_from(p_tx xid8, p_most int) returns setof sentinel.events
language plpgsql stable set search_path = sentinel, pg_temp set enable_seqscan = off set enable_sort = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from events e where e.tx >= p_tx order by e.tx, e.seq limit p_most;
end $$;

revoke all on function sentinel.events_from(xid8, int) from public;
grant execute on function sentinel.events_from(xid8, int) to sentinel_app;
