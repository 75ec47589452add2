/** Purges a person's events (docs/design/daemon.md, "Purging"). Only the person who recorded an event can purge it. */
import type { Kind } from "../../sessions/kinds/event.ts";
import type { Purged, PurgeTarget } from "../../sessions/store.ts";
import { identitiesIn, nonBlank, purgeMatcher } from "../../sessions/storing/removal.ts";
import type { Database, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { toStorable } from "./storable-text.ts";

const PURGE =
  "select p_kinds, p_artifacts from sentinel.purge_events($1, $2, $3, $4::text[], $5, $6)";
const LOCK = "select pg_advisory_xact_lock(sentinel.write_lock($1, $2))";

/** Events per page. */
const PAGE = 500;
/** Selects events that may contain a text. `purgeMatcher` decides, because it ignores field names. */
const MAY_MENTION = `select ${EVENT_COLUMNS} from sentinel.events where owner = $1 and (
  strpos(content::text, $3) > 0 or strpos(place::text, $3) > 0
  or strpos(concat_ws(' ', session, agent, actor_id, origin), $2) > 0
  or exists (select from unnest(refs || tags) as said where strpos(said, $2) > 0)
  or artifacts && $4::text[])
  and (ts, key) > ($5::timestamptz, $6) order by ts, key limit ${PAGE}`;
const ARTIFACTS_WITH =
  "select id from sentinel.artifacts where owner = $1 and strpos(text, $2) > 0";

/** Purges events, or only counts them for a plan. */
export function purge(
  database: Database,
  target: PurgeTarget,
  how: "plan" | "do it",
): Promise<Purged> {
  const { tenant, owner, channel } = database.identity;
  return database.writing(async (query) => {
    // Lock, so that no events of the person are appended between the search and the purge.
    if (how === "do it") await query(LOCK, [tenant, owner]);
    const session = "session" in target ? toStorable(target.session) : null;
    const keys = "session" in target ? [] : await keysOf(query, owner, target);
    const [purged] = await query<{
      p_kinds: Partial<Record<Kind, number>> | null;
      p_artifacts: number;
    }>(PURGE, [tenant, owner, channel, keys, session, how === "plan"]);
    const kinds = purged?.p_kinds ?? {};
    const events = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    return { events, kinds, artifacts: purged?.p_artifacts ?? 0 };
  });
}

async function keysOf(
  query: Query,
  owner: string,
  target: { readonly ids: readonly string[] } | { readonly text: string },
): Promise<string[]> {
  if ("ids" in target) return [...identitiesIn(target.ids)].map(toStorable);
  const text = nonBlank(target.text);
  const stored = toStorable(text);
  const withText = (await query<{ id: string }>(ARTIFACTS_WITH, [owner, stored])).map(
    ({ id }) => id,
  );
  const matches = purgeMatcher(target, new Set(withText));
  const asked = [owner, stored, JSON.stringify(text).slice(1, -1), withText];
  const keys: string[] = [];
  let after: readonly [ts: string, key: string] = ["-infinity", ""];
  for (;;) {
    const rows = await query<EventRow>(MAY_MENTION, [...asked, ...after]);
    keys.push(...rows.filter((row) => matches(eventOf(row))).map(({ key }) => key));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return keys;
    after = [new Date(last.ms).toISOString(), last.key];
  }
}
