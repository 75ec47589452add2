/** What is kept of a content, its texts cut. What is stored is redacted, so a mark in it is not cut in two. Pure. */
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import { type Content, type Json, textsIn } from "./kind.ts";

/** Characters of a text; items of a list and characters of each; or `flag`, which is kept where it is set. */
type Length = number | readonly [items: number, characters: number] | "flag";

/** The fields that are named, in their order, those that say something. */
export function shortened<C extends { readonly [Name in keyof C]?: unknown }>(
  content: C,
  lengths: { readonly [Name in keyof C]?: Length },
): Content {
  const fields: [string, Json][] = [];
  for (const [name, length] of Object.entries<Length | undefined>(lengths)) {
    const value = content[name as keyof C];
    const short = value === undefined ? undefined : shortValue(value as Json, length as Length);
    if (short !== undefined) fields.push([name, short]);
  }
  return Object.fromEntries(fields);
}

function shortValue(value: Json, length: Length): Json | undefined {
  if (length === "flag") return value === true ? value : undefined;
  if (typeof length === "number") return cut(value as string, length);
  return textsIn(value)
    .slice(0, length[0])
    .map((text) => cut(text, length[1]));
}

export const cut = (text: string, most: number): string => cutRedacted(text as RedactedText, most);
