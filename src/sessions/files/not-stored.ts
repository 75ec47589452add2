/** Which drafts are stored already, when a transcript is read again. Holds no more than one day at a time. */
import { groupBy } from "../../ground/core/group-by.ts";
import { linesOf } from "../../ground/files/append-log.ts";
import type { EventDraft } from "../kinds/event.ts";
import { identityFrom } from "../kinds/event-id.ts";
import { dayOf } from "./day-files.ts";
import { identityInLine } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";

/** The drafts that the store does not hold on their day; a draft without time and origin is new. */
export async function draftsNotStored(
  { days }: LogFiles,
  drafts: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  const stored = new Set<EventDraft>();
  for (const [day, ofDay] of groupBy(drafts, dayOfDraft)) {
    if (day === undefined) continue;
    const byIdentity = new Map(ofDay.map((draft) => [identityFrom(draft.origin ?? ""), draft]));
    for (const { bytes } of await days.read(day)) {
      for (const line of linesOf(bytes)) {
        const draft = byIdentity.get(identityInLine(line) ?? "");
        if (draft) stored.add(draft);
      }
    }
  }
  return drafts.filter((draft) => !stored.has(draft));
}

function dayOfDraft({ ts, origin }: EventDraft): string | undefined {
  const time = Date.parse(ts ?? "");
  return origin === undefined || Number.isNaN(time) ? undefined : dayOf({ ts: new Date(time).toISOString() });
}
