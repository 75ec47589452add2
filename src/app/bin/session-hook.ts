/**
 * The session log's hook. It starts a capture and passes the payload to it. At the start of a session
 * it answers with the point where work stopped. The exit status is always 0.
 */
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { claudeCodeProtocol } from "../../ground/clients/claude-code.ts";
import { Payload } from "../../ground/clients/hook-event.ts";
import { answerStart, isStart } from "../../sessions/hooks/recorded-start.ts";
import { captureWithin, commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { projectOf } from "./lesson-hook.ts";

/** The time limit. At the end of a session, a client gives all hooks 1.5 s together. */
const LONGEST_RUN_MS = 1_400;
/** The time limit at the start of a session. A start may follow a compaction, which takes about a minute anyway. */
const LONGEST_START_MS = 4_000;
/** How long a start after a compaction waits for the transcript to be recorded. */
const CATCH_UP_MS = 2_000;

/** Answers the payload on standard input, and ends the process. */
export async function answerSessionHook(): Promise<void> {
  const limit = endAfter(LONGEST_RUN_MS);
  try {
    const input = await text(process.stdin);
    const payload = new Payload(JSON.parse(input));
    const project = projectOf([claudeCodeProtocol], payload.text("cwd") || undefined);
    const script = process.argv[1] ?? "";
    const program = commandLineIn(dirname(script));
    const start = { program, folder: project.folder, payload: input };
    if (isStart(payload)) {
      clearTimeout(limit);
      endAfter(LONGEST_START_MS);
      const catchUp = () => captureWithin(start, CATCH_UP_MS);
      const answer = await answerStart({
        payload,
        project,
        script,
        env: process.env,
        catchUp,
      });
      if (answer) process.stdout.write(JSON.stringify(answer));
    } else await startCapture(start);
  } catch {
    // A hook must not disturb the agent.
  }
  process.stdout.write("", () => process.exit(0));
}

const endAfter = (ms: number): NodeJS.Timeout => setTimeout(() => process.exit(0), ms).unref();
