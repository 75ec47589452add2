/** Views and policies that an operator set for a tenant, and lessons that clones pushed: the tenant shares them besides its session log. */
import { SentinelError } from "../../ground/core/errors.ts";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { memoryIn, unite } from "../../lessons/changes/unite.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import type { Opened, Shared } from "../http/caller.ts";
import { Database, type Identity } from "./database.ts";
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";

const SHARED =
  "select p_texts as texts, p_number as number, p_commit as commit from sentinel.shared_by($1)";
const LESSONS = "select line from sentinel.lessons";
const PUSH = "select sentinel.push_lessons($1, $2, $3, $4, $5) as done";
/** All lines of a tenant together have no more. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The lessons of these are kept as they were read. */
const TENANTS_KEPT = 25;

export class SharedByTenants {
  readonly #pool: Pool;
  readonly #memories = new RecentCache<{ readonly number: number; readonly memory: Snapshot }>(
    TENANTS_KEPT,
  );

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @returns also the lessons; undefined where none were pushed. */
  async read(tenant: string): Promise<Shared> {
    try {
      const { rows } = await this.#pool.query(SHARED, [tenant]);
      const { texts, number, commit } = rows[0];
      const lessons = number === 0 ? undefined : await this.#memory(tenant, number);
      return { texts: new Map(Object.entries(texts)), number, commit, lessons };
    } catch (error) {
      throw databaseError(error, "read_failed", "Reading the tenant's shared texts");
    }
  }

  /** @param words are never stored for the tenant. @throws as `Opened.push` does. */
  async push(
    { tenant, owner }: Identity,
    push: Parameters<Opened["push"]>[0],
    words: OwnWords,
    now: number,
  ) {
    const last = await this.read(tenant);
    // An answer that was lost is asked for again.
    const isAgain = last.commit === push.commit;
    if (!isAgain && last.number !== push.after) throw stale();
    const { lines, outcome } = unite(last.lessons ?? memoryIn([]), push.lines, words, now);
    if (lines.reduce((bytes, line) => bytes + Buffer.byteLength(line), 0) > MOST_BYTES)
      throw tooLarge();
    const values = [tenant, owner, last.number, push.commit, lines];
    const { rows } = await this.#pool.query<{ done: boolean }>(PUSH, values).catch((error) => {
      throw databaseError(error, "write_failed", "Storing the lessons");
    });
    if (!rows[0]?.done) throw stale();
    return outcome;
  }

  async #memory(tenant: string, number: number): Promise<Snapshot> {
    const known = this.#memories.get(tenant);
    if (known?.number === number) return known.memory;
    const team = new Database(this.#pool, { tenant, owner: "", channel: "team" });
    const rows = await team.reading((query) => query<{ line: string }>(LESSONS));
    const memory = memoryIn(rows.map(({ line }) => line));
    this.#memories.set(tenant, { number, memory });
    return memory;
  }
}

const stale = (): SentinelError =>
  new SentinelError(
    "stale_reference",
    "A later push came first, so nothing was changed.",
    "git fetch, then sentinel-memory lessons push.",
  );

const tooLarge = (): SentinelError =>
  new SentinelError(
    "too_large",
    `All lessons together would have more than ${MOST_BYTES.toLocaleString("en")} bytes, so nothing was changed.`,
    "Compact or forget some, then push again.",
  );
