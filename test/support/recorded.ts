/** A project whose sessions are recorded, with what its agents wrote. */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import type { Project } from "./project.ts";
import { type Session, transcriptFolder } from "./transcript.ts";

/** Turns recording on, as if that had been long before any session. */
export async function recordFromTheStart(project: Project): Promise<void> {
  await project.run("sessions", "on");
  const path = await manifestOf(project);
  const manifest = JSON.parse(await project.read(path));
  await project.write(
    path,
    JSON.stringify({ ...manifest, intervals: [{ on: "2026-01-01T00:00:00.000Z" }] }),
  );
}

/** Path of the session log's manifest. */
export async function manifestOf(project: Project): Promise<string> {
  const records = project.path("~/.local/share/sentinel-memory/records");
  for (const id of await readdir(records)) {
    const path = join(records, id, "manifest.json");
    if (
      JSON.parse((await readFile(path, "utf8").catch(() => undefined)) ?? "{}").project ===
      project.folder
    ) {
      return path;
    }
  }
  throw new Error(`There is no session log of ${project.folder}.`);
}

/** Writes a session where its client would. @param startedIn the folder in which it began, if not its own. */
export async function keepTranscript(
  project: Project,
  session: Session,
  startedIn = session.cwd,
): Promise<string> {
  const path = `~/.claude/${transcriptFolder(startedIn)}/${session.file}`;
  await project.write(path, session.text);
  return project.path(path);
}

/** Every event of the session log, in order of time. */
export async function eventsOf(project: Project): Promise<Event[]> {
  const folder = dirname(await manifestOf(project));
  const events: Event[] = [];
  const store = jsonlEventStore({ folder, redactor: eventRedactor(), now: Date.now });
  for await (const event of store.read()) {
    events.push(event);
  }
  return events;
}

/** What was said in messages. */
export async function messagesOf(project: Project): Promise<unknown[]> {
  return (await eventsOf(project))
    .filter(({ kind }) => kind === "message")
    .map(({ content }) => content.text);
}
