/** Redacts secrets and private passages in every text of a draft, and tags the draft with their kinds. */
import type { Actor, EventDraft, Place, Sensitivity } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { redactValue } from "./redact-value.ts";
import { PRIVATE, type Redactor } from "./redactor.ts";

/** The prefix of a tag with the kind of a redacted secret. */
export const REDACTED = "redacted:";

/** Returns the redacted draft. The key stays unchanged, because it isn't stored. */
export function redactDraft(draft: EventDraft, redactor: Redactor): EventDraft {
  const kinds = new Set<string>();
  const spent = { ms: 0 };
  const noting: Redactor = (text, speech, spent) => {
    const redacted = redactor(text, speech, spent);
    for (const kind of redacted.kinds) kinds.add(kind);
    return redacted;
  };
  const speech = kindNamed(draft.kind)?.isOfTools ? "tool" : "message";
  const clean = (text: string) => noting(text, speech, spent).text;
  const { ts, channel, key } = draft;
  const content = redactValue(draft.content, noting, speech, spent);
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

/** Lowers `secret` to `low` after a secret was redacted. Otherwise the rest of the event could never be loaded. */
function sensitivityOf({ sensitivity = "none" }: EventDraft, hadSecret: boolean): Sensitivity {
  return hadSecret && (sensitivity === "none" || sensitivity === "secret") ? "low" : sensitivity;
}

function cleanPlace(place: Place, clean: (text: string) => string): Place {
  const cleaned: Record<string, string> = {};
  for (const [key, text] of Object.entries(place))
    if (text !== undefined) cleaned[key] = clean(text);
  return cleaned;
}
