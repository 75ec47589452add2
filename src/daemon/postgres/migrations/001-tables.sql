-- The record on PostgreSQL (docs/design/daemon.md, "The session log on PostgreSQL"). Every row says whose it is: its tenant, the person who recorded it, and
-- where it can be read, the channel. Names are compared byte by byte, as the file store does.

create domain sentinel.channel as text collate "C"
  check (value in ('private', 'team', 'agent', 'public'));

create sequence sentinel.event_order;

-- The id of an event is its time and its key, see event.ts.
create table sentinel.events (
  tenant text collate "C" not null check (tenant <> ''),
  owner text collate "C" not null check (owner <> ''),
  ts timestamptz not null,
  key text collate "C" not null check (length(key) = 16),
  -- In which order events of one millisecond came.
  seq bigint not null default nextval('sentinel.event_order'),
  -- Which transaction stored it: what follows the record reads up to the oldest one that is still open.
  tx xid8 not null default pg_current_xact_id(),
  session text collate "C" not null check (session <> ''),
  -- A name may be longer than an index takes.
  session_no bigint not null generated always as (hashtextextended(session, 0)) stored,
  agent text collate "C" not null check (agent <> ''),
  channel sentinel.channel not null,
  actor_type text collate "C" not null check (actor_type in ('human', 'agent', 'tool')),
  actor_id text collate "C" not null check (actor_id <> ''),
  kind text collate "C" not null check (kind in (
    'message', 'tool_call', 'tool_result', 'decision', 'summary', 'task_update', 'artifact', 'session', 'pin', 'handoff')),
  sensitivity text collate "C" not null check (sensitivity in ('none', 'low', 'high', 'secret')),
  refs text[] collate "C" not null,
  tags text[] collate "C" not null,
  -- The artifacts that its content names.
  artifacts text[] collate "C" not null,
  origin text collate "C",
  place json,
  hash text collate "C" not null check (hash like 'sha256:%'),
  -- Not jsonb, which refuses \u0000 and does not keep the text that was hashed.
  content json not null check (json_typeof(content) = 'object'),
  primary key (tenant, ts, owner, key)
) partition by range (ts);

create index on sentinel.events (tenant, session_no, ts);
create index on sentinel.events (tenant, tx, seq);
create index on sentinel.events (tenant, ts) where kind in ('decision', 'task_update', 'pin', 'handoff');
create index on sentinel.events using gin (artifacts) where artifacts <> '{}';

-- No clock is so wrong that an event is lost.
create table sentinel.events_default partition of sentinel.events default;

-- One key is one event of a person, in whatever month. A key without a time was purged.
create table sentinel.event_keys (
  tenant text collate "C" not null,
  key text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  ts timestamptz,
  short text collate "C" not null generated always as (right(key, 8)) stored,
  primary key (tenant, key, owner)
);
create index on sentinel.event_keys (tenant, short);

-- The parts of events that searches find. The words are kept as numbers that say nothing without the word, its tenant and its readers.
-- No foreign key leads to the events: looking it up takes as long as all else, and what writes or deletes events does so with chunks.
create table sentinel.chunks (
  tenant text collate "C" not null,
  ts timestamptz not null,
  owner text collate "C" not null,
  key text collate "C" not null,
  part int not null check (part > 0),
  channel sentinel.channel not null,
  session_no bigint not null,
  -- Where it stands in the text of its event, in UTF-16.
  starts int not null,
  ends int not null,
  -- In terms, repetitions included.
  length int not null,
  terms bigint[] not null,
  -- The terms that it holds more than once, and how often: most stand there once, and a long list takes long to look through.
  repeated bigint[] not null,
  frequencies smallint[] not null check (cardinality(frequencies) = cardinality(repeated)),
  primary key (tenant, ts, owner, key, part)
);
create index on sentinel.chunks using gin (terms);
create index on sentinel.chunks (tenant, owner, session_no, ts, key, part);

-- How many chunks there are, so that no search counts them, and how many ever went. Writers that come at once take different shards.
create table sentinel.chunk_totals (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  shard int not null,
  chunks bigint not null,
  length bigint not null,
  gone bigint not null default 0,
  primary key (tenant, owner, channel, shard)
) with (fillfactor = 50);

-- Texts that were cut, whole. One that two people have is there twice, so that nobody learns of the other's.
create table sentinel.artifacts (
  tenant text collate "C" not null,
  id text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  text text collate "C" not null,
  used_at timestamptz not null,
  primary key (tenant, id, owner, channel)
);
create index on sentinel.artifacts (tenant, owner, used_at);

-- Days from which events went: what follows the record reads them again.
create table sentinel.dropped_days (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  channel sentinel.channel not null,
  day date not null,
  tx xid8 not null default pg_current_xact_id()
);
create index on sentinel.dropped_days (tenant, tx);

-- Sessions that were purged whole, up to a channel: nothing of them is taken again.
create table sentinel.purged_sessions (
  tenant text collate "C" not null,
  owner text collate "C" not null,
  hash bytea not null,
  channel sentinel.channel not null,
  primary key (tenant, owner, hash)
);

-- Makes the partitions of the months around a time, a year back and three months ahead. A month of which events are in the default
-- partition already stays there.
create function sentinel.make_months(around timestamptz default now()) returns void
language plpgsql security definer set search_path = sentinel, pg_temp set timezone = 'UTC' as $$
declare
  month timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('sentinel months', 0));
  for month in select generate_series(
    date_trunc('month', around) - interval '12 months', date_trunc('month', around) + interval '3 months', interval '1 month')
  loop
    continue when to_regclass('sentinel.events_' || to_char(month, 'YYYY_MM')) is not null;
    begin
      execute format('create table events_%s partition of events for values from (%L) to (%L)',
        to_char(month, 'YYYY_MM'), month, month + interval '1 month');
    exception when check_violation then null;
    end;
  end loop;
end $$;
revoke all on function sentinel.make_months from public;
