import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { newFileError } from "./named-file.ts";

/** Writes a file that a person named and nobody else may read, piece by piece. It must not be there yet. */
export async function writePrivate(path: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    throw newFileError(error, path);
  }
}
