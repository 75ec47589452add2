/** The purges, in `state/purged.jsonl`, so that no capture brings back what went (docs/design/sessions.md, "Purge and retention"). */
import { hash, randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { appendLines, readLog } from "../../ground/files/append-log.ts";
import { makePrivateFolder, OWNER_ONLY } from "../../ground/files/private-file.ts";
import { lookAt } from "../../ground/files/replace-file.ts";
import { type Event, identityIn, type Kind } from "../kinds/event.ts";

const SALT_BYTES = 16;
const HASH_LENGTH = 22;

/** A line of the list: a purge, or that one is done. */
interface Line {
  readonly salt: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly hashes?: Readonly<Partial<Record<Kind | "sessions", readonly string[]>>>;
}

/** Its hashes are of events that went, and of sessions that went whole: for most purges there are none of these to look for. */
type Purge = Readonly<ReturnType<typeof toPurge>[number]>;

/** What the list said when it was read. */
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

  /** Read again only after it has changed. */
  async read(): Promise<PurgedNow> {
    const stamp = lookAt(this.#path)?.stamp;
    if (stamp === this.#stamp) return this.#now;
    const { entries } = await readLog(this.#path, readLine);
    const purges = entries.flatMap(toPurge);
    const done = new Set(
      entries.filter(({ hashes }) => hashes === undefined).map(({ salt }) => salt),
    );
    this.#now = { purges, pending: purges.filter(({ salt }) => !done.has(salt)) };
    this.#stamp = stamp;
    return this.#now;
  }

  /** Notes what is about to go, and the session of it where all of that goes, also what was not recorded yet. */
  begin(events: Iterable<Event>, session: string | undefined, at: string): void {
    const salt = randomBytes(SALT_BYTES).toString("hex");
    const named = [...groupBy(events, ({ kind }) => kind)].map(([kind, ofKind]) => {
      return [kind, ofKind.map(({ id }) => hashOf(salt, identityIn(id)))] as const;
    });
    const hashes = {
      ...Object.fromEntries(named),
      ...(session !== undefined && { sessions: [hashOf(salt, session)] }),
    };
    makePrivateFolder(dirname(this.#path));
    this.#append([{ salt, at, hashes }]);
  }

  /** Notes that everything went whose purge was begun. */
  async finish(): Promise<void> {
    const { pending } = await this.read();
    this.#append(pending.map(({ salt }) => ({ salt })));
  }

  #append(lines: readonly Line[]): void {
    const texts = lines.map((line) => JSON.stringify(line));
    appendLines(this.#path, texts, OWNER_ONLY);
  }
}

/** Says of an event whether one of these purges took it. */
export function purgedBy(purges: readonly Purge[]): (event: Named) => boolean {
  return ({ id, session }) =>
    purges.some(
      ({ salt, events, sessions }) =>
        events.has(hashOf(salt, identityIn(id))) ||
        (sessions.length > 0 && sessions.includes(hashOf(salt, session))),
    );
}

/** How many events a list of purges took. */
export const countPurged = (purges: readonly Purge[]): number =>
  purges.reduce((sum, { events }) => sum + events.size, 0);

function hashOf(salt: string, name: string): string {
  return hash("sha256", `${salt} ${name}`, "base64url").slice(0, HASH_LENGTH);
}

function readLine(text: string): Line | undefined {
  const line = tryOr(() => JSON.parse(text), undefined);
  return typeof line?.salt === "string" ? line : undefined;
}

function toPurge({ salt, hashes }: Line) {
  if (hashes === undefined) return [];
  const { sessions = [], ...ofEvents } = hashes;
  // Earlier lines have whole sessions under the name of the kind.
  const wholeSessions = [...sessions, ...(ofEvents.session ?? [])];
  return [{ salt, events: new Set(Object.values(ofEvents).flat()), sessions: wholeSessions }];
}
