/** However a transcript is cut into captures, the lesson is the same (docs/design/sessions.md, "Capture"). */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Cursor } from "../../src/sessions/capture/capture-state.ts";
import { captureTranscript } from "../../src/sessions/capture/transcript-capture.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import { captureWork } from "../support/capture-work.ts";
import { testFolder } from "../support/in-test.ts";
import { Session } from "../support/transcript.ts";

const RUNS = { numRuns: 150 };
const command = fc.constantFrom("npm test", "npm test | tail", "npm run lint", "git commit -m x");
const title = fc.constantFrom("One", "Two", "3");
const todo = fc.record({ content: title, status: fc.constantFrom("pending", "completed") });
const text = fc.constantFrom("commit too", "yes", "프로젝트를 고쳐");

/** Where in a line a capture meets its end; at 0 none comes while it is written. */
const cut = fc.constantFrom(0, 0, 1, 100);

/** One thing that happens in a session. */
const step = fc.oneof(
  text.map((said) => (session: Session) => session.asks(said)),
  text.map((said) => (session: Session) => session.says(said)),
  fc.record({ command, error: fc.boolean() }).map(
    ({ command, error }) =>
      (session: Session) =>
        session.uses("Bash", { command }, "[main f59e610] x", { error }),
  ),
  fc
    .array(todo, { maxLength: 3 })
    .map((todos) => (session: Session) => session.uses("TodoWrite", { todos }, "Done")),
  command.map((command) => (session: Session) => session.calls("Bash", { command })),
  fc.constant((session: Session) => session.answers("late")),
  text.map(
    (content) => (session: Session) =>
      session.add({ type: "queue-operation", operation: "enqueue", content }),
  ),
  fc
    .constantFrom("dequeue", "remove", "popAll")
    .map(
      (operation) => (session: Session) =>
        session.add({ type: "queue-operation", operation, cwd: undefined }),
    ),
  text.map(
    (prompt) => (session: Session) =>
      session.add({ type: "attachment", attachment: { type: "queued_command", prompt } }),
  ),
  fc.constant((session: Session) => session.goTo(`${session.cwd}/sub`, "fix")),
  fc.constant((session: Session) => session.goTo(session.cwd)),
);

it("a transcript gives the same events in any pieces", async () => {
  const folder = testFolder();
  const path = join(folder, "session.jsonl");
  const captured = async (before: Cursor | undefined) => {
    const drafts: EventDraft[] = [];
    const work = captureWork(folder, async (line) => void drafts.push(...line.drafts));
    const cursor = await captureTranscript({ path, reader: claudeCodeReader }, work, before);
    return { drafts, cursor: JSON.parse(JSON.stringify(cursor)) as Cursor };
  };

  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(cut),
      async (steps, cuts) => {
        const session = new Session({ cwd: folder });
        for (const happen of steps) {
          happen(session);
        }
        writeFileSync(path, session.text);
        const whole = await captured(undefined);

        writeFileSync(path, "");
        const inPieces: EventDraft[] = [];
        let cursor: Cursor | undefined;
        for (const line of session.text.split(/(?<=\n)/)) {
          const [before, after] = [cuts.next().value ?? 0, cuts.next().value ?? 0];
          for (const [part, isEnd] of [
            [line.slice(0, before), before > 0],
            [line.slice(before), after > 0],
          ] as const) {
            appendFileSync(path, part);
            if (!isEnd) {
              continue;
            }
            const next = await captured(cursor);
            inPieces.push(...next.drafts);
            cursor = next.cursor;
          }
        }
        inPieces.push(...(await captured(cursor)).drafts);
        expect(inPieces).toEqual(whole.drafts);
      },
    ),
    RUNS,
  );
});
