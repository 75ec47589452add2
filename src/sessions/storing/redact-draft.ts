/** A draft without secrets and private passages, every text of every field. It says what was taken out. */
import type { Steps } from "../../ground/core/steps.ts";
import type { Actor, EventDraft, Place, Sensitivity } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { redactValue } from "./redact-value.ts";
import { PRIVATE, type Redactor, type Speech } from "./redactor.ts";

/** What a tag begins with that says which kind of secret an event held. */
export const REDACTED = "redacted:";

/** The key stays as it is: it is not stored. */
export function* redactDraft(draft: EventDraft, redactor: Redactor): Steps<EventDraft> {
  const kinds = new Set<string>();
  const spent = { ms: 0 };
  const cleanAs = (speech: Speech) =>
    function* (text: string): Steps<string> {
      const redacted = yield* redactor(text, speech, spent);
      for (const kind of redacted.kinds) kinds.add(kind);
      return redacted.text;
    };
  const clean = cleanAs(kindNamed(draft.kind)?.isOfTools ? "tool" : "message");
  const all = function* (texts: readonly string[] = []): Steps<string[]> {
    const cleaned: string[] = [];
    for (const text of texts) cleaned.push(yield* clean(text));
    return cleaned;
  };
  const { ts, channel, key } = draft;
  const content = yield* redactValue(draft.content, clean, cleanAs("fields"));
  const session = yield* clean(draft.session);
  const agent = yield* clean(draft.agent);
  const actor: Actor = { type: draft.actor.type, id: yield* clean(draft.actor.id) };
  const refs = yield* all(draft.refs);
  const tags = yield* all(draft.tags);
  const place = draft.place && (yield* cleanPlace(draft.place, clean));
  const origin = draft.origin === undefined ? undefined : yield* clean(draft.origin);
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

function* cleanPlace(place: Place, clean: (text: string) => Steps<string>): Steps<Place> {
  const cleaned: Record<string, string> = {};
  for (const [key, text] of Object.entries(place))
    if (text !== undefined) cleaned[key] = yield* clean(text);
  return cleaned;
}
