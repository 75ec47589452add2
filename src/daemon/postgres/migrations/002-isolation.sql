-- Who may read what. The daemon's own role belongs to `sentinel_app`: it reads under policies, and writes through functions alone. The
-- functions belong to `sentinel_functions`, which nobody logs in as. No one has a right on a partition, because the policies of the table
-- do not hold there.

do $$ begin
  create role sentinel_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  create role sentinel_functions nologin;
exception when duplicate_object or unique_violation then null;
end $$;

-- How private a channel is: 1 for what everybody may read.
create function sentinel.depth(channel text) returns int language sql immutable parallel safe
  return array_position(array['public', 'team', 'agent', 'private'], channel);

create function sentinel.may_read(of_owner text, of_channel text, reader text, deepest text) returns boolean
  language sql immutable parallel safe
  return sentinel.depth(of_channel) <= sentinel.depth(deepest)
    and (of_channel in ('public', 'team') or of_owner = reader);

-- A setting that a transaction made is '' after it and not null, on the same connection.
create function sentinel.reading(setting text) returns text language sql stable parallel safe
  return nullif(current_setting('sentinel.' || setting, true), '');

grant usage on schema sentinel to sentinel_app, sentinel_functions;
-- Everybody may call a new function until that is taken back.
revoke all on function sentinel.depth, sentinel.may_read, sentinel.reading from public;
grant execute on function sentinel.depth, sentinel.may_read to sentinel_app, sentinel_functions;
grant execute on function sentinel.reading to sentinel_app;

do $$
declare
  name text;
begin
  foreach name in array array['events', 'event_keys', 'chunks', 'chunk_totals', 'artifacts', 'dropped_days'] loop
    execute format('alter table sentinel.%I enable row level security', name);
    execute format('alter table sentinel.%I force row level security', name);
    -- Subqueries are worked out once a query and not once a row.
    execute format('create policy readers on sentinel.%I for select to sentinel_app using (
      tenant = (select sentinel.reading(''tenant''))
      and sentinel.may_read(owner, channel, (select sentinel.reading(''owner'')), (select sentinel.reading(''channel''))))', name);
    execute format('create policy functions on sentinel.%I to sentinel_functions using (true) with check (true)', name);
    execute format('grant select on sentinel.%I to sentinel_app', name);
    execute format('grant select, insert, update, delete on sentinel.%I to sentinel_functions', name);
  end loop;
end $$;

alter table sentinel.purged_sessions enable row level security;
alter table sentinel.purged_sessions force row level security;
create policy functions on sentinel.purged_sessions to sentinel_functions using (true) with check (true);
grant select, insert, update on sentinel.purged_sessions to sentinel_functions;

grant usage on sequence sentinel.event_order to sentinel_functions;
grant select on sentinel.migrations to sentinel_app;
grant execute on function sentinel.make_months to sentinel_app;
