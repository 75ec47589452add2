/** Claude Code as far as the session log sees it: a transcript that grows turn by turn, and the hooks that it runs. */
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Event } from "../../src/sessions/kinds/event.ts";
import type { Project } from "./project.ts";
import { type Ended, runProcess } from "./run-process.ts";
import { Session, transcriptFolder } from "./transcript.ts";
import { UNHURRIED } from "./unhurried.ts";
import { readUntil } from "./wait.ts";

const HOOKS = ".claude/settings.local.json";
/** Only tells a capture that never comes from one that takes long, in ms. */
const DEADLINE_MS = 60_000;

export class RecordedSession {
  readonly session: Session;
  readonly #project: Project;
  #written = 0;

  /** @param project the one in which it is started. */
  constructor(project: Project, id = "5e551011-0000-4000-8000-000000000001") {
    this.#project = project;
    this.session = new Session({ id, cwd: project.folder });
  }

  get transcript(): string {
    return this.#project.path(
      `~/.claude/${transcriptFolder(this.#project.folder)}/${this.session.file}`,
    );
  }

  /** Appends what happens, at the time at which it happens. */
  async turn(happens: (session: Session) => unknown): Promise<void> {
    happens(this.session);
    const added = this.session.lines.slice(this.#written);
    this.#written = this.session.lines.length;
    const now = Date.now();
    const lines = added.map((line, at) => {
      return `${JSON.stringify({ ...line, timestamp: new Date(now + at).toISOString() })}\n`;
    });
    await mkdir(dirname(this.transcript), { recursive: true });
    await appendFile(this.transcript, lines.join(""));
  }

  /** Runs the hooks of an event through a shell, with its payload, and waits for them as the client does. */
  async hook(event: string, more: object = {}, env: Record<string, string> = {}): Promise<Ended[]> {
    const payload = {
      session_id: this.session.id,
      transcript_path: this.transcript,
      cwd: this.session.cwd,
      hook_event_name: event,
      ...more,
    };
    return runHooks(this.#project, event, JSON.stringify(payload), env);
  }
}

/** Runs the hooks of an event as the project's personal hook file says. */
export async function runHooks(
  project: Project,
  event: string,
  stdin: string,
  more: Record<string, string> = {},
): Promise<Ended[]> {
  const { hooks } = JSON.parse(await project.read(HOOKS)) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const commands = (hooks[event] ?? []).flatMap((entry) =>
    entry.hooks.map(({ command }) => command),
  );
  const env = { ...project.env, ...UNHURRIED, CLAUDE_PROJECT_DIR: project.folder, ...more };
  return Promise.all(
    commands.map((line) => runProcess("sh", ["-c", line], { cwd: project.folder, env, stdin })),
  );
}

/** The events of the session log once they are as wanted; as they are after a while otherwise. */
export async function eventsOnce(
  project: Project,
  isDone: (events: readonly Event[]) => boolean,
): Promise<Event[]> {
  return readUntil(() => exported(project), isDone, DEADLINE_MS);
}

/** An export writes over no file, so each has a name of its own. */
let exports = 0;

async function exported(project: Project): Promise<Event[]> {
  exports += 1;
  const file = project.path(`~/export-${exports}.jsonl`);
  const { exit, stderr } = await project.run("sessions", "export", file);
  if (exit !== 0) {
    throw new Error(stderr);
  }
  const lines = (await project.read(file)).trimEnd().split("\n");
  return lines.flatMap((line) => (JSON.parse(line) as { event?: Event }).event ?? []);
}
