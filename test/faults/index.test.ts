/** The index of a record, with processes that update it, read it, and are killed. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { INDEX_POINTS } from "../../src/files/fault-points.ts";
import { LONG } from "../support/form.ts";
import { testFolder } from "../support/in-test.ts";
import { rankedBy, referenceSearch } from "../support/reference-search.ts";
import { EventProcess, openRecord } from "./support/event-process.ts";
import { markedEvent, markOf } from "./support/marked-events.ts";

const BEFORE = 30;

async function furnish(folder: string, name = "before"): Promise<void> {
  await openRecord(folder).append(Array.from({ length: BEFORE }, (_, at) => markedEvent(name, 1 + 8 * at)));
}

async function mustBeAsWithout(folder: string): Promise<void> {
  const store = openRecord(folder);
  const reference = await referenceSearch(store);
  for (const query of ["before", "printed by later", "before 9", "17 25"])
    expect(await rankedBy(store, query, 50)).toEqual(reference(query, 50));
}

describe("an update of the index that is killed", () => {
  it.each(INDEX_POINTS)("at %s costs nothing that is found, and the next one tidies up", async (point) => {
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
    expect(names.map((name) => name.replace(/^[0-9a-f]+/, "")).sort()).toEqual([".segment", "manifest.json"]);
  });
});

describe("an index", () => {
  it("answers right while two processes update it, four read it, and others append and purge", async () => {
    const folder = testFolder();
    await furnish(folder);
    const times = LONG ? 300 : 12;
    const readers = Array.from({ length: 4 }, () => {
      return new EventProcess(folder, { do: "search", text: "before", times });
    });
    const running = [
      ...readers,
      new EventProcess(folder, { do: "index", times }),
      new EventProcess(folder, { do: "index", times }),
      new EventProcess(folder, { do: "append", name: "later", count: 20 * times, batch: 20 }),
      new EventProcess(folder, { do: "append", name: "doomed", session: "doomed", count: times, batch: 5 }),
      new EventProcess(folder, { do: "purge", target: { session: "doomed" }, times: Math.ceil(times / 4) }),
    ];
    await Promise.all(running.map((process) => process.ended()));
    expect(running.flatMap(({ said }) => said.filter(({ error }) => error))).toEqual([]);
    const marks = Array.from({ length: BEFORE }, (_, at) => markOf("before", 1 + 8 * at)).sort();
    for (const { said } of readers) {
      expect(said).toHaveLength(times);
      // An answer says what is not indexed yet: a purge removes the segments of a whole day.
      const whole = said.filter(({ did }) => did?.missing === 0);
      expect(whole.length).toBeGreaterThan(0);
      // Neighbours of what matches are found too.
      const matching = whole.map(({ did }) => did?.marks.filter((mark) => mark.startsWith("<before")));
      for (const found of matching) expect([...new Set(found)].sort()).toEqual(marks);
    }
    await mustBeAsWithout(folder);
  });
});
