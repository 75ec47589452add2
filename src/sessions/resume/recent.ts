/** Events in brief: which ones resuming and projections need, and how much of each. Pure. (docs/design/sessions.md, "Resuming") */
import { present } from "../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { cutRedacted, type RedactedText } from "../../ground/redaction/redact.ts";
import {
  type BriefEvent,
  type Content,
  identityIn,
  inBrief,
  inTime,
  type Json,
  sessionKey,
} from "../kinds/event.ts";
import { type Slot, slot } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";

/** Whole UTC days before today in the recent window. Resuming never needs events older than 14 days. */
const RECENT_DAYS = 13;
/** The first UTC day of the recent window. @param now in ms since 1970. */
export const firstRecentDay = (now: number): string =>
  dateOf(new Date(now - RECENT_DAYS * DAY_MS).toISOString());

/** Whether the ledger has events of this kind from any time. */
export const isInLedger = ({ kind }: Pick<BriefEvent, "kind">): boolean =>
  kindNamed(kind)?.isInLedger === true;

/** The last events of each list per session, in brief and in order of time. @param events of a day, in any order. */
export function briefsOf(events: readonly BriefEvent[]): BriefEvent[] {
  return keep(events.map(briefOf).filter((brief) => brief !== undefined));
}

/** Briefs in order of time, each once per person. The earliest copy counts. */
export function briefsInOrder(briefs: Iterable<BriefEvent>): BriefEvent[] {
  const seen = new Set<string>();
  return inTime(briefs).filter(({ id, person = "" }) => {
    const name = `${identityIn(id)} ${person}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** A shortened event, or undefined for a secret one and if nothing needs it. */
function briefOf(event: BriefEvent): BriefEvent | undefined {
  if (event.sensitivity === "secret") return undefined;
  if (isInLedger(event)) return inBrief(event, short(event.content));
  const content = kindNamed(event.kind)?.brief?.(event);
  return content && inBrief(event, content);
}

function keep(events: readonly BriefEvent[]): BriefEvent[] {
  const sessions = new Map<string, Map<string, Set<string>>>();
  const newestFirst = inTime(events).reverse();
  const isKept = (event: BriefEvent) => {
    const session = sessionKey(event);
    const lists = sessions.get(session) ?? new Map();
    sessions.set(session, lists);
    return slotsOf(event).filter((slot) => take(slot, lists)).length > 0;
  };
  return newestFirst.filter(isKept).reverse();
}

function take({ list, name, most }: Slot, lists: Map<string, Set<string>>): boolean {
  const names = lists.get(list) ?? new Set();
  lists.set(list, names);
  if (names.has(name) || names.size >= most) return false;
  names.add(name);
  return true;
}

/** Always keeps a session's last event and its last event with a branch, which give the end and the branch. */
function slotsOf(event: BriefEvent): Slot[] {
  const hasBranch = event.place?.branch !== undefined;
  const ofKind = kindNamed(event.kind)?.slots?.(event) ?? [];
  return present(slot("last", "", 1), hasBranch && slot("branch", "", 1), ...ofKind);
}

/** The most characters of a text. ITEMS is the most items of a list. */
const TEXT = 1_000;
const ITEMS = 20;
const FIELD = 80;

function short(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name.slice(0, FIELD), shortValue(value)]),
  );
}

function shortValue(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return cutRedacted(value as RedactedText, TEXT);
  if (Array.isArray(value))
    return value.slice(0, ITEMS).map((item: Json) => shortValue(item) as Json);
  if (typeof value === "object" && value !== null) return short(value as Content);
  return value;
}
