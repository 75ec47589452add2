/** Writes session logs as lines of JSON and turns them back into drafts. Storing a draft redacts and cuts the whole text again. */
import type { Content, Event, EventDraft } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { artifactsOf, cutsOf, mapTexts } from "./event-texts.ts";

/**
 * The lines of an export: the project, then each event, followed by the whole texts of its artifacts the first time.
 * @param counts is set to how many were written.
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
        if (written.has(id)) {
          continue;
        }
        written.add(id);
        const text = await store.artifact(id);
        if (text === undefined) {
          continue;
        }
        counts.artifacts += 1;
        yield line({ artifact: { id, text } });
      }
    }
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Whole texts by the ids of their artifacts. */
type Artifacts = ReadonlyMap<string, string>;

/** A text without its artifact stays cut. */
export function draftOfExported(
  { hash: _, person: __, ...event }: Event,
  artifacts: Artifacts,
): EventDraft {
  return { ...event, content: uncut(event.content, artifacts) };
}

function uncut(content: Content, artifacts: Artifacts): Content {
  const wholeOf = new Map(
    cutsOf(content).map(({ field, artifact }) => [field, artifacts.get(artifact)]),
  );
  const { artifact_id, excerpt_text, truncated, stats, ...said } = content;
  const text = wholeOf.get("excerpt_text");
  if (text !== undefined) {
    return { ...said, text };
  }
  const { cuts, ...short } = content;
  if (!Array.isArray(cuts)) {
    return content;
  }
  const left = cuts.filter(({ field }) => wholeOf.get(field) === undefined);
  const full = mapTexts(short, (shown, field) => wholeOf.get(field) ?? shown);
  return left.length > 0 ? { ...full, cuts: left } : full;
}
