import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { hasCode } from "../../src/ground/files/file-errors.ts";

/** The files below a folder that hold a text, whether packed or not. What a process takes away meanwhile, as a lock that it held, holds none. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      if (lstatSync(path).isDirectory()) {
        return filesWith(path, text).map((below) => join(name, below));
      }
      return holds(path, text) ? [name] : [];
    } catch (error) {
      if (hasCode(error, "ENOENT")) {
        return [];
      }
      throw error;
    }
  });
}

function holds(path: string, text: string): boolean {
  if (!statSync(path).isFile()) {
    return false;
  }
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).includes(text);
}
