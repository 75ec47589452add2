import { countEach } from "../../../ground/core/count-each.ts";
import { compare } from "../../../ground/core/text.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { countRead } from "../../../ground/files/read-count.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { type Event, identityIn } from "../../kinds/event.ts";
import { chunksOf } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import type { Artifacts } from "../artifacts.ts";
import { eventLinesOf, readEventLine, sharedIn, sharedPlaces } from "../event-line.ts";
import type { Lines } from "./coverage.ts";
import { type Entry, type WrittenSegment, writeSegment } from "./write-segment.ts";

interface Line extends Pick<Entry, "file" | "from" | "bytes" | "shared"> {
  readonly event: Event;
}

/** @param isLeftOut events that are about to be purged. @throws the file system's own error, where a file has gone. */
export function buildSegment(
  taken: readonly Lines[],
  artifacts: Artifacts,
  isLeftOut: (event: Event) => boolean,
): WrittenSegment {
  const entries: Entry[] = [];
  const postings = new Map<string, { readonly chunks: number[]; readonly frequencies: number[] }>();
  for (const { event, ...place } of inOrderOfSessions(taken, isLeftOut)) {
    const { session } = event;
    const ulid = event.id.slice("evt_".length);
    const ownArtifacts = artifactsOf(event);
    let shownEnd = 0;
    for (const [at, { text, hidden }] of chunksOf(event, (id) => artifacts.read(id)).entries()) {
      const terms = tokenize(text);
      const artifact = hidden === undefined ? 0 : ownArtifacts.indexOf(hidden.artifact) + 1;
      const start = hidden?.start ?? shownEnd;
      const end = start + text.length;
      if (hidden === undefined) shownEnd = end;
      for (const [term, frequency] of countEach(terms)) {
        const held = postings.get(term);
        held?.chunks.push(entries.length);
        held?.frequencies.push(frequency);
        // Most terms stand in one chunk: a list that begins with it has no room for others.
        if (!held) postings.set(term, { chunks: [entries.length], frequencies: [frequency] });
      }
      entries.push({
        session,
        ulid,
        part: at + 1,
        length: terms.length,
        artifact,
        start,
        end,
        ...place,
      });
    }
  }
  const inOrder = [...postings].sort(([a], [b]) => (a < b ? -1 : 1));
  const pieces = taken.map(({ piece }) => piece);
  return writeSegment(entries, inOrder, pieces);
}

/** The order of chunks: by session, then as the ids of their events, which begin with the time. */
export function compareEntries(a: Pick<Entry, "session" | "ulid" | "part">, b: typeof a): number {
  return compare(a.session, b.session) || compare(a.ulid, b.ulid) || a.part - b.part;
}

/** Of what stands there twice, the earliest. */
function inOrderOfSessions(taken: readonly Lines[], isLeftOut: (event: Event) => boolean): Line[] {
  const byIdentity = new Map<string, Line>();
  for (const [file, { piece, bytes, path }] of taken.entries()) {
    const places = sharedPlacesFor({ piece, bytes, path });
    for (const line of eventLinesOf(bytes)) {
      const from = piece.from + line.byteOffset - bytes.byteOffset;
      const event = readEventLine(line.toString(), path);
      if (event === undefined || isLeftOut(event)) continue;
      const known = byIdentity.get(identityIn(event.id));
      if (known !== undefined && known.event.id <= event.id) continue;
      const shared = places.get(sharedIn(line)) ?? from;
      byIdentity.set(identityIn(event.id), { event, file, from, bytes: line.length, shared });
    }
  }
  const keyOf = ({ event: { session, id } }: Line) => ({ session, ulid: id, part: 0 });
  return [...byIdentity.values()].sort((a, b) => compareEntries(keyOf(a), keyOf(b)));
}

/** Where the lines stand that say what events share, by name; of a batch that begins before the piece, they stand before it too. */
function sharedPlacesFor({
  piece,
  bytes,
  path,
}: Pick<Lines, "piece" | "bytes" | "path">): ReadonlyMap<string, number> {
  const places = sharedPlaces(bytes, piece.from);
  if (piece.from === 0 || eventLinesOf(bytes).every((line) => places.has(sharedIn(line))))
    return places;
  const before = withFile(path, (file) => readAt(file, 0, piece.from));
  countRead(before.length);
  return new Map([...sharedPlaces(before), ...places]);
}
