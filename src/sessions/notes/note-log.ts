/**
 * Notes that wait for review, stored next to the session log or in the project's local folder. They're removed when kept, refused, purged
 * or 60 days unseen.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { appendLines, readLog, rewriteLines } from "../../ground/files/append-log.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFileToWrite } from "../../ground/files/local-folder.ts";
import { withLock } from "../../ground/files/lock.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import type { CaptureParts } from "../capture/capture.ts";
import type { FoundLog, ProjectLog } from "../consent/find-log.ts";
import { COMMAND_LINE, isOwn } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import type { FoundNote, NoteSource } from "./note.ts";

export interface WaitingNote extends FoundNote {
  /** Derived from the note's words, so a note found again has the same id. */
  readonly id: string;
  readonly from: NoteSource;
  /** When it was last found or looked at, ISO 8601. */
  readonly at: string;
}

/** A line that updates the time of an earlier note. */
type Looked = Pick<WaitingNote, "id" | "at">;

/** A line that stops offering a candidate or offers it again. It contains none of its text. */
interface Decision {
  readonly id: string;
  readonly again?: boolean;
}

const MOST_DAYS = 60;
/**
 * The session events through which a daemon shares decisions with the user's other machines. Their `reason` is the candidate's id. They
 * contain no text.
 */
const NEVER = "candidate_never";
const AGAIN = "candidate_again";

/** Opens a project's notes. If a daemon keeps the session log, it also keeps the decisions about notes. */
export function openNotes(
  { project, openEvents }: Pick<CaptureParts, "project" | "openEvents">,
  { record, status }: Pick<FoundLog, "record" | "status">,
): NoteLog {
  const isShared = status === "on" && record?.manifest.daemon !== undefined;
  return new NoteLog(
    project.context.local,
    record,
    isShared ? openEvents(record.folder) : undefined,
  );
}

export class NoteLog {
  readonly #local: string;
  /** The first one is used for writing. */
  readonly #folders: readonly string[];
  readonly #shared: EventStore | undefined;
  /** Read once. Later decisions of this process are also in its files. */
  #decided: Promise<Set<string>> | undefined;

  /** @param local the project's folder on this machine. @param shared stores decisions for other machines. */
  constructor(
    local: string,
    log: Pick<ProjectLog, "folder" | "isWritable"> | undefined,
    shared?: EventStore,
  ) {
    this.#local = local;
    this.#shared = shared;
    this.#folders = log?.isWritable ? [log.folder, local] : [local];
  }

  /** The waiting notes, the first found first. @throws SentinelError `read_failed`. */
  async waiting(now: number): Promise<WaitingNote[]> {
    const notes = await Promise.all(this.#folders.map(notesIn));
    const never = await this.never();
    const all = new Map(notes.flat().map((note) => [note.id, note]));
    return [...all.values()].filter(({ id, at }) => !never.has(id) && !isOver(at, now));
  }

  /** Adds notes except those already decided. @returns how many of them are waiting now. */
  async add(from: NoteSource, found: readonly FoundNote[], now: number): Promise<number> {
    const notes = new Map(found.map((note) => [idOf(note), note]));
    for (const id of await this.never()) notes.delete(id);
    const known = new Set((await this.waiting(now)).map(({ id }) => id));
    const at = new Date(now).toISOString();
    const entries = [...notes].map(([id, note]) =>
      known.has(id) ? { id, at } : { ...note, id, from, at },
    );
    await this.#append(entries, now);
    return entries.length;
  }

  /** Records that the user saw it. */
  look({ id }: WaitingNote, now: number): Promise<void> {
    return this.#append([{ id, at: new Date(now).toISOString() }], now);
  }

  /** The ids of notes and candidates that the user kept or refused. */
  async never(): Promise<ReadonlySet<string>> {
    this.#decided ??= this.#decidedAnywhere();
    const sets = await Promise.all([this.#decided, ...this.#folders.map(neverIn)]);
    return new Set(sets.flatMap((ids) => [...ids]));
  }

  async #decidedAnywhere(): Promise<Set<string>> {
    const never = new Set<string>();
    for await (const event of this.#shared?.read({
      session: COMMAND_LINE.session,
      kinds: ["session"],
    }) ?? []) {
      if (event.kind !== "session" || !isOwn(event)) continue;
      const { event: decided, reason = "" } = event.content;
      if (decided === NEVER) never.add(reason);
      if (decided === AGAIN) never.delete(reason);
    }
    return never;
  }

  /** Stops offering a candidate. If it's a note, its text is removed. */
  async decide(id: string): Promise<void> {
    await this.#write(LOCAL_FILES.never, [{ id, again: false }]);
    await this.takeOut((note) => note.id === id);
    await this.#share(id, NEVER);
  }

  /** Reverts a decision. */
  async undo(id: string, note: WaitingNote | undefined): Promise<void> {
    await this.#write(LOCAL_FILES.never, [{ id, again: true }]);
    await this.#share(id, AGAIN);
    (await this.#decided)?.delete(id);
    if (note) await this.#append([note], Date.now());
  }

  async #share(id: string, event: string): Promise<void> {
    const content = { event, reason: id };
    const actor = { type: "human", id: "user" } as const;
    await this.#shared?.append([
      { ...COMMAND_LINE, kind: "session", channel: "private", actor, content },
    ]);
  }

  /** Removes notes permanently. */
  async takeOut(isMeant: (note: WaitingNote) => boolean): Promise<void> {
    for (const folder of this.#folders) {
      const path = join(folder, LOCAL_FILES.notes);
      const meant = async () =>
        new Set((await notesIn(folder)).filter(isMeant).map(({ id }) => id));
      // Reads again under the lock, because another process may have changed the file.
      if ((await meant()).size > 0)
        await locked(path, async () => rewriteWithout(path, await meant()));
    }
  }

  /** First removes expired notes, and decided notes that were added again. */
  async #append(entries: readonly Looked[], now: number): Promise<void> {
    const never = await this.never();
    await this.takeOut(({ id, at }) => never.has(id) || isOver(at, now));
    await this.#write(LOCAL_FILES.notes, entries);
  }

  async #write(name: string, entries: readonly (Looked | Decision)[]): Promise<void> {
    const lines = entries.map((entry) => JSON.stringify(entry));
    const [folder = this.#local] = this.#folders;
    const path = folder === this.#local ? localFileToWrite(folder, name) : join(folder, name);
    await locked(path, async () => appendLines(path, lines, 0o600));
  }
}

/** The notes of a file, each with its last date. */
async function notesIn(folder: string): Promise<WaitingNote[]> {
  const notes = new Map<string, WaitingNote>();
  for (const entry of await entriesOf(join(folder, LOCAL_FILES.notes), readNote)) {
    const note = "lesson" in entry ? entry : notes.get(entry.id);
    if (note) notes.set(entry.id, { ...note, at: entry.at });
  }
  return [...notes.values()];
}

/** The decided ids in a folder's file. */
async function neverIn(folder: string): Promise<ReadonlySet<string>> {
  const never = new Set<string>();
  for (const { id, again } of await entriesOf(join(folder, LOCAL_FILES.never), readDecision))
    again === true ? never.delete(id) : never.add(id);
  return never;
}

async function entriesOf<Entry>(
  path: string,
  read: (line: string) => Entry | undefined,
): Promise<readonly Entry[]> {
  const { entries } = await readLog(path, read).catch((error) => {
    throw fileError(error, "read_failed", `reading ${path}`);
  });
  return entries;
}

/** Drops incomplete lines too, because they may contain removed text. */
async function rewriteWithout(path: string, ids: ReadonlySet<string>): Promise<void> {
  await rewriteLines(path, (line) => {
    const entry = readNote(line);
    return entry && !ids.has(entry.id) ? line : undefined;
  });
}

async function locked(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await withLock(path, work);
  } catch (error) {
    throw fileError(error, "write_failed", `writing ${path}`);
  }
}

function readDecision(line: string): Decision | undefined {
  const entry = tryOr(() => JSON.parse(line), undefined);
  return typeof entry?.id === "string" ? entry : undefined;
}

function readNote(line: string): WaitingNote | Looked | undefined {
  const entry = readDecision(line);
  return entry && "at" in entry && typeof entry.at === "string"
    ? (entry as WaitingNote | Looked)
    : undefined;
}

const isOver = (at: string, now: number): boolean => now - Date.parse(at) > MOST_DAYS * DAY_MS;

/** Blanks and case don't matter, as with lessons. */
const idOf = ({ lesson }: FoundNote): string =>
  `c_${hash("sha256", lesson.toLowerCase().replaceAll(/\s+/g, " ")).slice(0, 8)}`;
