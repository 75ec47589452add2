/** The parts of a line as readers give them, in their order. */
import { textOf } from "./fields.ts";
import type { Said } from "./transcript.ts";

/** Something that is said, or the type of something that is left out on purpose or not understood. */
export type Part = Said | { readonly kind: "left out" | "unknown"; readonly type: string };

export function leaveOut(type: string, subtype?: unknown): Part {
  return { kind: "left out", type: typeof subtype === "string" ? `${type}/${subtype}` : type };
}

export const unknownPart = (type: string): Part => ({ kind: "unknown", type });

/** A blank reply is left out. */
export function replyOf(text: unknown): Part {
  const said = (textOf(text) ?? "").trim();
  return said === "" ? leaveOut("assistant", "blank") : { kind: "reply", text: said };
}

/** A line of conversation of which no part is named is unknown as a whole. */
export const orUnknown = (parts: readonly Part[], type: string): readonly Part[] =>
  parts.length === 0 ? [unknownPart(type)] : parts;
