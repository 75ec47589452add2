/** The files of a folder, for a test that draws one of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** In the order of what they hold: some names are random, and the same seed has to draw the same file. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  const held = files.map((path) => ({ path, bytes: readFileSync(path) }));
  return held.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ path }) => path);
}
