/** The texts and artifacts in an event. */
import type { Content, Event, Json } from "../kinds/event.ts";
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

/** A text that was cut. */
interface Cut {
  /** The path of its field, such as `input.prompt`. */
  readonly field: string;
  /** The id of the artifact with the whole text. */
  readonly artifact: string;
}

/** The cut texts of a content. The text of a tool's result is in `excerpt_text`. */
export function cutsOf({ artifact_id, cuts }: Content): Cut[] {
  const found: Cut[] = [];
  if (typeof artifact_id === "string") found.push({ field: "excerpt_text", artifact: artifact_id });
  for (const cut of Array.isArray(cuts) ? cuts : [])
    if (typeof cut?.artifact_id === "string")
      found.push({ field: String(cut.field), artifact: cut.artifact_id });
  return found;
}

/** The ids of the artifacts that an event has. */
export const artifactsOf = ({ content }: Event): string[] =>
  cutsOf(content).map(({ artifact }) => artifact);
