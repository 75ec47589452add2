import { linesOf } from "../../../ground/files/append-log.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import type { Event } from "../../kinds/event.ts";
import { identityIn } from "../../kinds/event-id.ts";
import { chunksOf } from "../../storing/chunks.ts";
import { readEventLine } from "../event-line.ts";
import { CollectedPostings } from "./collect-postings.ts";
import type { Lines } from "./coverage.ts";
import { type Entry, writeSegment } from "./write-segment.ts";

interface Line extends Pick<Entry, "file" | "from" | "bytes"> {
  readonly event: Event;
}

/** @param pieces the file of an entry is its number in this list. @param isLeftOut events that are about to be purged. */
export function buildSegment(pieces: readonly Lines[], isLeftOut: (event: Event) => boolean) {
  const entries: Entry[] = [];
  const postings = new CollectedPostings();
  for (const { event, ...place } of inOrderOfSessions(pieces, isLeftOut)) {
    const { session } = event;
    let end = 0;
    for (const [at, { text }] of chunksOf(event).entries()) {
      const terms = tokenize(text);
      end += text.length;
      postings.add(entries.length, terms);
      entries.push({ session, ulid: event.id.slice("evt_".length), part: at + 1, length: terms.length, end, ...place });
    }
  }
  return writeSegment(entries, postings.inOrder());
}

/** The order of chunks: by session, then as the ids of their events, which begin with the time. */
export function compareEntries(a: Pick<Entry, "session" | "ulid" | "part">, b: typeof a): number {
  if (a.session !== b.session) return a.session < b.session ? -1 : 1;
  if (a.ulid !== b.ulid) return a.ulid < b.ulid ? -1 : 1;
  return a.part - b.part;
}

/** Of what stands there twice, the earliest. */
function inOrderOfSessions(pieces: readonly Lines[], isLeftOut: (event: Event) => boolean): Line[] {
  const byIdentity = new Map<string, Line>();
  for (const [file, { from, bytes }] of pieces.entries()) {
    for (const line of linesOf(bytes)) {
      const event = readEventLine(line.toString());
      if (event === undefined || isLeftOut(event)) continue;
      const known = byIdentity.get(identityIn(event.id));
      if (known !== undefined && known.event.id <= event.id) continue;
      const start = from + line.byteOffset - bytes.byteOffset;
      byIdentity.set(identityIn(event.id), { event, file, from: start, bytes: line.length });
    }
  }
  const keyOf = ({ event: { session, id } }: Line) => ({ session, ulid: id, part: 0 });
  return [...byIdentity.values()].sort((a, b) => compareEntries(keyOf(a), keyOf(b)));
}
