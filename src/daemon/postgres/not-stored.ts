/** Which drafts are stored already, when a transcript is read again. */
import type { EventDraft } from "../../sessions/kinds/event.ts";
import { identityFrom } from "../../sessions/kinds/event-id.ts";
import { checkDraft } from "../../sessions/storing/check-draft.ts";
import type { Database } from "./database.ts";

const STORED = `select key, to_char(ts at time zone 'UTC', 'YYYY-MM-DD') as day from sentinel.event_keys
  where key = any ($1) and owner = $2 and ts is not null`;

/**
 * The drafts that the store does not hold on their day; a draft without time and origin is new.
 * @throws SentinelError `bad_argument`, as an append of them does.
 */
export async function draftsNotStored(
  database: Database,
  drafts: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  for (const draft of drafts) checkDraft(draft);
  const keys = drafts.flatMap(({ origin }) => (origin === undefined ? [] : identityFrom(origin)));
  const rows = await database.reading((read) =>
    read<{ key: string; day: string }>(STORED, [keys, database.identity.owner]),
  );
  const days = new Map(rows.map(({ key, day }) => [key, day]));
  return drafts.filter(({ origin, ts }) => {
    const day = origin === undefined ? undefined : days.get(identityFrom(origin));
    const time = Date.parse(ts ?? "");
    return day === undefined || Number.isNaN(time) || day !== new Date(time).toISOString().slice(0, 10);
  });
}
