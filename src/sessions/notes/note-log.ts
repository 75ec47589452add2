/**
 * Notes that wait for review, stored next to the session log or in the project's local folder. They're removed when kept, refused or purged,
 * or 60 days after they were last found.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { localFileToWrite } from "../../ground/files/local-folder.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { readWhole } from "../../ground/files/replace-file.ts";
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
  /** When it was last found, ISO 8601. */
  readonly at: string;
}

/** The contents of a folder's file. */
interface Kept {
  readonly notes: readonly WaitingNote[];
  /** The ids of candidates that aren't offered anymore. They contain none of their texts. */
  readonly never: readonly string[];
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
  /** The folder for new notes. */
  readonly #own: string;
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
    this.#own = log?.isWritable ? log.folder : local;
    this.#folders = [...new Set([this.#own, local])];
  }

  /** The waiting notes, the first found first. @throws SentinelError `read_failed`. */
  async waiting(now: number): Promise<WaitingNote[]> {
    const never = await this.never();
    const kept = await this.#kept();
    const waiting = new Map<string, WaitingNote>();
    for (const { notes } of kept) {
      for (const note of notes) {
        if (!never.has(note.id) && !isOver(note.at, now)) {
          waiting.set(note.id, note);
        }
      }
    }
    return [...waiting.values()];
  }

  /** Adds notes except those already decided. @returns how many of them are waiting now. */
  async add(from: NoteSource, found: readonly FoundNote[], now: number): Promise<number> {
    const decided = await this.never();
    const added = undecidedOf(from, found, decided, now);
    await this.takeOut((note) => decided.has(note.id) || isOver(note.at, now));
    await this.#keep(added);
    return added.length;
  }

  /** The notes that aren't decided yet, each once. */
  async undecided(
    from: NoteSource,
    found: readonly FoundNote[],
    now: number,
  ): Promise<WaitingNote[]> {
    return undecidedOf(from, found, await this.never(), now);
  }

  /** The ids of notes and candidates that the user kept or refused. */
  async never(): Promise<ReadonlySet<string>> {
    this.#decided ??= this.#decidedAnywhere();
    const all = new Set(await this.#decided);
    for (const { never } of await this.#kept()) {
      for (const id of never) {
        all.add(id);
      }
    }
    return all;
  }

  async #decidedAnywhere(): Promise<Set<string>> {
    const never = new Set<string>();
    for await (const event of this.#shared?.read({
      session: COMMAND_LINE.session,
      kinds: ["session"],
    }) ?? []) {
      if (event.kind !== "session" || !isOwn(event)) {
        continue;
      }
      const { event: decided, reason = "" } = event.content;
      if (decided === NEVER) {
        never.add(reason);
      }
      if (decided === AGAIN) {
        never.delete(reason);
      }
    }
    return never;
  }

  /** Stops offering a candidate. If it's a note, its text is removed. */
  async decide(id: string): Promise<void> {
    await this.#change(this.#own, ({ notes, never }) => ({ notes, never: [...never, id] }));
    await this.takeOut((note) => note.id === id);
    await this.#share(id, NEVER);
  }

  /** Reverts a decision. */
  async undo(id: string, note: WaitingNote | undefined): Promise<void> {
    for (const folder of this.#folders) {
      await this.#change(folder, ({ notes, never }) => ({
        notes,
        never: never.filter((decided) => decided !== id),
      }));
    }
    await this.#share(id, AGAIN);
    (await this.#decided)?.delete(id);
    if (note) {
      await this.#keep([note]);
    }
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
      await this.#change(folder, ({ notes, never }) => ({
        notes: notes.filter((note) => !isMeant(note)),
        never,
      }));
    }
  }

  #kept(): Promise<Kept[]> {
    return Promise.all(this.#folders.map(keptIn));
  }

  /** A note that is found again keeps its place. */
  #keep(added: readonly WaitingNote[]): Promise<void> {
    return this.#change(this.#own, ({ notes, never }) => {
      const all = new Map([...notes, ...added].map((note) => [note.id, note]));
      return { notes: [...all.values()], never };
    });
  }

  /** Writes nothing if nothing changes. Otherwise changes the file again under its lock, because another process may have changed it. */
  async #change(folder: string, change: (kept: Kept) => Kept): Promise<void> {
    const kept = await keptIn(folder);
    if (JSON.stringify(change(kept)) === JSON.stringify(kept)) {
      return;
    }
    const path =
      folder === this.#local
        ? localFileToWrite(folder, LOCAL_FILES.notes)
        : join(folder, LOCAL_FILES.notes);
    await changeUserFile(path, (text) => JSON.stringify(change(parsed(text))));
  }
}

/** The notes that aren't decided, each once. */
function undecidedOf(
  from: NoteSource,
  found: readonly FoundNote[],
  decided: ReadonlySet<string>,
  now: number,
): WaitingNote[] {
  const at = new Date(now).toISOString();
  const notes = new Map(found.map((note) => [idOf(note), note]));
  const open = [...notes].filter(([id]) => !decided.has(id));
  return open.map(([id, note]) => ({ ...note, id, from, at }));
}

/** @throws SentinelError `read_failed`. */
async function keptIn(folder: string): Promise<Kept> {
  const path = join(folder, LOCAL_FILES.notes);
  try {
    return parsed((await readWhole(path))?.bytes.toString("utf8"));
  } catch (error) {
    throw fileError(error, "read_failed", `reading ${path}`);
  }
}

const parsed = (text = "{}"): Kept => ({
  notes: [],
  never: [],
  ...tryOr(() => JSON.parse(text), {}),
});

const isOver = (at: string, now: number): boolean => now - Date.parse(at) > MOST_DAYS * DAY_MS;

/** Blanks and case don't matter, as with lessons. */
const idOf = ({ lesson }: FoundNote): string =>
  `c_${hash("sha256", lesson.toLowerCase().replaceAll(/\s+/g, " ")).slice(0, 8)}`;
