/**
 * The program that the hooks of the lessons start. It reads a payload from standard input, writes one JSON text or nothing to
 * standard output, and always exits with status 0. A hook that fails, hangs or prints would disturb the agent, so every error
 * here is silent.
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type EventKind, nameInProject } from "../../ground/clients/hook-event.ts";
import { readEvent } from "../../ground/clients/hook-protocols.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { anyWhen } from "../../lessons/hooks/any-when.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";

/** The longest a hook may take; after it, the hook ends without an answer. */
const LONGEST_RUN_MS = 3_000;

/** A start captures what was left where no end was reported. */
const CAPTURED_AT: readonly EventKind[] = ["session-start", "stop"];

setTimeout(() => process.exit(0), LONGEST_RUN_MS).unref();
void main();

async function main(): Promise<void> {
  try {
    const output = await answer(await text(process.stdin));
    if (output) process.stdout.write(JSON.stringify(output));
  } catch {
    // Silent: see above.
  }
  process.stdout.write("", () => process.exit(0));
}

async function answer(input: string): Promise<object | undefined> {
  const sent = readEvent(JSON.parse(input));
  if (!sent) return undefined;
  const { event, client } = sent;
  const { env } = process;
  const hints = client.workspaceVariable ? { [client.workspaceVariable]: env[client.workspaceVariable] } : {};
  const project = findProject({
    env: { SENTINEL_PROJECT: env.SENTINEL_PROJECT, ...hints },
    cwd: event.folder ?? process.cwd(),
  });
  if (!existsSync(project.context.shared)) return undefined;
  if (client.startsCaptures && CAPTURED_AT.includes(event.kind) && logSpeaks(project.folder)) {
    const { commandLineIn, startCapture } = await import("../../sessions/hooks/start-capture.ts");
    await startCapture({ program: commandLineIn(import.meta.dirname), folder: project.folder, payload: input });
  }

  if (event.kind === "read" && !anyWhen(project.context.memoryFile)) return undefined;

  // Loaded late: nothing of it is needed for most files that an agent reads.
  const [{ openMemoryFile }, { respond }, { newSession, withSession }, { updateSessions }, { readMemoryPolicy }] =
    await Promise.all([
      import("../../lessons/hooks/memory-file.ts"),
      import("../../lessons/hooks/respond.ts"),
      import("../../lessons/hooks/session-changes.ts"),
      import("../../lessons/hooks/session-file.ts"),
      import("../../lessons/policy.ts"),
    ]);
  const lessons = openMemoryFile(project.context.memoryFile);
  return updateSessions(project.context.local, async (sessions) => {
    const now = Date.now();
    const { session, output } = await respond({
      event,
      client,
      file: nameInProject(realFile(event.file), project.folder),
      anyWhen: () => anyWhen(project.context.memoryFile),
      logSpeaks: event.kind === "session-start" && logSpeaks(project.folder),
      session: sessions[event.session] ?? newSession(now),
      read: () => lessons.read(),
      report: () => lessons.report(),
      readPolicy: () => readMemoryPolicy(project.context),
      now,
      remind: env.SENTINEL_STOP_REMINDER !== "off",
    });
    return { sessions: withSession(sessions, event.session, session, now), result: output };
  });
}

/** The project is known by its real path, so the path of a file has to be real too. */
function realFile(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file;
}
