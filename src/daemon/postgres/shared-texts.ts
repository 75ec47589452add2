/** Views, policies and lessons that an operator set for a tenant. They are for agents without a clone. */
import { SentinelError } from "../../ground/core/errors.ts";
import { RecentCache } from "../../ground/core/memoize.ts";
import { importVersions } from "../../lessons/changes/import.ts";
import { parseFile } from "../../lessons/format/file-lines.ts";
import { fold } from "../../lessons/merge/fold.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Shared } from "../http/caller.ts";
import { privacyOf, type TenantPrivacy } from "../tenant-redactor.ts";
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";

/** The file with the tenant's lessons. */
export const LESSONS_FILE = "memory_log.jsonl";

const SHARED =
  "select p_version as version, p_texts as texts from sentinel.shared_texts($1, $2, $3)";
/** The number of parsed texts to cache. Each tenant and channel is an entry. */
const KEPT = 25;

interface Known {
  readonly version: number;
  readonly shared: Shared;
}

/** Reads the shared texts of tenants. Parsed texts are reused until the tenant's version changes. */
export class SharedTexts {
  readonly #pool: Pool;
  readonly #known = new RecentCache<Known>(KEPT);

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns the texts that a reader of this channel may see. A reader of `public` sees no lessons. */
  async read(tenant: string, channel: Channel): Promise<Shared> {
    const key = JSON.stringify([tenant, channel]);
    const known = this.#known.get(key);
    try {
      type Row = { readonly version: number; readonly texts: Record<string, string> | null };
      const { rows } = await this.#pool.query<Row>(SHARED, [tenant, channel, known?.version]);
      const [row] = rows;
      if (known && row?.version === known.version) return known.shared;
      const shared = sharedIn(row?.texts ?? {});
      this.#known.set(key, { version: row?.version ?? 0, shared });
      return shared;
    } catch (error) {
      throw databaseError(error, "read_failed", "Reading the tenant's shared texts");
    }
  }
}

function sharedIn(all: Readonly<Record<string, string>>): Shared {
  const { [LESSONS_FILE]: lessons = "", ...texts } = all;
  return {
    texts: new Map(Object.entries(texts)),
    lessons: lessons === "" ? undefined : fold(parseFile(Buffer.from(lessons)).versions),
  };
}

/** Refuses lessons that can't be parsed, or that contain a secret or anything that the tenant never stores. @throws SentinelError `bad_argument` */
export async function checkLessons(text: string, tenant: TenantPrivacy): Promise<void> {
  if (text === "") return;
  const words = privacyOf(tenant).forStoring();
  const { refused, redacted, records } = importVersions(Buffer.from(text), words);
  const [first] = refused;
  if (first)
    throw new SentinelError(
      "bad_argument",
      `${LESSONS_FILE}, line ${first.number}: ${first.reason} Nothing was stored.`,
      "Run sentinel-memory doctor in the clone, then set the file again.",
    );
  if (records === 0)
    throw new SentinelError(
      "bad_argument",
      `${LESSONS_FILE} contains no lesson. Nothing was stored.`,
      "Give the file from .context. An empty file removes the lessons.",
    );
  if (redacted > 0)
    throw new SentinelError(
      "bad_argument",
      `${redacted} lessons in ${LESSONS_FILE} contain a secret, a private passage or words that the tenant never stores. Nothing was stored.`,
      "In the clone, sentinel-memory check lists them, and sentinel-memory purge ID removes one. Then set the file again.",
    );
}
