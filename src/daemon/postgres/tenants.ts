/** Tenants, which are session logs that people share, and their views, policies and lessons for agents without a clone. */
import { sumBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { RecentCache } from "../../ground/core/memoize.ts";
import { importVersions } from "../../lessons/changes/import.ts";
import { parseFile } from "../../lessons/format/file-lines.ts";
import { fold } from "../../lessons/merge/versions.ts";
import type { Channel } from "../../sessions/kinds/event.ts";
import type { Shared } from "../http/caller.ts";
import { privacyOf, type TenantPrivacy } from "../tenant-redactor.ts";
import { inTransaction, type Pool, type PoolClient, WITHOUT_HASTE } from "./database.ts";
import { databaseError, ownersFailure } from "./database-error.ts";

export interface ListedTenant {
  readonly name: string;
  /** Days to keep events. Null keeps them forever. */
  readonly keepDays: number | null;
  readonly createdAt: Date;
  /** The number of valid tokens. `persons` is the number of their holders. */
  readonly tokens: number;
  readonly persons: number;
}

const INSERT = "insert into sentinel.tenants (name) values ($1) on conflict do nothing";
const SET = `update sentinel.tenants set privacy = coalesce($2, privacy), keep_days = coalesce($3, keep_days)
  where name = $1 returning name`;
const SET_TEXTS = `update sentinel.tenants set texts = texts || $2, texts_version = texts_version + 1
  where name = $1 returning texts`;
const PRIVACY = "select privacy from sentinel.tenants where name = $1 for update";
const LIST = `select t.name, t.keep_days as "keepDays", t.created_at as "createdAt", count(id)::int as tokens,
    count(distinct owner)::int as persons
  from sentinel.tenants t left join sentinel.tokens k on k.tenant = t.name and sentinel.is_valid(k)
  group by t.name order by t.name`;
const DELETE = "select sentinel.delete_tenant($1)::float8 as events";
const EXPIRE = "select sentinel.expire_some()::float8 as gone";
/** The most bytes of all texts of a tenant together. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Creates a tenant if it doesn't exist. @throws SentinelError `bad_argument` */
export async function createTenant(pool: Pool, name: string): Promise<void> {
  checkName("tenant", name);
  await runAsOwner(pool, INSERT, [name]);
}

/** Sets the tenant's privacy.yaml, or the number of days to keep events. @throws SentinelError `not_found` */
export async function setRules(
  pool: Pool,
  name: string,
  rules: { readonly privacy?: string; readonly keepDays?: number },
): Promise<void> {
  const changed = await runAsOwner(pool, SET, [name, rules.privacy, rules.keepDays]);
  if (changed.length === 0) {
    throw noTenant(name);
  }
}

/**
 * Sets texts by file name. Other texts stay.
 * @returns the names of all texts that aren't empty.
 * @throws SentinelError `not_found`, `too_large`, `bad_argument` if a lesson contains something that the tenant never stores.
 */
export async function setTexts(
  pool: Pool,
  name: string,
  texts: ReadonlyMap<string, string>,
): Promise<string[]> {
  return inTransaction(pool, WITHOUT_HASTE, async (client) => {
    const [tenant] = await runAsOwner<{ readonly privacy: string }>(client, PRIVACY, [name]);
    if (!tenant) {
      throw noTenant(name);
    }
    const lessons = texts.get(LESSONS_FILE);
    if (lessons !== undefined) {
      await checkLessons(lessons, { tenant: name, privacy: tenant.privacy });
    }
    const [changed] = await runAsOwner<{ readonly texts: Record<string, string> }>(
      client,
      SET_TEXTS,
      [name, Object.fromEntries(texts)],
    );
    const filled = Object.entries(changed?.texts ?? {}).filter(([, text]) => text !== "");
    const bytes = sumBy(filled, ([, text]) => Buffer.byteLength(text));
    if (bytes > MOST_BYTES) {
      throw tooLarge();
    }
    return filled.map(([file]) => file).sort();
  }).catch(ownersFailure("Setting the texts of a tenant"));
}

function tooLarge(): SentinelError {
  return new SentinelError(
    "too_large",
    `All texts of the tenant together would have more than ${MOST_BYTES.toLocaleString("en")} bytes. Nothing was changed.`,
    "Compact or forget some lessons, then set the file again.",
  );
}

export function listTenants(pool: Pool): Promise<readonly ListedTenant[]> {
  return runAsOwner(pool, LIST);
}

/** Deletes a tenant with its tokens and events. @returns the number of events. @throws SentinelError `not_found` */
export async function deleteTenant(pool: Pool, name: string): Promise<number> {
  const gone = await inTransaction(pool, WITHOUT_HASTE, (client) =>
    runAsOwner<{ readonly events: number | null }>(client, DELETE, [name]),
  ).catch(ownersFailure("Deleting a tenant"));
  const events = gone[0]?.events;
  if (typeof events !== "number") {
    throw noTenant(name);
  }
  return events;
}

/** Deletes expired events of all tenants, 10,000 of one person at a time. */
export async function expireEvents(pool: Pool): Promise<void> {
  for (;;) {
    const [some] = await runAsOwner<{ readonly gone: number | null }>(pool, EXPIRE);
    if (typeof some?.gone !== "number") {
      return;
    }
  }
}

const NAME = /^[^\p{C}]{1,200}$/u;

/** Validates a tenant's or person's name, which appears in lists and logs. @throws SentinelError `bad_argument` */
export function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.trim() === name) {
    return;
  }
  throw new SentinelError(
    "bad_argument",
    `${field} is not a name.`,
    "Give it 1 to 200 characters, without control characters and without blanks at its ends.",
  );
}

export function noTenant(name: string): SentinelError {
  return new SentinelError(
    "not_found",
    `There is no tenant "${name}".`,
    "sentinel-memory daemon tenant list shows the tenants. To create one: sentinel-memory daemon tenant create NAME",
  );
}

/** Returns the rows of a statement. @throws SentinelError `role_refused` if the role may not run it. */
export async function runAsOwner<Row extends object>(
  on: Pool | PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const result = await on.query(sql, [...values]).catch(failed);
  return result.rows as Row[];
}

const failed = ownersFailure("Reading or changing tenants and tokens");

/** The file with the tenant's lessons. */
const LESSONS_FILE = "memory_log.jsonl";

const SHARED =
  "select p_version as version, p_texts as texts from sentinel.shared_texts($1, $2, $3)";
/** The number of parsed texts to cache. Each tenant and channel is an entry. */
const KEPT = 25;

interface Known {
  readonly version: number;
  readonly shared: Shared;
}

/**
 * Returns a function that reads the texts that a reader of a channel may see. A reader of `public` sees no lessons. Parsed texts are reused
 * until the tenant's version changes.
 */
export function sharedTexts(pool: Pool): (tenant: string, channel: Channel) => Promise<Shared> {
  const cache = new RecentCache<Known>(KEPT);
  return async (tenant, channel) => {
    const key = JSON.stringify([tenant, channel]);
    const known = cache.get(key);
    try {
      type Row = { readonly version: number; readonly texts: Record<string, string> | null };
      const { rows } = await pool.query<Row>(SHARED, [tenant, channel, known?.version]);
      const [row] = rows;
      if (known && row?.version === known.version) {
        return known.shared;
      }
      const shared = sharedIn(row?.texts ?? {});
      cache.set(key, { version: row?.version ?? 0, shared });
      return shared;
    } catch (error) {
      throw databaseError(error, "read_failed", "Reading the tenant's shared texts");
    }
  };
}

function sharedIn(all: Readonly<Record<string, string>>): Shared {
  const { [LESSONS_FILE]: lessons = "", ...texts } = all;
  return {
    texts: new Map(Object.entries(texts)),
    lessons: lessons === "" ? undefined : fold(parseFile(Buffer.from(lessons)).versions),
  };
}

/** Refuses lessons that can't be parsed, or that contain a secret or anything that the tenant never stores. @throws SentinelError `bad_argument` */
async function checkLessons(text: string, tenant: TenantPrivacy): Promise<void> {
  if (text === "") {
    return;
  }
  const words = privacyOf(tenant).forStoring();
  const { refused, redacted, records } = importVersions(Buffer.from(text), words);
  const [first] = refused;
  if (first) {
    throw new SentinelError(
      "bad_argument",
      `${LESSONS_FILE}, line ${first.number}: ${first.reason} Nothing was stored.`,
      "Run sentinel-memory doctor in the clone, then set the file again.",
    );
  }
  if (records === 0) {
    throw new SentinelError(
      "bad_argument",
      `${LESSONS_FILE} contains no lesson. Nothing was stored.`,
      "Give the file from .context. An empty file removes the lessons.",
    );
  }
  if (redacted > 0) {
    throw new SentinelError(
      "bad_argument",
      `${redacted} lessons in ${LESSONS_FILE} contain a secret, a private passage or words that the tenant never stores. Nothing was stored.`,
      "In the clone, sentinel-memory check lists them, and sentinel-memory purge ID removes one. Then set the file again.",
    );
  }
}
