/** The texts and artifacts in an event. */
import type { Event, Json } from "../kinds/event.ts";
import { isList } from "./field-texts.ts";

/** Whether any stored text of an event contains a text. */
export const mentions = (event: Event, text: string): boolean =>
  [...textsOf(event)].some((said) => said.includes(text));

/** All stored texts that come from a writer. */
export function* textsOf({
  session,
  agent,
  actor,
  content,
  refs,
  tags,
  origin,
  place,
}: Event): Generator<string> {
  // The keys of the content itself are ours: `text`, `tool`.
  const all = [
    session,
    agent,
    actor.id,
    origin,
    refs,
    tags,
    Object.values(place ?? {}),
    Object.values(content),
  ];
  for (const value of all) yield* textsWithin(value);
}

function* textsWithin(value: Json | undefined): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  if (isList(value)) for (const item of value) yield* textsWithin(item);
  else
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsWithin(item);
    }
}

/** The ids of the artifacts that an event has. */
export function artifactsOf({ content: { artifact_id, cuts } }: Event): string[] {
  const fromCuts = Array.isArray(cuts) ? cuts.map((cut) => cut?.artifact_id) : [];
  return [artifact_id, ...fromCuts].filter((id): id is string => typeof id === "string");
}
