import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { UNREDACTED } from "../../../test/support/unredacted.ts";
import { jsonlEventStore } from "../files/store.ts";
import { NoteLog } from "./note-log.ts";

const NOW = Date.parse("2026-11-26T10:00:00Z");
const note = (lesson: string) => ({
  file: "AGENTS.md",
  line: 1,
  topic: "build",
  missing_context: lesson,
  lesson,
});

it("asks once what was decided on other machines, and knows what it decided since", async () => {
  const [folder, here, there] = [testFolder(), testFolder(), testFolder()];
  const shared = jsonlEventStore({ folder, redactor: UNREDACTED, now: () => NOW });
  let asked = 0;
  const read: typeof shared.read = (query) => {
    asked++;
    return shared.read(query);
  };
  const counted = { ...shared, location: folder, read } as typeof shared;
  const ours = new NoteLog(here, undefined, counted);
  const theirs = new NoteLog(there, undefined, shared);
  await theirs.add("rules", [note("Never build by hand"), note("Ask before a release")], NOW);
  const [first, second] = await theirs.waiting(NOW);
  await theirs.decide(first?.id ?? "");

  expect(
    await ours.add("rules", [note("Never build by hand"), note("Ask before a release")], NOW),
  ).toBe(1);
  const [waiting] = await ours.waiting(NOW);
  expect(waiting?.id).toBe(second?.id);
  await ours.decide(second?.id ?? "");
  expect(await ours.waiting(NOW)).toEqual([]);
  await ours.undo(second?.id ?? "", waiting);
  await ours.undo(first?.id ?? "", undefined);
  expect((await ours.waiting(NOW)).map(({ id }) => id)).toEqual([second?.id]);
  expect([...(await ours.never())]).toEqual([]);
  expect(asked).toBe(1);
});
