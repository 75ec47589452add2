/** The session log's hooks: each starts a capture, hands it the payload and ends; at a start it says where work stopped. Status 0, always. */
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { claudeCodeProtocol } from "../../ground/clients/claude-code.ts";
import { Payload } from "../../ground/clients/hook-event.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { answerStart, isStart } from "../../sessions/hooks/recorded-start.ts";
import { captureWithin, commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";

/** The longest it may take; a client gives all hooks at the end of a session 1.5 s together. */
const LONGEST_RUN_MS = 1_400;
/** The longest at the start of a session, which a person waits for after a compaction that took a minute. */
const LONGEST_START_MS = 4_000;
/** How long a start after a compaction waits for what the transcript says to be recorded. */
const CATCH_UP_MS = 2_000;

/** Answers the payload on standard input, and ends the process. */
export async function answerSessionHook(): Promise<void> {
  const limit = endAfter(LONGEST_RUN_MS);
  try {
    const input = await text(process.stdin);
    const payload = new Payload(JSON.parse(input));
    const project = projectFrom(payload.text("cwd") || process.cwd());
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
    // Silent: see above.
  }
  process.stdout.write("", () => process.exit(0));
}

const endAfter = (ms: number): NodeJS.Timeout => setTimeout(() => process.exit(0), ms).unref();

/** The project of a session, found as the lessons' hook finds it. */
function projectFrom(cwd: string): Project {
  const name = claudeCodeProtocol.workspaceVariable ?? "";
  const env = { SENTINEL_PROJECT: process.env.SENTINEL_PROJECT, [name]: process.env[name] };
  return findProject({ env, cwd });
}
