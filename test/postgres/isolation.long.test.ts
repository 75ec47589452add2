/** Two tenants with the same content, and two persons of one tenant: what one recorded for itself, no other gets, counts, or takes out. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Identity } from "../../src/daemon/postgres/database.ts";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { wholeOf } from "../../src/sessions/answers/page-answer.ts";
import {
  type Event,
  type EventDraft,
  identityIn,
  shortEventId,
} from "../../src/sessions/kinds/event.ts";
import { decisionsOf } from "../../src/sessions/projections/decisions.ts";
import { pinsOf } from "../../src/sessions/projections/pins.ts";
import { tasksOf } from "../../src/sessions/projections/tasks.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import { resolveIds } from "../../src/sessions/storing/named-ids.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { recordTablesOf } from "../support/catalogue.ts";
import { testPool } from "../support/postgres.ts";
import { onEachPostgres } from "../support/postgres-18.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const LONG = "a line of the output with a needle\n".repeat(1_000);
/** One event in each channel, one of them with an artifact. */
const CONTENT = [
  message("the red door", 0, { origin: "1", tags: ["topic:doors"] }),
  message("the red window", 1, { origin: "2", channel: "agent" }),
  message("the red mat", 2, {
    origin: "3",
    channel: "team",
    kind: "decision",
    content: { decision: "the red mat" },
  }),
  message("the red roof", 3, { origin: "4", channel: "public" }),
  message(LONG, 4, { origin: "5" }),
];

/** What a store tells by any of its methods, for a person who knows every id of somebody else. */
async function toldBy(store: EventStore, others: readonly Event[]): Promise<readonly unknown[]> {
  const ids = others.flatMap(({ id }) => [id, shortEventId(id)]);
  const artifacts = await Promise.all(others.flatMap(artifactsOf).map((id) => store.artifact(id)));
  return [
    ...(await all(store)),
    ...(await all(store, { refs: ids, session: "s1", newestFirst: true })),
    ...(await store.find(ids)),
    ...(
      await store.search({
        text: "red door window mat roof needle",
        limit: 50,
        withNeighbours: true,
      })
    ).hits,
    ...(await store.brief("recent")),
    ...(await store.brief("ledger")),
    ...artifacts.filter((text) => text !== undefined),
  ];
}

const NOTHING = { events: 0, kinds: {}, artifacts: 0 };

onEachPostgres((postgres) => {
  let database = "";
  let count = 0;
  let tenant = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });
  beforeEach(() => {
    tenant = `tenant ${++count}`;
  });

  function open(identity: Partial<Identity> = {}, more: object = { max: 2 }): EventStore {
    const pool = testPool(postgres(), "daemon", database, more);
    const whole = { tenant, owner: "ann", channel: "private", ...identity } as const;
    return postgresEventStore({ pool, ...whole, redactor: UNREDACTED, now: () => NOON });
  }

  describe("another tenant", () => {
    it("gets nothing by any method, takes nothing out, and counts nothing", async () => {
      const store = open();
      const events = (await store.append(CONTENT)) as Event[];
      const other = open({ tenant: `${tenant} too` });
      expect(await toldBy(other, events)).toEqual([]);
      expect(await other.statistics()).toMatchObject({
        events: 0,
        bytes: 0,
        purged: 0,
        indexed: { chunks: 0 },
      });
      expect((await other.search({ text: "door" })).chunks).toBe(0);
      const ids = events.map(({ id }) => id);
      for (const target of [{ ids }, { session: "s1" }, { text: "red" }, { text: "needle" }]) {
        expect(await other.toPurge(target)).toEqual(NOTHING);
        expect(await other.purge(target)).toEqual(NOTHING);
      }
      expect(await other.retain({ eventsDays: 0, artifactsDays: -1, artifactsBytes: 0 })).toEqual({
        events: 0,
        artifacts: 0,
        bytes: 0,
      });
      expect(await all(store)).toEqual(events);
      expect(await store.artifact(artifactsOf(events[4] as Event)[0] as string)).toBe(LONG);
    });

    it("with the same content has its own, and a purge of the one leaves the other", async () => {
      const [store, other] = [open(), open({ tenant: `${tenant} too` })];
      const [events, same] = await Promise.all([store.append(CONTENT), other.append(CONTENT)]);
      expect(same).toEqual(events);
      expect(await other.purge({ session: "s1" })).toMatchObject({ events: 5, artifacts: 1 });
      expect(await all(other)).toEqual([]);
      expect(await other.append(CONTENT)).toEqual(CONTENT.map(() => undefined));
      expect(await all(store)).toEqual(events);
      expect((await store.search({ text: "needle" })).hits[0]?.event).toEqual(events[4]);
      expect(await store.artifact(artifactsOf(events[4] as Event)[0] as string)).toBe(LONG);
      expect(await store.append([message("new", 9)])).not.toEqual([undefined]);
      expect((await store.statistics()).purged).toBe(0);
    });
  });

  describe("another person of the tenant", () => {
    const seen = { public: ["the red roof"], team: ["the red mat", "the red roof"] };

    it.each(["public", "team", "agent", "private"] as const)(
      "with a reader of %s sees what that may",
      async (channel) => {
        const events = (await open().append(CONTENT)) as Event[];
        const other = open({ owner: "bob", channel });
        const visible = events
          .filter(
            (event) =>
              event.channel === "public" || (event.channel === "team" && channel !== "public"),
          )
          .map((event) => ({ ...event, person: "ann" }));
        expect(await all(other)).toEqual(visible);
        expect(await other.find(events.map(({ id }) => id))).toEqual(visible);
        const words = visible.map(({ content }) => content.text ?? content.decision);
        expect(words).toEqual(channel === "public" ? seen.public : seen.team);
        const { hits, chunks } = await other.search({
          text: "red door window mat roof needle",
          limit: 50,
          withNeighbours: true,
        });
        expect([hits.map(({ event }) => event.id).sort(), chunks]).toEqual([
          visible.map(({ id }) => id).sort(),
          visible.length,
        ]);
        for (const { before, after } of hits) {
          for (const near of [before, after]) {
            if (near) {
              expect(visible).toContainEqual(near.event);
            }
          }
        }
        expect(await other.statistics()).toMatchObject({
          events: visible.length,
          artifactBytes: 0,
        });
        expect(await other.artifact(artifactsOf(events[4] as Event)[0] as string)).toBeUndefined();
        expect((await other.brief("ledger")).length).toBe(channel === "public" ? 0 : 1);
      },
    );

    it.each([
      ["public", 1],
      ["team", 2],
      ["agent", 3],
      ["private", 5],
    ] as const)("who recorded it reads as %s no more than that", async (channel, most) => {
      const events = (await open().append(CONTENT)) as Event[];
      const same = open({ channel });
      expect(await all(same)).toHaveLength(most);
      expect((await same.search({ text: "red needle", limit: 50 })).hits).toHaveLength(most);
      expect(await same.toPurge({ ids: events.map(({ id }) => id) })).toMatchObject({
        events: most,
      });
      expect(await same.purge({ session: "s1" })).toMatchObject({ events: most });
      expect(await all(open())).toHaveLength(5 - most);
    });

    it("takes nothing out that it did not record, and what it recorded of the same origin is its own", async () => {
      const [ann, bob] = [open(), open({ owner: "bob" })];
      const events = (await ann.append(CONTENT)) as Event[];
      for (const target of [
        { ids: events.map(({ id }) => id) },
        { session: "s1" },
        { text: "red" },
      ]) {
        expect(await bob.toPurge(target)).toEqual(NOTHING);
        expect(await bob.purge(target)).toEqual(NOTHING);
      }
      expect(
        await bob.retain({ eventsDays: 0, artifactsDays: -1, artifactsBytes: 0 }),
      ).toMatchObject({ events: 0 });
      expect(await all(ann)).toEqual(events);
      // A key that somebody else holds is neither refused nor taken over, and nothing tells that it is held.
      const earlier = CONTENT.map((draft) => ({
        ...draft,
        ts: "2026-11-21T11:00:00.000Z",
        channel: "private" as const,
        session: "s2",
      }));
      await bob.append(earlier);
      expect(await bob.purge({ session: "s2" })).toMatchObject({ events: 5, artifacts: 1 });
      expect(await all(ann)).toEqual(events);
      expect(await ann.artifact(artifactsOf(events[4] as Event)[0] as string)).toBe(LONG);
    });

    it.each([
      ["bob", "private"],
      ["ann", "team"],
    ] as const)(
      "%s, who reads %s, gets no id of what the team's rest on and only ann may see",
      async (owner, channel) => {
        const [ground, hidden, replaced, shown] = (await open().append([
          message(LONG, 0),
          message("the green door", 1, { channel: "agent" }),
          message("x", 2, { kind: "decision", content: { decision: "green" } }),
          message("the team's ground", 3, { channel: "team" }),
        ])) as [Event, Event, Event, Event];
        const artifact = artifactsOf(ground)[0] ?? "";
        const refs = [ground.id, hidden.id, `chk_${ground.id.slice(4)}_1`, artifact, shown.id];
        const made = (await open().append([
          message("x", 4, {
            kind: "decision",
            channel: "team",
            refs,
            content: { decision: "red", supersedes: [replaced.id] },
          }),
          message("x", 5, {
            kind: "pin",
            channel: "team",
            refs: [hidden.id],
            content: { ref: hidden.id, note: "doors" },
          }),
          message("x", 6, {
            kind: "handoff",
            channel: "team",
            refs: [],
            content: { to_agent: "codex", task: "doors", decisions: [replaced.id] },
          }),
        ])) as Event[];
        const told = JSON.stringify(await toldBy(open({ owner, channel }), [...made, shown]));
        for (const id of [ground.id, hidden.id, replaced.id]) {
          expect(told).not.toContain(identityIn(id));
        }
        expect(told).not.toContain(artifact);
        const [decision, pin, handoff] = await open({ owner, channel }).find(
          made.map(({ id }) => id),
        );
        expect([decision?.refs, decision?.content]).toEqual([[shown.id], { decision: "red" }]);
        expect([pin?.refs, pin?.content]).toEqual([[], { note: "doors" }]);
        expect(handoff?.content).toEqual({ to_agent: "codex", task: "doors" });
        expect(await open().find(made.map(({ id }) => id))).toEqual(made);
      },
    );

    it("replaces nothing that another keeps to themselves, though it knows the id", async () => {
      const ann = open();
      const made = (await ann.append([
        message("x", 0, { kind: "decision", content: { decision: "green" } }),
        message("x", 1, { kind: "pin", channel: "agent", content: { note: "the green door" } }),
        message("x", 2, {
          kind: "task_update",
          content: { task: "1", title: "paint", status: "open" },
        }),
        message("x", 3, { kind: "decision", channel: "team", content: { decision: "ours" } }),
      ])) as Event[];
      const [decision, pin, task, shared] = made.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ];
      const said = { session: "s2", channel: "team" } as const;
      await open({ owner: "bob" }).append([
        message("x", 4, {
          ...said,
          kind: "decision",
          content: { decision: "red", supersedes: [decision, shared] },
        }),
        message("x", 5, { ...said, kind: "pin", content: { removed: true, supersedes: pin } }),
        message("x", 6, {
          ...said,
          kind: "task_update",
          refs: [task],
          content: { title: "burn", status: "done" },
        }),
      ]);
      const ledger = await ann.brief("ledger");
      const decisions = decisionsOf(ledger).map(({ decision, status }) => [decision, status]);
      expect(decisions).toEqual([
        ["green", "active"],
        ["ours", "superseded"],
        ["red", "active"],
      ]);
      expect(pinsOf(ledger).map(({ text }) => text)).toEqual(["the green door"]);
      expect(tasksOf(ledger).map(({ title, status }) => [title, status])).toEqual([
        ["paint", "open"],
        ["burn", "done"],
      ]);
    });

    it("with a token for the team neither moves nor shuts out what the same person recorded in private", async () => {
      const [whole, narrow] = [open(), open({ channel: "team" })];
      const [mine] = (await whole.append([message("the red door", 5, { origin: "1" })])) as [Event];
      await narrow.append([message("the red door", 1, { origin: "1", channel: "team" })]);
      expect(await all(whole)).toEqual([mine]);
      await narrow.append([message("the red mat", 6, { channel: "team" })]);
      expect(await narrow.purge({ session: "s1" })).toMatchObject({ events: 1 });
      const again = await whole.append([
        message("the red mat", 7, { channel: "team" }),
        message("the red window", 8, { channel: "agent" }),
      ]);
      expect(again.map((event) => event?.content.text)).toEqual([undefined, "the red window"]);
      expect(await whole.purge({ session: "s1" })).toMatchObject({ events: 2 });
      expect(await whole.append([message("the red window", 9, { channel: "agent" })])).toEqual([
        undefined,
      ]);
    });

    it("leaves no whole text where an event moves to an earlier time and another channel", async () => {
      const draft = (minutes: number, more: object) =>
        message(`${minutes} ${LONG}`, minutes, { origin: "1", ...more });
      const [ann, bob] = [open(), open({ owner: "bob" })];
      const [forTeam] = (await ann.append([draft(5, { channel: "team" })])) as [Event];
      const [artifact = ""] = artifactsOf(forTeam);
      expect(await bob.artifact(artifact)).toBe(`5 ${LONG}`);
      await ann.append([draft(1, { channel: "private" })]);
      expect([await bob.artifact(artifact), await ann.artifact(artifact)]).toEqual([
        undefined,
        undefined,
      ]);
      // One that is not stored brings no text either.
      await ann.append([draft(6, { channel: "team" })]);
      expect(
        await bob.artifact(
          artifactsOf((await ann.append([draft(7, { channel: "team" })]))[0] as Event)[0] ?? "",
        ),
      ).toBe(undefined);
    });

    it("gives each person their own event where two share an id, and tells a third person whose they are", async () => {
      const [ann, bob, cat] = [open(), open({ owner: "bob" }), open({ owner: "cat" })];
      const more = { origin: "o", channel: "team" } as const;
      const [hers] = (await ann.append([message("hers", 5, more)])) as [Event];
      await bob.append([message("forged", 5, { ...more, session: "s2" })]);
      expect([(await wholeOf(hers.id, ann)).text, (await wholeOf(hers.id, bob)).text]).toEqual([
        "hers",
        "forged",
      ]);
      await expect(wholeOf(hers.id, cat)).rejects.toMatchObject({
        code: "ambiguous",
        message: expect.stringMatching(/\(ann\).*\(bob\)/),
      });
      const named = await resolveIds([hers.id, shortEventId(hers.id)], cat);
      expect([...named.keys()], "a whole id is known, a short one matches several").toEqual([
        hers.id,
      ]);
      // Under another time it has another id, and the same identity.
      await bob.append([message("earlier", 4, { ...more, session: "s2" })]);
      expect((await wholeOf(hers.id, ann)).text).toBe("hers");
      expect(await ann.purge({ ids: [hers.id] })).toMatchObject({ events: 1 });
      expect((await wholeOf(hers.id, ann)).text).toBe("earlier");
    });

    it("is told by every method who recorded what, who recorded it is not, and no draft says it", async () => {
      const forged = CONTENT.map(
        (draft) => ({ ...draft, channel: "team", person: "mallory" }) as EventDraft,
      );
      const events = (await open().append(forged)) as Event[];
      expect(events.map(({ hash }) => hash)).toEqual(
        (await open().append(CONTENT)).map((event) => event?.hash),
      );
      for (const store of [open(), open({ channel: "team" })]) {
        for (const told of [events, await toldBy(store, events)]) {
          expect(JSON.stringify(told)).not.toContain('"person"');
        }
      }
      const told = JSON.stringify(await toldBy(open({ owner: "bob" }), events));
      expect(told.split('"person":"ann"')).toHaveLength(told.split('"session"').length);
      expect(told).not.toContain("mallory");
      const { rows } = await testPool(postgres(), "admin", database).query(
        "select e::text as row from sentinel.events e where tenant = $1",
        [tenant],
      );
      expect([rows.length, JSON.stringify(rows)]).toEqual([
        CONTENT.length,
        expect.not.stringContaining("mallory"),
      ]);
    });

    it("gives scores that do not depend on what it recorded for itself", async () => {
      const [ann, bob] = [open(), open({ owner: "bob" })];
      await ann.append(CONTENT);
      const asked = { text: "red door heliotrope", withNeighbours: true };
      const before = await ann.search(asked);
      expect(before.hits.length).toBeGreaterThan(0);
      await bob.append(
        Array.from({ length: 30 }, (_, at) =>
          message(`the red heliotrope door ${at}`, at, { channel: "agent", session: "s2" }),
        ),
      );
      expect(await ann.search(asked)).toEqual(before);
    });
  });

  describe("the role of a daemon", () => {
    it("without a tenant reads no row of any table, also after a transaction that had one", async () => {
      const pool = testPool(postgres(), "daemon", database, { max: 1 });
      const whole = {
        tenant,
        owner: "ann",
        channel: "private",
        redactor: UNREDACTED,
        now: () => NOON,
      } as const;
      const store = postgresEventStore({ pool, ...whole });
      const tables = await recordTablesOf(pool);
      expect(tables).toContain("events");
      const nothing = async () => {
        for (const table of tables) {
          expect((await pool.query(`select * from sentinel.${table}`)).rows, table).toEqual([]);
        }
      };
      await store.append(CONTENT);
      await store.purge({ text: "window" });
      await nothing();
      expect(await all(store)).toHaveLength(4);
      await nothing();
      await pool.query("select set_config('sentinel.tenant', $1, false)", [tenant]);
      await nothing();
    });

    it("reads by key, through plans that another reader's calls made, only what its reader may see", async () => {
      const events = await open().append(CONTENT);
      const keys = events.map((event) => identityIn(event?.id ?? ""));
      const { rows } = await testPool(postgres(), "admin", database).query(
        "select owner, session_no, ts, key, part from sentinel.chunks where tenant = $1 order by ts, part",
        [tenant],
      );
      const client = await testPool(postgres(), "daemon", database, { max: 1 }).connect();
      // Also when it fails, because its pool waits for it.
      onTestFinished(() => client.release());
      const seenBy = async (reader: Partial<Identity>) => {
        await client.query("begin");
        for (const [name, value] of Object.entries(reader)) {
          await client.query("select set_config('sentinel.' || $1, $2, true)", [name, value]);
        }
        const count = async (from: string, values: readonly unknown[]) =>
          (await client.query(`select * from sentinel.${from}`, [...values])).rows.length;
        const seen = [
          await count("events where key = any ($1)", [keys]),
          await count("events where short = any ($1)", [keys.map((key) => key.slice(-8))]),
          await count("chunks_named($1, false, 100000000)", [JSON.stringify(rows)]),
        ];
        await client.query("commit");
        return seen;
      };
      for (let call = 0; call < 3; call++) {
        expect(await seenBy({ tenant, owner: "ann", channel: "private" })).toEqual([
          5,
          5,
          rows.length,
        ]);
        expect(await seenBy({ tenant, owner: "bob", channel: "private" })).toEqual([2, 2, 2]);
        expect(await seenBy({ tenant, owner: "ann", channel: "public" })).toEqual([1, 1, 1]);
        expect(await seenBy({ tenant: `${tenant} too`, owner: "ann", channel: "private" })).toEqual(
          [0, 0, 0],
        );
        expect(await seenBy({})).toEqual([0, 0, 0]);
      }
    });
  });

  describe("an odd name", () => {
    it("with NUL, half a character and SQL comes back as it was", async () => {
      const bite = `'; drop table sentinel.events; --" or '1'='1') $1 $$ \\' %s %I /* \\`;
      const store = open({ tenant: `${tenant} ${bite}`, owner: bite });
      const odd = `a\0b\ud800c\ufffed\ufffe0000${bite}`;
      const draft = message(odd, 0, {
        session: odd,
        agent: odd,
        refs: [odd],
        tags: [odd],
        origin: odd,
        place: { cwd: odd },
      });
      const [event] = await store.append([draft, message(`${odd}\n`.repeat(4_000), 1)]);
      expect(await all(store, { session: odd, refs: [odd] })).toEqual([event]);
      expect((await store.search({ text: odd })).hits).toHaveLength(2);
      expect(await store.toPurge({ session: odd })).toMatchObject({ events: 1 });
      expect(event).toMatchObject(draft);
      const [, long] = await all(store);
      expect(await store.artifact(artifactsOf(long as Event)[0] as string)).toBe(
        `${odd}\n`.repeat(4_000),
      );
      expect(await store.purge({ text: odd })).toMatchObject({ events: 2, artifacts: 1 });
      expect(identityIn(event?.id ?? "")).toHaveLength(16);
    });
  });
});
