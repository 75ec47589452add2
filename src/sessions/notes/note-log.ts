/**
 * Notes that wait for a person: beside the session log where there is one, else in the local folder of the project. A note stands there
 * until it is kept, refused, purged, or was not looked at for 60 days; of a decision only its id stays.
 */
import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { appendLines, readLog, rewriteLines } from "../../ground/files/append-log.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFileToWrite } from "../../ground/files/local-folder.ts";
import { withLock } from "../../ground/files/lock.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { decideNever, readNever } from "../candidates/never.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import type { FoundNote, NoteSource } from "./note.ts";

export interface WaitingNote extends FoundNote {
  /** The same wherever and as often as the same words are found. */
  readonly id: string;
  readonly from: NoteSource;
  /** When it was found or looked at last; ISO 8601. */
  readonly at: string;
}

/** Days after which a note that nobody looked at goes. */
const MOST_DAYS = 60;
const NAME = LOCAL_FILES.notes;

type Looked = Pick<WaitingNote, "id" | "at">;

export class NoteLog {
  readonly #local: string;
  /** Of the session log, where it can be written. */
  readonly #log: string | undefined;

  /** @param local the project's own folder on this machine. */
  constructor(local: string, log: Pick<ProjectLog, "folder" | "isWritable"> | undefined) {
    this.#local = local;
    this.#log = log?.isWritable ? log.folder : undefined;
  }

  /** Those that wait, the first found first. @throws SentinelError `read_failed`. */
  async waiting(now: number): Promise<WaitingNote[]> {
    const notes = await Promise.all(this.#folders.map((folder) => notesIn(folder)));
    const never = await this.never();
    const all = new Map(notes.flat().map((note) => [note.id, note]));
    return [...all.values()].filter(({ id, at }) => !never.has(id) && !isOver(at, now));
  }

  /** Adds what is not known yet; what a person decided about stays decided. @returns how many are new, and how many wait already. */
  async add(from: NoteSource, found: readonly FoundNote[], now: number): Promise<{ added: number; known: number }> {
    const never = await this.never();
    const notes = new Map(found.map((note) => [idOf(note), note]));
    for (const id of never) notes.delete(id);
    const at = new Date(now).toISOString();
    const known = new Set((await this.waiting(now)).map(({ id }) => id));
    await this.#change(now, (path) => {
      const lines = [...notes].map(([id, note]) =>
        JSON.stringify(known.has(id) ? { id, at } : { ...note, id, from, at }),
      );
      appendLines(path, lines, 0o600);
    });
    const waits = [...notes.keys()].filter((id) => known.has(id)).length;
    return { added: notes.size - waits, known: waits };
  }

  /** Notes that a person saw it. */
  async look({ id }: Pick<WaitingNote, "id">, now: number): Promise<void> {
    const looked: Looked = { id, at: new Date(now).toISOString() };
    await this.#change(now, (path) => appendLines(path, [JSON.stringify(looked)], 0o600));
  }

  /** What is offered no more: a person kept or refused it. */
  async never(): Promise<ReadonlySet<string>> {
    const sets = await Promise.all(this.#folders.map((folder) => readNever(folder)));
    return new Set(sets.flatMap((ids) => [...ids]));
  }

  /** Writes down that a candidate is offered no more, and takes out the words of it where it is a note. */
  async decide(id: string): Promise<void> {
    decideNever(dirname(this.#pathOf(LOCAL_FILES.never)), id);
    await this.takeOut((note) => note.id === id);
  }

  /** Takes a decision back. */
  async undo(id: string, note: WaitingNote | undefined): Promise<void> {
    decideNever(dirname(this.#pathOf(LOCAL_FILES.never)), id, { again: true });
    if (note) await this.#change(Date.now(), (path) => appendLines(path, [JSON.stringify(note)], 0o600));
  }

  /** Removes notes for good. @returns how many. */
  async takeOut(isMeant: (note: WaitingNote) => boolean): Promise<number> {
    let removed = 0;
    for (const folder of this.#folders) {
      const ids = new Set((await notesIn(folder)).filter(isMeant).map(({ id }) => id));
      if (ids.size > 0) await rewrite(join(folder, NAME), ({ id }) => ids.has(id));
      removed += ids.size;
    }
    return removed;
  }

  get #folders(): readonly string[] {
    return this.#log === undefined ? [this.#local] : [this.#log, this.#local];
  }

  #pathOf(name: string): string {
    return this.#log === undefined ? localFileToWrite(this.#local, name) : join(this.#log, name);
  }

  /** Writes alone. What is over its time, and words that came back after a decision, go first. */
  async #change(now: number, write: (path: string) => void): Promise<void> {
    const path = this.#pathOf(NAME);
    const never = await this.never();
    const goes = ({ id, at }: Looked) => never.has(id) || isOver(at, now);
    const ids = new Set((await notesIn(dirname(path))).filter(goes).map(({ id }) => id));
    if (ids.size > 0) await rewrite(path, ({ id, at }) => ids.has(id) && goes({ id, at }));
    await locked(path, async () => write(path));
  }
}

/** The notes of a file, each with its last date. */
async function notesIn(folder: string): Promise<WaitingNote[]> {
  const path = join(folder, NAME);
  const { entries } = await readLog(path, read).catch((error) => {
    throw fileError(error, "read_failed", `reading ${path}`);
  });
  const notes = new Map<string, WaitingNote>();
  for (const entry of entries) {
    const note = "lesson" in entry ? entry : notes.get(entry.id);
    if (note) notes.set(entry.id, { ...note, at: entry.at });
  }
  return [...notes.values()];
}

async function rewrite(path: string, goes: (entry: Looked) => boolean): Promise<void> {
  await locked(path, async () => {
    await rewriteLines(path, (line) => {
      const entry = read(line);
      // Half a line may hold half of what goes.
      return entry && !goes(entry) ? line : undefined;
    });
  });
}

async function locked(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await withLock(path, work);
  } catch (error) {
    throw fileError(error, "write_failed", `writing ${path}`);
  }
}

function read(line: string): WaitingNote | Looked | undefined {
  const entry = orElse(() => JSON.parse(line), undefined);
  return typeof entry?.id === "string" && typeof entry.at === "string" ? entry : undefined;
}

const isOver = (at: string, now: number): boolean => now - Date.parse(at) > MOST_DAYS * DAY_MS;

/** Blanks and case make no other note, as they make no other lesson. */
const idOf = ({ lesson }: FoundNote): string =>
  `c_${hash("sha256", lesson.toLowerCase().replaceAll(/\s+/g, " ")).slice(0, 8)}`;
