/** A draft without secrets and private passages, every text of every field. It says what was taken out. */
import type { Actor, EventDraft, Place, Sensitivity } from "./event.ts";
import { redactValue } from "./redact-value.ts";
import type { Redactor, Speech } from "./redactor.ts";

/** What a tag begins with that says which kind of secret an event held. */
export const REDACTED = "redacted:";
const SPOKEN_BY_TOOLS: ReadonlySet<string> = new Set(["tool_call", "tool_result", "artifact"]);

/** The key stays as it is: it is not stored. */
export function redactDraft(draft: EventDraft, redactor: Redactor): EventDraft {
  const kinds = new Set<string>();
  const cleanAs = (speech: Speech) => (text: string) => {
    const redacted = redactor(text, speech);
    for (const kind of redacted.kinds) kinds.add(kind);
    return redacted.text;
  };
  const clean = cleanAs(SPOKEN_BY_TOOLS.has(draft.kind) ? "tool" : "message");
  const all = (texts: readonly string[] = []): string[] => texts.map(clean);
  const { ts, channel, key } = draft;
  const content = redactValue(draft.content, clean, cleanAs("fields"));
  const session = clean(draft.session);
  const agent = clean(draft.agent);
  const actor: Actor = { type: draft.actor.type, id: clean(draft.actor.id) };
  const refs = all(draft.refs);
  const tags = all(draft.tags);
  const place = draft.place && cleanPlace(draft.place, clean);
  const origin = draft.origin === undefined ? undefined : clean(draft.origin);
  return {
    session,
    agent,
    actor,
    kind: draft.kind,
    content,
    refs,
    tags: [...new Set([...tags, ...[...kinds].map((kind) => REDACTED + kind)])],
    sensitivity: sensitivityOf(draft, kinds.size > 0),
    ...(ts !== undefined && { ts }),
    ...(channel !== undefined && { channel }),
    ...(key !== undefined && { key }),
    ...(origin !== undefined && { origin }),
    ...(place && { place }),
  };
}

/** What had a secret is harmless without it; as `secret` it could never be loaded, and the rest would be lost. */
function sensitivityOf({ sensitivity = "none" }: EventDraft, hadSecret: boolean): Sensitivity {
  return hadSecret && (sensitivity === "none" || sensitivity === "secret") ? "low" : sensitivity;
}

function cleanPlace(place: Place, clean: (text: string) => string): Place {
  const entries = Object.entries(place).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([key, text]) => [key, clean(text)]));
}
