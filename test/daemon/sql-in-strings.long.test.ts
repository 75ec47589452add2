/** SQL in every text that somebody can hand to a daemon or to its operator's commands is a text: it comes back as it was given. */
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type pg from "pg";
import { expect, it } from "vitest";
import { ENDPOINTS } from "../../src/daemon/http/endpoints.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import { message } from "../contracts/event-store.ts";
import { tablesOf } from "../support/catalogue.ts";
import { eventCalls } from "../support/daemon.ts";
import { type Operator, operatorOf } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";

const postgres = postgresOfFile();
const BITE = `'; drop table sentinel.events; --" or '1'='1') $1 $$ \\' {"a":1} %s %I /* \\`;
const LONG = `${BITE}\n`.repeat(2_000);
/** What the other tenant recorded. */
const OURS = "harmless";

interface Surroundings {
  readonly operator: Operator;
  readonly admin: pg.Pool;
  readonly url: string;
}

/** A daemon, and a tenant that minds its own business. */
async function surroundings(): Promise<Surroundings> {
  const operator = await operatorOf(postgres(), "acme");
  const admin = testPool(postgres(), "admin", operator.database, { max: 2 });
  const { url } = await operator.serve();
  const token = await operator.token("ann");
  const drafts = [
    message(OURS, 0, { channel: "public" }),
    message(`${OURS}\n`.repeat(2_000), 1, { channel: "team" }),
  ];
  expect((await eventCalls(url, token)("append", { drafts })).status).toBe(200);
  return { operator, admin, url };
}

/** Every row of a tenant, by its table. */
async function rowsOf(admin: pg.Pool, tenant: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of await tablesOf(admin)) {
    const sql = `select row::text from sentinel.${table} as row where to_jsonb(row) ->> $2 = $1 order by 1`;
    const found = await admin.query(sql, [tenant, table === "tenants" ? "name" : "tenant"]);
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}

const DRAFT = message(BITE, 0, {
  session: BITE,
  agent: BITE,
  actor: { type: "human", id: BITE },
  refs: [BITE],
  tags: [BITE],
  origin: BITE,
  place: { branch: BITE, cwd: BITE, worktree: BITE },
  content: { text: BITE, [BITE]: [BITE, { [BITE]: BITE }] },
});
/** What each call is asked, with a bite wherever a body may hold a text, and where it may not. */
const BITES: Readonly<Record<string, readonly object[]>> = {
  append: [
    { drafts: [DRAFT, message(LONG, 1, { origin: "long" })] },
    ...["kind", "channel", "sensitivity", "ts", "place"].map((field) => ({
      drafts: [{ ...DRAFT, [field]: BITE }],
    })),
    { drafts: [{ ...DRAFT, actor: { type: BITE, id: BITE } }] },
    { drafts: [{ ...DRAFT, [BITE]: BITE }] },
    { [BITE]: BITE },
  ],
  read: [
    { session: BITE, refs: [BITE] },
    { session: BITE, newestFirst: true },
    { refs: [BITE, BITE] },
    { from: BITE },
    { to: BITE },
    { from: `2026-11-21${BITE}` },
    { kinds: [BITE] },
  ],
  find: [{ ids: [BITE, `evt_${BITE}`, `evt_01ARYZ6S41${BITE}`, `chk_${BITE}_1`, `art_${BITE}`] }],
  search: [
    { text: BITE },
    { text: BITE, limit: 5, withNeighbours: true },
    { text: BITE, limit: BITE },
  ],
  brief: [{ window: BITE }, { window: "ledger" }],
  artifact: [{ id: BITE }, { id: `art_${BITE}` }],
  caller: [{}, { tenant: BITE }],
  statistics: [{}, { [BITE]: BITE }],
  "to-purge": [
    { target: { ids: [BITE] } },
    { target: { session: BITE } },
    { target: { text: BITE } },
    { target: BITE },
  ],
  retain: [{ eventsDays: BITE, artifactsDays: BITE, artifactsBytes: BITE }],
  "rotate-token": [{ overlapHours: BITE }],
  audit: [{ person: BITE }],
  purge: [
    { target: { ids: [BITE, `evt_${BITE}`] } },
    { target: { session: `${BITE} too` } },
    { target: { text: `${BITE}!` } },
  ],
};

it("a daemon runs no SQL that a call contains, whoever makes it", async () => {
  const { operator, admin, url } = await surroundings();
  const [before, tables] = [await rowsOf(admin, "acme"), await tablesOf(admin)];
  const ofEvents = [...ENDPOINTS.keys()].filter((path) => path.startsWith("events/"));
  expect(Object.keys(BITES).sort()).toEqual(ofEvents.map((path) => basename(path)).sort());
  await operator.run("tenant", "create", BITE);
  const call = eventCalls(url, await operator.tokenOf(BITE, BITE));
  const ask = async (name: string, body: object) => {
    const { status, body: said } = await call(name, body);
    const asked = `${name} ${JSON.stringify(body).slice(0, 200)}`;
    expect([200, 400], `${asked}: ${JSON.stringify(said).slice(0, 200)}`).toContain(status);
    expect(JSON.stringify(said), asked).not.toContain(OURS);
  };
  for (const [name, bodies] of Object.entries(BITES))
    for (const body of bodies) await ask(name, body);
  expect((await call("caller", {})).body).toMatchObject({ tenant: BITE, owner: BITE });
  const { body } = await call("read", { session: BITE });
  const [event, ...others] = (body as { events: Event[] }).events;
  expect([event, others]).toEqual([expect.objectContaining({ ...DRAFT, ts: event?.ts }), []]);
  const [, long] = ((await call("read", {})).body as { events: Event[] }).events;
  expect((await call("artifact", { id: artifactsOf(long as Event)[0] })).body).toEqual({
    text: LONG,
  });
  expect((await call("search", { text: BITE })).body).toMatchObject({ hits: [{}, {}] });
  expect((await call("find", { ids: [event?.id] })).body).toEqual({ events: [event] });
  for (const target of [{ text: BITE }, { session: BITE }])
    expect((await call("to-purge", { target })).body).toMatchObject({
      events: "text" in target ? 2 : 1,
    });
  expect((await call("purge", { target: { session: BITE } })).body).toMatchObject({ events: 1 });
  expect((await call("append", { drafts: [DRAFT] })).body).toEqual({ events: [null] });
  expect((await call("purge", { target: { text: BITE } })).body).toMatchObject({
    events: 1,
    artifacts: 1,
  });
  expect([await rowsOf(admin, "acme"), await tablesOf(admin)]).toEqual([before, tables]);
});

it("no command of an operator runs what stands in the name of a tenant or a person, an id, or a privacy.yaml", async () => {
  const { operator, admin, url } = await surroundings();
  const [before, tables] = [await rowsOf(admin, "acme"), await tablesOf(admin)];
  const word = "x'); delete from sentinel.tokens where ('a'='a";
  const file = join(testFolder(), "privacy.yaml");
  writeFileSync(file, JSON.stringify({ version: 1, never_store: { words: [word] } }));
  expect(await operator.run("tenant", "create", BITE)).toContain(`The tenant ${BITE} exists.`);
  const token = await operator.tokenOf(BITE, BITE);
  const [, id = ""] = token.split("_");
  expect(await operator.run("tenant", "set-privacy", file, "--tenant", BITE)).toContain(BITE);
  const append = await eventCalls(url, token)("append", { drafts: [message(`not ${word} here`)] });
  expect(append.body).toMatchObject({ events: [{ content: { text: "not [REDACTED] here" } }] });
  const { rows } = await admin.query(
    "select name, privacy from sentinel.tenants where name <> 'acme'",
  );
  expect(rows).toEqual([
    { name: BITE, privacy: JSON.stringify({ version: 1, never_store: { words: [word] } }) },
  ]);

  const listed = JSON.parse(await operator.run("token", "list", "--tenant", BITE, "--json"));
  expect(listed).toMatchObject([{ id, tenant: BITE, owner: BITE }]);
  expect(await operator.run("token", "list", "--tenant", BITE)).toContain(
    `${id}  ${BITE}, ${BITE}: own, write`,
  );
  const tenants = JSON.parse(await operator.run("tenant", "list", "--json"));
  expect(tenants.map(({ name }: { name: string }) => name).sort()).toEqual([BITE, "acme"].sort());
  for (const wrong of [
    ["token", "revoke", BITE],
    ["token", "create", "--tenant", `${BITE} too`, "--person", BITE],
    ["tenant", "set-privacy", file, "--tenant", `${BITE} too`],
    ["tenant", "delete", `${BITE} too`, "--name", `${BITE} too`],
  ])
    await expect(operator.run(...wrong), wrong.join(" ")).rejects.toThrow("error not_found");
  for (const wrong of [
    ["token", "create", "--tenant", BITE, "--person", BITE, "--expires", BITE],
    ["token", "create", "--tenant", BITE, "--person", BITE, "--expires", `2099-01-31${BITE}`],
  ])
    await expect(operator.run(...wrong), wrong.join(" ")).rejects.toThrow("error bad_argument");
  await expect(
    operator.run("token", "create", "--tenant", BITE, "--person", "x", "--channel", BITE),
  ).rejects.toThrow();
  expect(JSON.parse(await operator.run("token", "list", "--json"))).toHaveLength(2);

  expect(await operator.run("tenant", "delete", BITE, "--name", BITE)).toBe(
    `Deleted: the tenant ${BITE}, with 1 event.`,
  );
  expect([await rowsOf(admin, "acme"), await tablesOf(admin)]).toEqual([before, tables]);
});
