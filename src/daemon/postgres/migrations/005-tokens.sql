-- Who may call a daemon. Commands under the owner's role write it. A daemon finds a token by its id, through a function, and can neither list nor
-- change any.

create table sentinel.tenants (
  name text collate "C" primary key check (length(name) between 1 and 200),
  -- What is never stored for it, as a privacy.yaml says it.
  privacy text not null default '',
  created_at timestamptz not null default now()
);

create table sentinel.tokens (
  id text collate "C" primary key,
  -- SHA-256 of the secret.
  hash bytea not null check (length(hash) = 32),
  tenant text collate "C" not null references sentinel.tenants,
  owner text collate "C" not null check (length(owner) between 1 and 200),
  -- The most private that may be read and written.
  channel sentinel.channel not null,
  scope text collate "C" not null check (scope in ('write', 'read', 'metrics')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on sentinel.tokens (tenant);

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;
grant select on sentinel.tenants, sentinel.tokens to sentinel_functions;

-- In plpgsql, which plans it once a connection.
create function sentinel.find_token(
  p_id text, out p_hash bytea, out p_tenant text, out p_owner text, out p_channel text, out p_scope text, out p_privacy text
) language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select t.hash, t.tenant, t.owner, t.channel, t.scope, tenants.privacy
  into p_hash, p_tenant, p_owner, p_channel, p_scope, p_privacy
  from tokens t join tenants on tenants.name = t.tenant
  where t.id = p_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > now());
end $$;

alter function sentinel.find_token owner to sentinel_functions;
revoke all on function sentinel.find_token from public;
grant execute on function sentinel.find_token to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
