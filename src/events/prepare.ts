/**
 * From a draft to what is stored: every text of every field is redacted, and only then are long ones cut.
 *
 * A text that is cut is kept whole as an artifact, named after what it holds, so the same text twice is stored once.
 */
import { hash } from "node:crypto";
import { checkDraft, readTime } from "./check-draft.ts";
import { cutContent } from "./cut-content.ts";
import type { Actor, Event, EventDraft, Place, Sensitivity } from "./event.ts";
import { eventId, identityFrom, identityOf } from "./event-id.ts";
import { redactValue } from "./redact-value.ts";
import type { Redactor, Speech } from "./redactor.ts";

export interface Prepared {
  readonly event: Event;
  /** The content as JSON, of which the hash is. */
  readonly contentJson: string;
  /** Whole texts by the id of their artifact. */
  readonly artifacts: ReadonlyMap<string, string>;
}

/** What a draft leaves open. */
export interface Circumstances {
  readonly redactor: Redactor;
  /** Ms since 1970, for a draft without a time. */
  readonly now: number;
  /** 10 random bytes, for a draft without an origin or a key. */
  readonly random: Uint8Array;
}

/** @throws SentinelError `bad_argument` for a draft that is not one. */
export function prepare(draft: EventDraft, { redactor, now, random }: Circumstances): Prepared {
  checkDraft(draft);
  const kinds = new Set<string>();
  const cleanAs = (speech: Speech) => (text: string) => {
    const redacted = redactor(text, speech);
    for (const kind of redacted.kinds) kinds.add(kind);
    return redacted.text;
  };
  const clean = cleanAs(SPOKEN_BY_TOOLS.has(draft.kind) ? "tool" : "message");
  const all = (texts: readonly string[] = []): string[] => texts.map(clean);
  const { content, artifacts } = cutContent(draft.kind, redactValue(draft.content, clean, cleanAs("fields")));
  const session = clean(draft.session);
  const agent = clean(draft.agent);
  const actor: Actor = { type: draft.actor.type, id: clean(draft.actor.id) };
  const refs = all(draft.refs);
  const tags = all(draft.tags);
  const place = draft.place && cleanPlace(draft.place, clean);
  const origin = draft.origin === undefined ? undefined : clean(draft.origin);
  const time = draft.ts === undefined ? now : readTime("ts", draft.ts);
  const named = draft.origin ?? draft.key;
  const contentJson = JSON.stringify(content);
  const event: Event = {
    id: eventId(time, named === undefined ? identityOf(random) : identityFrom(named)),
    ts: new Date(time).toISOString(),
    session,
    agent,
    channel: draft.channel ?? "private",
    actor,
    kind: draft.kind,
    content,
    refs,
    tags: [...tags, ...[...kinds].map((kind) => REDACTED + kind)],
    sensitivity: sensitivityOf(draft, kinds.size > 0),
    hash: `sha256:${hash("sha256", `${draft.kind} ${contentJson}`)}`,
    ...(origin !== undefined && { origin }),
    ...(place && { place }),
  };
  return { event, contentJson, artifacts };
}

/** What a tag begins with that says which kind of secret an event held. */
export const REDACTED = "redacted:";
const SPOKEN_BY_TOOLS: ReadonlySet<string> = new Set(["tool_call", "tool_result", "artifact"]);

/** What had a secret is harmless without it; as `secret` it could never be loaded, and the rest would be lost. */
function sensitivityOf({ sensitivity = "none" }: EventDraft, hadSecret: boolean): Sensitivity {
  return hadSecret && (sensitivity === "none" || sensitivity === "secret") ? "low" : sensitivity;
}

function cleanPlace(place: Place, clean: (text: string) => string): Place {
  const entries = Object.entries(place).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([key, text]) => [key, clean(text)]));
}
