/** The record in files of its own folder (DESIGN.md, "The record"). */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { groupBy } from "../../core/grouping.ts";
import { fileError } from "../../files/file-errors.ts";
import type { Event, EventDraft } from "../event.ts";
import { IDENTITY_BYTES } from "../event-id.ts";
import { prepare } from "../prepare.ts";
import type { Redactor } from "../redactor.ts";
import type { EventQuery, EventStore } from "../store.ts";
import { Artifacts } from "./artifacts.ts";
import { DayFiles, dayOf } from "./day-files.ts";
import { writeEventLine } from "./event-line.ts";
import { findEvents, readEvents } from "./read-events.ts";

export interface JsonlEventStoreOptions {
  /** The record's own folder; it need not exist. */
  readonly folder: string;
  readonly redactor: Redactor;
  /** Ms since 1970. */
  readonly now: () => number;
}

export class JsonlEventStore implements Pick<EventStore, "location" | "append" | "read" | "find" | "artifact"> {
  readonly location: string;
  readonly #redactor: Redactor;
  readonly #now: () => number;
  readonly #days: DayFiles;
  readonly #artifacts: Artifacts;

  constructor({ folder, redactor, now }: JsonlEventStoreOptions) {
    this.location = folder;
    this.#redactor = redactor;
    this.#now = now;
    this.#days = new DayFiles(join(folder, "events"));
    this.#artifacts = new Artifacts(join(folder, "artifacts"));
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly (Event | undefined)[]> {
    const now = this.#now();
    const random = randomBytes(IDENTITY_BYTES * drafts.length);
    const prepared = drafts.map((draft, at) =>
      prepare(draft, { redactor: this.#redactor, now, random: random.subarray(IDENTITY_BYTES * at) }),
    );
    try {
      for (const { artifacts } of prepared) for (const [id, text] of artifacts) this.#artifacts.keep(id, text, now);
      const events = prepared.map(({ event }) => event);
      for (const [day, ofDay] of groupBy(events, dayOf)) this.#days.append(day, ofDay.map(writeEventLine));
      return events;
    } catch (error) {
      throw fileError(error, "write_failed", `writing the record in ${this.location}`);
    }
  }

  read(query: EventQuery = {}): AsyncIterable<Event> {
    return readEvents(this.#days, query);
  }

  find(ids: readonly string[]): Promise<readonly Event[]> {
    return findEvents(this.#days, ids);
  }

  artifact(id: string): Promise<string | undefined> {
    return this.#artifacts.read(id);
  }
}
