/** The record in files of its own folder (DESIGN.md, "The record"). */
import { randomBytes } from "node:crypto";
import type { SentinelError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { reach } from "../../files/fault-points.ts";
import { fileError } from "../../files/file-errors.ts";
import type { Event, EventDraft } from "../event.ts";
import { IDENTITY_BYTES } from "../event-id.ts";
import { type Prepared, prepare } from "../prepare.ts";
import type { Redactor } from "../redactor.ts";
import type {
  Changes,
  Cursor,
  EventQuery,
  EventStore,
  Purged,
  PurgeTarget,
  Retained,
  RetentionLimits,
  Statistics,
} from "../store.ts";
import { changesSince } from "./changes.ts";
import { dayOf } from "./day-files.ts";
import { writeEventLine } from "./event-line.ts";
import { draftsNotStored } from "./not-stored.ts";
import { finishPurges, planPurge, purge, takeOut } from "./purge.ts";
import { findPurge } from "./purged-list.ts";
import { findEvents, readEvents } from "./read-events.ts";
import { type RecordFiles, recordFiles, withRecordLock } from "./record-files.ts";
import { retain } from "./retain.ts";
import { statisticsOf } from "./statistics.ts";

export interface JsonlEventStoreOptions {
  /** The record's own folder; it need not exist. */
  readonly folder: string;
  readonly redactor: Redactor;
  /** Ms since 1970. */
  readonly now: () => number;
}

export class JsonlEventStore implements EventStore {
  readonly location: string;
  readonly #redactor: Redactor;
  readonly #now: () => number;
  readonly #files: RecordFiles;

  /** Opens nothing: a record of any size costs nothing until it is read. */
  constructor({ folder, redactor, now }: JsonlEventStoreOptions) {
    this.location = folder;
    this.#redactor = redactor;
    this.#now = now;
    this.#files = recordFiles(folder);
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly (Event | undefined)[]> {
    const now = this.#now();
    const random = randomBytes(IDENTITY_BYTES * drafts.length);
    const prepared = drafts.map((draft, at) =>
      prepare(draft, { redactor: this.#redactor, now, random: random.subarray(IDENTITY_BYTES * at) }),
    );
    return this.#writing(() => this.#store(prepared, now));
  }

  notStored(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    return this.#reading(() => draftsNotStored(this.#files, drafts));
  }

  async *read(query: EventQuery = {}): AsyncGenerator<Event> {
    try {
      yield* readEvents(this.#files, query);
    } catch (error) {
      throw this.#readError(error);
    }
  }

  find(ids: readonly string[]): Promise<readonly Event[]> {
    return this.#reading(() => findEvents(this.#files, ids));
  }

  changes(since?: Cursor): Promise<Changes> {
    return this.#reading(() => changesSince(this.#files, since));
  }

  artifact(id: string): Promise<string | undefined> {
    return this.#reading(() => this.#files.artifacts.read(id));
  }

  toPurge(target: PurgeTarget): Promise<Purged> {
    return this.#reading(() => planPurge(this.#files, target));
  }

  purge(target: PurgeTarget): Promise<Purged> {
    const at = new Date(this.#now()).toISOString();
    return this.exclusively(() => purge(this.#files, target, at));
  }

  retain(limits: RetentionLimits): Promise<Retained> {
    return this.exclusively(() => retain(this.#files, limits, this.#now()));
  }

  statistics(): Promise<Statistics> {
    return this.#reading(() => statisticsOf(this.#files));
  }

  exclusively<Result>(act: () => Promise<Result>): Promise<Result> {
    return this.#writing(() =>
      withRecordLock(this.location, async () => {
        await finishPurges(this.#files);
        return act();
      }),
    );
  }

  async #store(prepared: readonly Prepared[], now: number): Promise<readonly (Event | undefined)[]> {
    const { days, artifacts, purged } = this.#files;
    const before = await purged.read();
    const accepted = prepared.filter(({ event }) => !findPurge(before.purges, event));
    const texts = accepted.flatMap((event) => [...event.artifacts]);
    for (const [id, text] of texts) artifacts.keep(id, text, now);
    const events = accepted.map(({ event }) => event);
    for (const [day, ofDay] of groupBy(events, dayOf)) days.append(day, ofDay.map(writeEventLine));
    // Whoever removed an artifact in between saw no event that has it.
    for (const [id, text] of texts) if (!artifacts.has(id)) artifacts.keep(id, text, now);
    reach("acknowledging");
    const after = await purged.read();
    const late = after === before ? [] : events.filter((event) => findPurge(after.purges, event));
    // A purge of the same events may have rewritten their day before they came.
    if (late.length > 0) await this.exclusively(() => takeOut(this.#files, late));
    return prepared.map(({ event }) => (findPurge(after.purges, event) ? undefined : event));
  }

  async #reading<Result>(read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      throw this.#readError(error);
    }
  }

  #readError(error: unknown): SentinelError {
    return fileError(error, "read_failed", `reading the record in ${this.location}`);
  }

  async #writing<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      throw fileError(error, "write_failed", `writing the record in ${this.location}`);
    }
  }
}
