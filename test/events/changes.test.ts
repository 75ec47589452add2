/** Projections that follow the files of a session log. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { changesSince } from "../../src/sessions/files/changes.ts";
import { logFiles } from "../../src/sessions/files/log-files.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { message, NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const DAY = 24 * 60 * 60_000;

type Opened = JsonlEventStore & {
  readonly changes: (...asked: Asked) => ReturnType<typeof changesSince>;
};
type Asked = [cursor?: string, range?: Parameters<typeof changesSince>[2]];

function open(redactor = eventRedactor()) {
  const folder = join(testFolder(), "record");
  let clock = NOON;
  const again = (): Opened => {
    const store = new JsonlEventStore({ folder, redactor, now: () => clock });
    return Object.assign(store, {
      changes: (...asked: Asked) => changesSince(logFiles(folder), ...asked),
    });
  };
  return {
    store: again(),
    again,
    setClock: (now: number) => {
      clock = now;
    },
  };
}

/** What a projection that follows holds: the texts of its events, by segment. */
function follower(store: Opened) {
  const held = new Map<string, unknown[]>();
  let cursor: string | undefined;
  return async (): Promise<unknown[]> => {
    for (let more = true; more; ) {
      const changes = await store.changes(cursor);
      for (const segment of changes.gone) held.delete(segment);
      for (const { segment, events } of changes.added)
        held.set(segment, [
          ...(held.get(segment) ?? []),
          ...events.map(({ content }) => content.text),
        ]);
      ({ cursor, more } = changes);
    }
    return [...held.values()].flat().sort();
  };
}

it("give each event once to who follows, and take away what was purged or dropped", async () => {
  const { store, again, setClock } = open();
  const follow = follower(store);
  expect(await follow()).toEqual([]);
  await store.append([message("a"), message("b", 1, { origin: "b" }), message("c", 24 * 60)]);
  expect(await follow()).toEqual(["a", "b", "c"]);
  expect(await follow()).toEqual(["a", "b", "c"]);
  await again().append([message("d", 2), message("e", -48 * 60)]);
  expect(await follow()).toEqual(["a", "b", "c", "d", "e"]);
  await again().purge({ text: "b" });
  expect(await follow()).toEqual(["a", "c", "d", "e"]);
  await store.append([message("f", 3)]);
  expect(await follow()).toEqual(["a", "c", "d", "e", "f"]);
  setClock(NOON + 10 * DAY);
  await store.retain({ eventsDays: 10, artifactsDays: 90, artifactsBytes: 1e9 });
  expect(await follow()).toEqual(["a", "c", "d", "f"]);
  expect(await follower(again())()).toEqual(["a", "c", "d", "f"]);
});

it("come from a day on, and what comes before it is gone for who read it", async () => {
  const { store } = open();
  await store.append([message("a", -72 * 60), message("b", -48 * 60), message("c")]);
  const from = (days: number) => ({ from: new Date(NOON - days * DAY).toISOString() });
  const first = await store.changes(undefined, from(2));
  expect(first.added.flatMap(({ events }) => events.map(({ content }) => content.text))).toEqual([
    "b",
    "c",
  ]);
  const later = await store.changes(first.cursor, from(1));
  expect(later.added).toEqual([]);
  expect(later.gone).toEqual(first.added.slice(0, 1).map(({ segment }) => segment));
  const part = await store.changes(undefined, { bytes: 300 });
  expect(part.more).toBe(true);
  expect(part.added).toHaveLength(1);
});

it("come in parts of bounded size", async () => {
  const { store } = open(UNREDACTED);
  const text = "x".repeat(15_000);
  const count = 1_300;
  await store.append(Array.from({ length: count }, (_, at) => message(text, at)));
  const first = await store.changes();
  expect(first.more).toBe(true);
  expect(await follower(store)()).toHaveLength(count);
});
