/** The list of purges, `state/purged.jsonl`. It keeps captures from storing purged events again. (docs/design/sessions.md, "Purge and retention") */

import { hash, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { sumBy } from "../../ground/core/collections.ts";
import { parseJson } from "../../ground/core/errors.ts";
import { appendLines, readLog } from "../../ground/files/append-log.ts";
import { makePrivateFolder, OWNER_ONLY } from "../../ground/files/private-file.ts";
import { lookAt } from "../../ground/files/replace-file.ts";
import { type Event, identityIn } from "../kinds/event.ts";

const SALT_BYTES = 16;
const HASH_LENGTH = 22;

/** A line of the list: the beginning of a purge, or without `hashes` its end. */
interface Line {
  readonly salt: string;
  /** ISO 8601. */
  readonly at?: string;
  /** Hashes of whole sessions are under `sessions`, and hashes of events under any other name. Earlier builds grouped them by kind. */
  readonly hashes?: Readonly<Record<string, readonly string[]>>;
}

interface Purge {
  readonly salt: string;
  /** Hashes of the events. */
  readonly events: ReadonlySet<string>;
  /** Hashes of the sessions that were purged as a whole. Absent from most purges. */
  readonly sessions: readonly string[];
}

/** The list at one moment. */
export interface PurgedNow {
  readonly purges: readonly Purge[];
  readonly pending: readonly Purge[];
}

type Named = Pick<Event, "id" | "session">;

export class PurgedList {
  readonly #path: string;
  #stamp: string | undefined = "never read";
  #now: PurgedNow = { purges: [], pending: [] };

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the file only if it has changed. */
  async read(): Promise<PurgedNow> {
    const stamp = lookAt(this.#path)?.stamp;
    if (stamp === this.#stamp) {
      return this.#now;
    }
    const { entries } = await readLog(this.#path, readLine);
    const purges = entries.map(toPurge).filter((purge) => purge !== undefined);
    const ends = entries.filter(({ hashes }) => hashes === undefined);
    const done = new Set(ends.map(({ salt }) => salt));
    this.#now = { purges, pending: purges.filter(({ salt }) => !done.has(salt)) };
    this.#stamp = stamp;
    return this.#now;
  }

  /** Notes the events that a purge is about to remove. @param session is set if the purge covers the whole session, later events too. */
  begin(events: Iterable<Event>, session: string | undefined, at: string): void {
    const salt = randomBytes(SALT_BYTES).toString("hex");
    const hashes = {
      events: Array.from(events, ({ id }) => hashOf(salt, identityIn(id))),
      sessions: session === undefined ? [] : [hashOf(salt, session)],
    };
    makePrivateFolder(dirname(this.#path));
    this.#append([{ salt, at, hashes }]);
  }

  /** Notes that all pending purges are done. */
  async finish(): Promise<void> {
    const { pending } = await this.read();
    this.#append(pending.map(({ salt }) => ({ salt })));
  }

  #append(lines: readonly Line[]): void {
    const texts = lines.map((line) => JSON.stringify(line));
    appendLines(this.#path, texts, OWNER_ONLY);
  }
}

/** Whether one of these purges removed an event. */
export function purgedBy(purges: readonly Purge[]): (event: Named) => boolean {
  return ({ id, session }) =>
    purges.some(
      ({ salt, events, sessions }) =>
        events.has(hashOf(salt, identityIn(id))) ||
        (sessions.length > 0 && sessions.includes(hashOf(salt, session))),
    );
}

/** The number of events that these purges removed. */
export const countPurged = (purges: readonly Purge[]): number =>
  sumBy(purges, ({ events }) => events.size);

function hashOf(salt: string, name: string): string {
  return hash("sha256", `${salt} ${name}`, "base64url").slice(0, HASH_LENGTH);
}

function readLine(text: string): Line | undefined {
  const line = parseJson<Line>(text);
  return typeof line?.salt === "string" ? line : undefined;
}

/** Undefined for the end of a purge. */
function toPurge({ salt, hashes }: Line): Purge | undefined {
  if (hashes === undefined) {
    return undefined;
  }
  const { sessions = [], ...ofEvents } = hashes;
  return { salt, events: new Set(Object.values(ofEvents).flat()), sessions };
}
