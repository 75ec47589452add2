/**
 * The bin for the hooks that `record on` writes. It starts a capture, hands it the payload and ends; at the start of a session it
 * says that the session is recorded. Like every hook it exits with status 0 and prints one JSON or nothing, whatever goes wrong.
 */
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { claudeCodeProtocol } from "../clients/claude-code.ts";
import { Payload } from "../clients/hook-event.ts";
import { RECORD_HOOK } from "../clients/launch.ts";
import { isRecordingSaid, recordingNotice } from "../hooks/recording-notice.ts";
import { startCapture } from "../hooks/start-capture.ts";
import { findProject } from "../project/find-project.ts";

/** The longest it may take; a client gives all hooks at the end of a session 1.5 s together. */
const LONGEST_RUN_MS = 1_400;

setTimeout(() => process.exit(0), LONGEST_RUN_MS).unref();
void main();

async function main(): Promise<void> {
  try {
    const input = await text(process.stdin);
    const payload = new Payload(JSON.parse(input));
    const folder = payload.text("cwd") || process.cwd();
    if (isRecordingSaid(payload)) {
      const notice = await recordingNotice(projectFrom(folder), process.env);
      if (notice) process.stdout.write(JSON.stringify(notice));
    } else await startCapture({ program: commandLine(process.argv[1] ?? ""), folder, payload: input });
  } catch {
    // Silent: see above.
  }
  process.stdout.write("", () => process.exit(0));
}

/** The file of the command line: beside this one, or this one, where both are one file. */
function commandLine(script: string): string {
  return basename(script) === RECORD_HOOK ? join(dirname(script), "cli.mjs") : script;
}

/** The project of a session, found as the lessons' hook finds it. */
function projectFrom(cwd: string): string {
  const name = claudeCodeProtocol.workspaceVariable ?? "";
  const env = { SENTINEL_PROJECT: process.env.SENTINEL_PROJECT, [name]: process.env[name] };
  return findProject({ env, cwd }).folder;
}
