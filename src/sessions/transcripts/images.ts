/** Notes of the images in a conversation: an image itself is not kept. */
import { hash } from "node:crypto";
import type { ImageNote } from "./transcript.ts";

const DATA_URL = /^data:([^;,]*)[^,]*,([\s\S]*)$/;

export function noteOfImage(type: string | undefined, base64: string): ImageNote {
  const bytes = Buffer.from(base64, "base64");
  return { type: type ?? "unknown", bytes: bytes.length, sha256: hash("sha256", bytes) };
}

/** An address that does not hold the image itself gives none. */
export function noteOfDataUrl(url: string): ImageNote | undefined {
  const [, type, base64] = DATA_URL.exec(url) ?? [];
  return base64 === undefined ? undefined : noteOfImage(type || undefined, base64);
}
