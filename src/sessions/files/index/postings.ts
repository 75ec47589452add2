/** The chunks of a segment that hold a term: each the distance to the one before and a bit for "once", or a second number, how often. */
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
