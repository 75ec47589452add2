/** What the tables refuse by themselves, whatever a writer of ours forgot to look at. */
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import type { TokenOptions } from "../../src/daemon/http/caller.ts";
import { CHANNELS, KINDS } from "../../src/sessions/kinds/event.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const SCOPES = ["write", "read", "metrics"] as const satisfies TokenOptions["scope"][];
const TS = "2026-11-21T12:00:00Z";
const OF_ANN = { tenant: "acme", owner: "ann", channel: "private" };
type Row = Readonly<Record<string, unknown>>;

/** A row of each table that has a CHECK, which it takes. */
const ROWS: Readonly<Record<string, Row>> = {
  events: {
    ...OF_ANN,
    ts: TS,
    key: "0123456789ABCDEF",
    session: "s1",
    seq: 1,
    kind: "message",
    refs: [],
    tags: [],
    artifacts: [],
    event: "{}",
  },
  chunks: {
    ...OF_ANN,
    ts: TS,
    key: "0123456789ABCDEF",
    part: 1,
    session_no: 1,
    starts: 0,
    ends: 1,
    length: 1,
    terms: "'a'",
    repeats: {},
  },
  chunk_totals: { ...OF_ANN, shard: 0, chunks: 1, length: 1 },
  artifacts: { ...OF_ANN, id: "art_1", text: "x", used_at: TS },
  purged: { ...OF_ANN, mark: "0123456789ABCDEF" },
  tenants: { name: "other" },
  tokens: {
    ...OF_ANN,
    id: "0123456789abcdef",
    hash: Buffer.alloc(32),
    scope: "write",
  },
};

/** Columns that hold one of a few words. */
const WORDS: readonly (readonly [column: string, words: readonly string[]])[] = [
  ...["events", "chunks", "chunk_totals", "artifacts", "purged", "tokens"].map(
    (table) => [`${table}.channel`, CHANNELS] as const,
  ),
  ["events.kind", KINDS],
  ["tokens.scope", SCOPES],
];

/** What else is refused. */
const REFUSED: readonly (readonly [column: string, value: unknown])[] = [
  ["tenants.texts", "[]"],
  ["events.tenant", ""],
  ["events.owner", ""],
  ["events.key", "short"],
  ["events.session", ""],
  ["events.event", "[]"],
  ["events.event", "7"],
  ["chunks.part", 0],
  ["tenants.name", ""],
  ["tenants.name", "x".repeat(201)],
  ["tenants.keep_days", 0],
  ["tokens.hash", Buffer.alloc(31)],
  ["tokens.owner", ""],
  ["tokens.owner", "x".repeat(201)],
];

/** What the database says to a row with another value in a column: `taken`, or the code and the CHECK that refused it. */
async function saidTo(client: pg.Pool, column: string, value: unknown): Promise<string> {
  const [table = "", name = ""] = column.split(".");
  const row = { ...ROWS[table], [name]: value };
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  await client.query("begin");
  try {
    // A token needs its tenant.
    if (table === "tokens") {
      await client.query("insert into sentinel.tenants (name) values ('acme')");
    }
    await client.query(
      `insert into sentinel.${table} (${Object.keys(row)}) values (${places})`,
      Object.values(row) as unknown[],
    );
    return "taken";
  } catch (error) {
    const { code, constraint } = error as pg.DatabaseError;
    return `${code} ${constraint}`;
  } finally {
    await client.query("rollback");
  }
}

/** One connection as a superuser: no policy, no right and no function of ours stands before the tables. */
const superuser = () => testPool(postgres(), "admin", database, { max: 1 });

describe("a row that is written past the store", () => {
  it("is taken with every word that the code has for its column, and with no other", async () => {
    const client = superuser();
    for (const [column, words] of WORDS) {
      for (const word of words) {
        expect(await saidTo(client, column, word), `${column} ${word}`).toBe("taken");
      }
      for (const other of ["", "banana", words[0]?.toUpperCase(), ` ${words[0]}`]) {
        expect(await saidTo(client, column, other), `${column} ${other}`).toMatch(/^23514 /);
      }
    }
  });

  it("is refused where it has no name, a wrong key, an event that is not an object, or half of a list: each CHECK of the schema once", async () => {
    const client = superuser();
    const said = new Set<string>();
    for (const [column] of WORDS) {
      said.add(await saidTo(client, column, "banana"));
    }
    for (const [column, value] of REFUSED) {
      const answer = await saidTo(client, column, value);
      expect(answer, `${column} ${value}`).toMatch(/^23514 /);
      said.add(answer);
    }
    const { rows } = await client.query<{ name: string }>(
      `select distinct conname as name from pg_constraint c
       where connamespace = 'sentinel'::regnamespace and contype = 'c' and coninhcount = 0`,
    );
    expect([...said].sort()).toEqual(rows.map(({ name }) => `23514 ${name}`).sort());
  });
});

it("every channel is of one type, and its words are tried above", async () => {
  const { rows } = await superuser().query<{ column: string; type: string }>(
    `select relname || '.channel' as column, format_type(atttypid, atttypmod) as type
     from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = 'sentinel'::regnamespace and attname = 'channel' and relkind = 'r' order by 1`,
  );
  const tried = WORDS.flatMap(([column]) => (column.endsWith(".channel") ? [column] : []));
  expect(rows).toEqual(tried.sort().map((column) => ({ column, type: "sentinel.channel" })));
});

it("the words that a CHECK lists are those of the code", async () => {
  const client = superuser();
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = 'sentinel'::regnamespace and contype = 'c' and coninhcount = 0
       and pg_get_constraintdef(oid) like '%ARRAY[%'`,
  );
  const listed = rows.map(({ name, definition }) => [
    name,
    [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word).sort(),
  ]);
  expect(Object.fromEntries(listed)).toEqual({
    channel_check: [...CHANNELS].sort(),
    events_kind_check: [...KINDS].sort(),
    tokens_scope_check: [...SCOPES].sort(),
  });
});
