/** Session logs as lines of JSON, and back to what was said, so that storing it again redacts and cuts the whole. */
import type { Content, Event, EventDraft } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { mapTexts } from "./field-texts.ts";
import { artifactsOf } from "./mentions.ts";

/**
 * Session logs as their readers may see them, as lines of JSON: what it is, then one for each event, and one for each text that was cut, behind
 * the first event that names it. @param counts gets how many were written.
 */
export async function* exportLines(
  record: { readonly project: string },
  stores: Iterable<Pick<EventStore, "read" | "artifact">>,
  counts = { events: 0, artifacts: 0 },
): AsyncGenerator<string> {
  yield line({ record });
  for (const store of stores) {
    const written = new Set<string>();
    for await (const event of store.read()) {
      counts.events += 1;
      yield line({ event });
      for (const id of artifactsOf(event)) {
        if (written.has(id)) continue;
        written.add(id);
        const text = await store.artifact(id);
        if (text === undefined) continue;
        counts.artifacts += 1;
        yield line({ artifact: { id, text } });
      }
    }
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Texts that were cut, whole, by the ids of their artifacts. */
type Artifacts = ReadonlyMap<string, string>;

/** A text whose artifact is not there stays as short as it is. */
export function draftOfExported(
  { hash: _, person: __, ...event }: Event,
  artifacts: Artifacts,
): EventDraft {
  return { ...event, content: uncut(event.content, artifacts) };
}

function uncut(content: Content, artifacts: Artifacts): Content {
  const { artifact_id, excerpt_text, truncated, stats, ...said } = content;
  const text = typeof artifact_id === "string" ? artifacts.get(artifact_id) : undefined;
  if (text !== undefined) return { ...said, text };
  const { cuts, ...short } = content;
  if (!Array.isArray(cuts)) return content;
  const wholeOf = new Map(
    cuts.map(({ field, artifact_id }) => [field, artifacts.get(artifact_id)]),
  );
  const left = cuts.filter(({ field }) => wholeOf.get(field) === undefined);
  const full = mapTexts(short, (shown, field) => wholeOf.get(field) ?? shown);
  return { ...full, ...(left.length > 0 && { cuts: left }) };
}
