/** The index of a record, with processes that update it, read it, and are killed. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dayOf } from "../../src/sessions/files/day-files.ts";
import { LONG } from "../support/form.ts";
import { testFolder } from "../support/in-test.ts";
import { rankedBy, referenceSearch } from "../support/reference-search.ts";
import { INDEX_POINTS } from "./fault-points.ts";
import { EventProcess, openLog } from "./support/event-process.ts";
import { markedEvent, markIn } from "./support/marked-events.ts";

const BEFORE = 30;

async function furnish(folder: string, name = "before"): Promise<void> {
  await openLog(folder).append(
    Array.from({ length: BEFORE }, (_, at) => markedEvent(name, 1 + 8 * at)),
  );
}

async function mustBeAsWithout(folder: string): Promise<void> {
  const store = openLog(folder);
  const { notIndexed } = await store.search({ text: "before" });
  expect(notIndexed).toEqual({ days: [], bytes: 0 });
  const reference = await referenceSearch(store);
  for (const query of ["before", "printed by later", "before 9", "17 25"]) {
    expect(await rankedBy(store, query, 50)).toEqual(reference(query, 50));
  }
}

describe("an update of the index that is killed", () => {
  it.each(INDEX_POINTS)(
    "at %s costs nothing that is found, and the next one tidies up",
    async (point) => {
      const folder = testFolder();
      await furnish(folder);
      const first = new EventProcess(folder, { do: "index" });
      await first.ended();
      await furnish(folder, "later");
      const killed = new EventProcess(folder, { do: "index" }, { fault: `kill ${point}` });
      await killed.ended();
      expect(killed.said).toEqual([]);
      await mustBeAsWithout(folder);
      const next = new EventProcess(folder, { do: "index" });
      await next.ended();
      expect(next.said).toEqual([{}]);
      await mustBeAsWithout(folder);
      const names = readdirSync(join(folder, "index", "search"));
      expect(names).toEqual([expect.stringMatching(/^[0-9a-f]+\.v\d+\.words$/)]);
    },
  );
});

describe("an index on a disk that is full", () => {
  const FULL = { fault: "ENOSPC index-segment-staged 9" } as const;

  it("is made in memory by a search, and an update says what to do; the next one writes it", async () => {
    const folder = testFolder();
    await furnish(folder);
    // Their whole texts are too much to leave to every search.
    const long = Array.from({ length: 18 }, (_, at) => markedEvent("long", 7 * at));
    await openLog(folder).append(long);
    const searching = new EventProcess(folder, { do: "search", text: "long" }, FULL);
    await searching.ended();
    expect(searching.said).toEqual([
      { did: { marks: expect.arrayContaining(long.map(({ origin }) => origin)), missing: [] } },
    ]);
    const updating = new EventProcess(folder, { do: "index" }, FULL);
    await updating.ended();
    expect(updating.said).toEqual([
      {
        error: expect.objectContaining({
          code: "disk_full",
          fix: expect.stringContaining("space"),
        }),
      },
    ]);
    expect(readdirSync(join(folder, "index", "search"))).toEqual([]);
    const next = new EventProcess(folder, { do: "index" });
    await next.ended();
    expect(next.said).toEqual([{}]);
    await mustBeAsWithout(folder);
  });
});

describe("an index", () => {
  it("answers right while two processes update it, four read it, and others append and purge", async () => {
    const folder = testFolder();
    await furnish(folder);
    const before: { mark: string; day: string }[] = [];
    for await (const event of openLog(folder).read()) {
      before.push({ mark: markIn(event), day: dayOf(event) });
    }
    const times = LONG ? 40 : 12;
    const readers = Array.from({ length: 4 }, () => {
      return new EventProcess(folder, { do: "search", text: "before", times });
    });
    // What is whole is read at least once.
    await expect
      .poll(() => readers.every(({ said }) => said.length > 0), { timeout: 100_000 })
      .toBe(true);
    const running = [
      ...readers,
      new EventProcess(folder, { do: "index", times }),
      new EventProcess(folder, { do: "index", times }),
      new EventProcess(folder, { do: "append", name: "later", count: 20 * times, batch: 20 }),
      new EventProcess(folder, {
        do: "append",
        name: "doomed",
        session: "doomed",
        count: times,
        batch: 5,
      }),
      new EventProcess(folder, {
        do: "purge",
        target: { session: "doomed" },
        times: Math.ceil(times / 4),
      }),
    ];
    await Promise.all(running.map((process) => process.ended()));
    expect(running.flatMap(({ said }) => said.filter(({ error }) => error))).toEqual([]);
    for (const { said } of readers) {
      expect(said).toHaveLength(times);
      for (const { did } of said) {
        // An answer says of which days something is not indexed yet: a purge removes the segments of a whole day.
        const indexed = before
          .filter(({ day }) => !did?.missing.includes(day))
          .map(({ mark }) => mark);
        expect(did?.marks).toEqual(expect.arrayContaining(indexed));
      }
    }
    // Whoever updates it may have come to its end before the last append or purge.
    while (await openLog(folder).prepareSearch()) {}
    await mustBeAsWithout(folder);
  });
});
