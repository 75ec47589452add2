/** The ledger: decisions, tasks, pins and handoffs from any time. Pure. (docs/design/sessions.md, "Resuming") */
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import {
  type BriefEvent,
  type Content,
  identityIn,
  inBrief,
  inTime,
  type Json,
  type Kind,
  sessionKey,
} from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { kindNamed } from "../kinds/kinds.ts";

/** The most characters of a text. ITEMS is the most items of a list. */
const TEXT = 1_000;
const ITEMS = 20;
const FIELD = 80;

/** Undefined for other kinds and for secret events. */
export function entryOf(event: BriefEvent): BriefEvent | undefined {
  const isEntry =
    kindNamed(event.kind)?.mostInLedger !== undefined && event.sensitivity !== "secret";
  return isEntry ? inBrief(event, short(event.content)) : undefined;
}

/**
 * Keeps the last events of each kind. For task updates, it keeps the last one that sets each field and any that later events refer to.
 * @returns in order of time.
 */
export function keepEntries(events: readonly BriefEvent[]): BriefEvent[] {
  const known = new Set<string>();
  const named = new Set<string>();
  const counts = new Map<Kind, number>();
  const last = inTime(events)
    .reverse()
    .filter((event) => {
      if (!saysSomethingNew(event, known) && !named.has(identityIn(event.id))) return false;
      for (const id of [...event.refs, ...textsIn(event.content.blocked_by)])
        named.add(identityIn(id));
      const count = (counts.get(event.kind) ?? 0) + 1;
      counts.set(event.kind, count);
      return count <= (kindNamed(event.kind)?.mostInLedger ?? 0);
    });
  return last.reverse();
}

function saysSomethingNew(event: BriefEvent, known: Set<string>): boolean {
  const { id, kind, content } = event;
  if (kind !== "task_update") return true;
  const task = `${sessionKey(event)} ${content.task ?? id}`;
  const said = (["status", "title", "owner", "details", "blocked_by"] as const).filter(
    (field) => content[field] !== undefined,
  );
  const isNew = said.some((field) => !known.has(`${task} ${field}`));
  for (const field of said) known.add(`${task} ${field}`);
  return isNew;
}

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
