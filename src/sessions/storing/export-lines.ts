import type { EventStore } from "../store.ts";
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
