/** What stands in an event: texts, wherever they are, and artifacts. */
import { isList } from "./cut-content.ts";
import type { Event, Json } from "./event.ts";

/** Whether a text stands in anything that a writer said, as it is stored. */
export function mentions({ session, agent, actor, content, refs, tags, origin, place }: Event, text: string): boolean {
  const holds = (value: Json | undefined): boolean => {
    if (typeof value === "string") return value.includes(text);
    if (typeof value !== "object" || value === null) return false;
    if (isList(value)) return value.some(holds);
    return Object.entries(value).some(([key, item]) => key.includes(text) || holds(item));
  };
  // The keys of the content itself are ours: `text`, `tool`.
  return [session, agent, actor.id, origin, refs, tags, Object.values(place ?? {}), Object.values(content)].some(holds);
}

/** The ids of the artifacts that an event has. */
export function artifactsOf({ content: { artifact_id, cuts } }: Event): string[] {
  const fromCuts = Array.isArray(cuts) ? cuts.map((cut) => cut?.artifact_id) : [];
  return [artifact_id, ...fromCuts].filter((id): id is string => typeof id === "string");
}
