/**
 * Which chunks of a segment hold a term, and how often. One number is the distance to the chunk before, and a bit that says whether the
 * term stands there once; a second one, where it does not, how often it does.
 */
import type { Holders } from "../../../ground/search/chunk-ranking.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";

/** @param holders by chunk. */
export function writePostings(writer: ByteWriter, { chunks, frequencies }: Holders): void {
  let before = -1;
  for (let at = 0; at < chunks.length; at++) {
    const [chunk, frequency] = [chunks[at] as number, frequencies[at] as number];
    const isOnce = frequency === 1;
    writer.varint((chunk - before) * 2 + (isOnce ? 1 : 0));
    if (!isOnce) writer.varint(frequency);
    before = chunk;
  }
}

/** @param each called for each of the chunks. */
export function readPostings(
  reader: ByteReader,
  count: number,
  each: (chunk: number, frequency: number) => void,
): void {
  let chunk = -1;
  for (let at = 0; at < count; at++) {
    const step = reader.varint();
    chunk += step >>> 1;
    each(chunk, (step & 1) === 1 ? 1 : reader.varint());
  }
}
