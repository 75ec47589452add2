-- A caller hears when the token ends.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

drop function sentinel.find_caller(text, text);

-- Who calls, and what for: the tenant that was asked for, or the only one; null where the token is good for others.
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

alter function sentinel.find_caller owner to sentinel_functions;
revoke all on function sentinel.find_caller from public;
grant execute on function sentinel.find_caller to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
