/**
 * The bin for an agent's hooks: a payload on standard input, one JSON or nothing on standard output, status 0 always. A hook
 * that fails, hangs or talks would get in the way of the agent, so whatever goes wrong here ends in silence.
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { nameInProject } from "../clients/hook-event.ts";
import { readEvent } from "../clients/hook-protocols.ts";
import { respond } from "../hooks/respond.ts";
import { newSession, withSession } from "../hooks/session.ts";
import { updateSessions } from "../hooks/session-state.ts";
import { JsonlLessonStore } from "../lessons/jsonl/store.ts";
import { findProject } from "../project/find-project.ts";

/** The most a hook may take, in ms; then it ends without an answer. */
const PATIENCE = 3_000;

setTimeout(() => process.exit(0), PATIENCE).unref();
void main();

async function main(): Promise<void> {
  try {
    const output = await answer(await text(process.stdin));
    if (output) process.stdout.write(JSON.stringify(output));
  } catch {
    // Silence: see above.
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
  if (!existsSync(dirname(project.memoryFile))) return undefined;

  const store = new JsonlLessonStore(project.memoryFile);
  return updateSessions(project.memoryFile, async (sessions) => {
    const now = Date.now();
    const { session, output } = await respond({
      event,
      client,
      file: nameInProject(realFile(event.file), project.folder),
      session: sessions[event.session] ?? newSession(now),
      read: () => store.read(),
      report: () => store.report(),
      now,
      remind: env.SENTINEL_STOP_REMINDER !== "off",
    });
    return { sessions: withSession(sessions, event.session, session, now), result: output };
  });
}

/** The project is known by its real path, so a file reached through a link has to be, too. */
function realFile(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file;
}
