/** A draft without secrets and private passages, every text of every field. It says what was taken out. */
import type { Actor, EventDraft, Place, Sensitivity } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { redactValue } from "./redact-value.ts";
import { PRIVATE, type Redactor, type Speech } from "./redactor.ts";

/** What a tag begins with that says which kind of secret an event held. */
export const REDACTED = "redacted:";

/** The key stays as it is: it is not stored. */
export function redactDraft(draft: EventDraft, redactor: Redactor): EventDraft {
  const kinds = new Set<string>();
  const spent = { ms: 0 };
  const cleanAs = (speech: Speech) => (text: string) => {
    const redacted = redactor(text, speech, spent);
    for (const kind of redacted.kinds) kinds.add(kind);
    return redacted.text;
  };
  const clean = cleanAs(kindNamed(draft.kind)?.isOfTools ? "tool" : "message");
  const { ts, channel, key } = draft;
  const content = redactValue(draft.content, clean, cleanAs("fields"));
  const session = clean(draft.session);
  const agent = clean(draft.agent);
  const actor: Actor = { type: draft.actor.type, id: clean(draft.actor.id) };
  const refs = (draft.refs ?? []).map(clean);
  const tags = (draft.tags ?? []).map(clean);
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
    sensitivity: sensitivityOf(
      draft,
      [...kinds].some((kind) => kind !== PRIVATE),
    ),
    ts,
    channel,
    key,
    origin,
    place,
  };
}

/** What had a secret is harmless without it; as `secret` it could never be loaded, and the rest would be lost. */
function sensitivityOf({ sensitivity = "none" }: EventDraft, hadSecret: boolean): Sensitivity {
  return hadSecret && (sensitivity === "none" || sensitivity === "secret") ? "low" : sensitivity;
}

function cleanPlace(place: Place, clean: (text: string) => string): Place {
  const cleaned: Record<string, string> = {};
  for (const [key, text] of Object.entries(place))
    if (text !== undefined) cleaned[key] = clean(text);
  return cleaned;
}
