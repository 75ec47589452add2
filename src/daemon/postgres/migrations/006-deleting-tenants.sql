-- Takes all out that a tenant has. The owner of the schema may call it, and nobody else: the policies hold for the owner, too.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

grant delete on sentinel.purged_sessions to sentinel_functions;

-- @returns how many events went.
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

alter function sentinel.delete_record owner to sentinel_functions;
revoke all on function sentinel.delete_record from public;
do $$ begin execute format('grant execute on function sentinel.delete_record to %I', current_user); end $$;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
