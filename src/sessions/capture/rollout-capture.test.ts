/** Transcripts whose first line alone says whose they are. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { captureWork } from "../../../test/support/capture-work.ts";
import { Rollout, timedId } from "../../../test/support/codex.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import type { EventDraft } from "../kinds/event.ts";
import { codexReader } from "../transcripts/codex.ts";
import type { Cursor } from "./capture-state.ts";
import { CaptureReport } from "./report.ts";
import { captureTranscript } from "./transcript-capture.ts";

async function captured(folder: string, path: string, before?: Cursor) {
  const events: EventDraft[] = [];
  const report = new CaptureReport();
  const work = captureWork(folder, async ({ drafts }) => void events.push(...drafts), { report });
  const cursor = await captureTranscript({ path, reader: codexReader }, work, before);
  return { events, cursor, report };
}

const said = (events: readonly EventDraft[]) => events.flatMap(({ content }) => content.text ?? []);

it("lines that are read later know the session, the folder of the turn, the branch and the version", async () => {
  const folder = testFolder();
  mkdirSync(join(folder, "sub"));
  const path = join(folder, "rollout-1.jsonl");
  const rollout = new Rollout({ cwd: folder, forked_from_id: "parent" })
    .turn(undefined, join(folder, "sub"))
    .asks("One");
  writeFileSync(path, rollout.text);
  const first = await captured(folder, path);
  expect(first.events[0]?.content).toMatchObject({
    event: "start",
    parent: "parent",
  });
  const { length } = rollout.text;
  appendFileSync(path, rollout.says("Two.").text.slice(length));
  const later = await captured(folder, path, first.cursor);
  expect(said(later.events)).toEqual(["Two."]);
  expect(later.events[0]).toMatchObject({
    session: timedId(1),
    place: { cwd: join(folder, "sub"), branch: "main" },
  });
  expect(Object.keys(later.report.understood)).toEqual(["Codex 0.169.0"]);
});

it("what a child agent repeats of its session is read there, whatever time it names", async () => {
  const folder = testFolder();
  const path = join(folder, "rollout-2.jsonl");
  const meta = { session_id: timedId(1), thread_source: "subagent", cwd: folder };
  const rollout = new Rollout({ ...meta, id: timedId(50) })
    .add("session_meta", { id: timedId(1), session_id: timedId(1), cwd: "/elsewhere" })
    .turn(timedId(20), folder)
    .asks("Said before recording was on")
    .event({ type: "turn_aborted", reason: "interrupted" })
    .turn(timedId(51), folder)
    .asks("Count the files.")
    .says("Three.")
    .event({ type: "turn_aborted", reason: "interrupted" });
  writeFileSync(path, rollout.text);
  const { events } = await captured(folder, path);
  expect(said(events)).toEqual(["Count the files.", "Three."]);
  expect(events.at(-1)).toMatchObject({ session: timedId(1), agent: `codex/${timedId(50)}` });
  expect(events.every(({ actor }) => actor.type === "agent")).toBe(true);
});

it("a file of a patch is named from the folder of the turn", async () => {
  const folder = testFolder();
  mkdirSync(join(folder, "sub"));
  const path = join(folder, "rollout-3.jsonl");
  const patch = "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Add File: ../b.ts\n+x\n*** End Patch";
  writeFileSync(
    path,
    new Rollout({ cwd: folder })
      .turn(undefined, join(folder, "sub"))
      .uses("apply_patch", patch, "Success.").text,
  );
  const { events } = await captured(folder, path);
  expect(events.at(-1)?.content).toMatchObject({
    path: "sub/a.ts",
    other_paths: ["b.ts"],
    edits: true,
  });
});
