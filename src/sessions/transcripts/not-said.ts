/** Parts of a message that aren't recorded: images, which are only noted, and blocks that programs add, where recorded memory would echo. */
import { hash } from "node:crypto";
import type { ImageNote } from "./transcript.ts";

const DATA_URL = /^data:([^;,]*)[^,]*,([\s\S]*)$/;

export function noteOfImage(type: string | undefined, base64: string): ImageNote {
  const bytes = Buffer.from(base64, "base64");
  return { type: type ?? "unknown", bytes: bytes.length, sha256: hash("sha256", bytes) };
}

/** Undefined for an address that doesn't contain the image itself. */
export function noteOfDataUrl(url: string): ImageNote | undefined {
  const [, type, base64] = DATA_URL.exec(url) ?? [];
  return base64 === undefined ? undefined : noteOfImage(type || undefined, base64);
}

/** Editors also add blocks, with the open files and the selection. */
const BLOCK =
  /^[ \t]*<(system-reminder|sentinel-memory|ide_opened_file|ide_selection|ide_diagnostics|post-tool-use-hook)>[\s\S]*?<\/\1>[ \t]*\n?/gm;
const LAST_BLOCKS = /(?:\n*<(system-reminder|sentinel-memory)>(?:(?!<\/?\1>)[\s\S])*<\/\1>\s*)+$/;

/** A message without the blocks that begin on a new line. */
export function withoutInjected(message: string): string {
  return message.includes("</") ? message.replace(BLOCK, "").trim() : message;
}

/** A tool's output without the blocks at its end. Further up, they may be the contents of a file. */
export function withoutInjectedEnd(output: string): string {
  return output.trimEnd().endsWith(">") ? output.replace(LAST_BLOCKS, "") : output;
}
