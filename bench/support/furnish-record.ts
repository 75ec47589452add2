/** Writes the files of a record at once, as no product does: a bench needs a million chunks soon. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeEventLine } from "../../src/sessions/files/event-line.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { chunksOf } from "../../src/sessions/storing/chunks.ts";
import { type Prepared, prepare } from "../../src/sessions/storing/prepare.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";

export interface Furnished {
  readonly events: number;
  readonly chunks: number;
  /** Of the last event, ISO 8601. */
  readonly end: string;
}

/** Writes events until they have so many chunks. @param draftOf gives the event of a number from 0 on, in order of time. */
export function furnishRecord(
  folder: string,
  wanted: number,
  draftOf: (number: number) => EventDraft,
): Furnished {
  let day = "";
  let batch: Prepared[] = [];
  let [events, chunks, end] = [0, 0, ""];
  for (; chunks < wanted; events++) {
    const prepared = prepare(draftOf(events), UNREDACTED, 0);
    const { event } = prepared;
    chunks += chunksOf(event).length;
    end = event.ts;
    if (!end.startsWith(day) || day === "") {
      flush(folder, day, batch);
      day = end.slice(0, 10);
      batch = [];
    }
    batch.push(prepared);
  }
  flush(folder, day, batch);
  return { events, chunks, end };
}

function flush(folder: string, day: string, batch: readonly Prepared[]): void {
  if (batch.length === 0) {
    return;
  }
  const month = join(folder, "events", day.slice(0, 7));
  mkdirSync(month, { recursive: true });
  appendFileSync(join(month, `${day}.jsonl`), `${batch.map(writeEventLine).join("\n")}\n`);
}
