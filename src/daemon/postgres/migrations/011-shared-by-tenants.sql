-- What a tenant shares besides its session log: views and policies that its operator set, and lessons that a clone pushed.

-- By the names of their files, as `.context` has them; an empty one is not there.
alter table sentinel.tenants add column texts jsonb not null default '{}' check (jsonb_typeof(texts) = 'object');

-- For tokens that push lessons and do nothing else.
alter table sentinel.tokens drop constraint tokens_scope_check;
alter table sentinel.tokens add constraint tokens_scope_check check (scope in ('write', 'read', 'metrics', 'lessons'));

-- Lines of a memory_log.jsonl, in no order: all of a tenant are read at once.
create table sentinel.lessons (
  tenant text collate "C" not null references sentinel.tenants on delete cascade,
  line text collate "C" not null
);
create index on sentinel.lessons (tenant);

-- The last one says what the lessons are of; a commit that was pushed before it is an old one.
create table sentinel.lesson_pushes (
  tenant text collate "C" not null references sentinel.tenants on delete cascade,
  commit text collate "C" not null check (commit ~ '^[0-9a-f]{40,64}$'),
  -- 1 for the first.
  number int not null check (number > 0),
  owner text collate "C" not null,
  pushed_at timestamptz not null default now(),
  primary key (tenant, commit),
  unique (tenant, number)
);

alter table sentinel.lessons enable row level security;
alter table sentinel.lessons force row level security;
alter table sentinel.lesson_pushes enable row level security;
alter table sentinel.lesson_pushes force row level security;
-- They are the team's: who reads what is public alone sees none.
create policy readers on sentinel.lessons for select to sentinel_app using (
  tenant = (select sentinel.reading('tenant'))
  and (select sentinel.depth(sentinel.reading('channel')) >= sentinel.depth('team')));
create policy functions on sentinel.lessons to sentinel_functions using (true) with check (true);
create policy functions on sentinel.lesson_pushes to sentinel_functions using (true) with check (true);
grant select on sentinel.lessons to sentinel_app;
grant select, insert, delete on sentinel.lessons to sentinel_functions;
grant select, insert, update on sentinel.lesson_pushes to sentinel_functions;

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The texts of a tenant, and its last push: 0 and null before the first.
create function sentinel.shared_by(p_tenant text, out p_texts jsonb, out p_number int, out p_commit text)
language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
begin
  select texts into p_texts from tenants where name = p_tenant;
  select number, commit into p_number, p_commit from lesson_pushes where tenant = p_tenant order by number desc limit 1;
  p_number := coalesce(p_number, 0);
end $$;

-- Leaves these lines and no others. @returns whether it did: not where another push came after `p_after`, nor where the commit came before it.
create function sentinel.push_lessons(p_tenant text, p_owner text, p_after int, p_commit text, p_lines text[]) returns boolean
language plpgsql security definer set search_path = sentinel, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sentinel lessons ' || p_tenant, 0));
  if p_after <> coalesce((select max(number) from lesson_pushes where tenant = p_tenant), 0)
    or exists (select from lesson_pushes where tenant = p_tenant and commit = p_commit and number < p_after) then
    return false;
  end if;
  delete from lessons as of where tenant = p_tenant and not exists (select from unnest(p_lines) as line where line = of.line);
  insert into lessons select p_tenant, line from unnest(p_lines) as line
    where not exists (select from lessons as of where of.tenant = p_tenant and of.line = line.line);
  insert into lesson_pushes (tenant, commit, number, owner) values (p_tenant, p_commit, p_after + 1, p_owner)
    on conflict (tenant, commit) do update set number = excluded.number, owner = excluded.owner, pushed_at = excluded.pushed_at;
  return true;
end $$;

alter function sentinel.shared_by owner to sentinel_functions;
alter function sentinel.push_lessons owner to sentinel_functions;
revoke all on function sentinel.shared_by, sentinel.push_lessons from public;
grant execute on function sentinel.shared_by, sentinel.push_lessons to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
