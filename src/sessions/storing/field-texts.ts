/** The texts of a content, each with its path, such as `input.edits.0.new_string`. Pure. */
import type { Content, Json } from "../kinds/event.ts";

/** The content with each of its texts changed. */
export function mapTexts(
  content: Content,
  change: (text: string, field: string) => string,
  prefix = "",
): Content {
  const changed = (value: Json | undefined, field: string): Json | undefined => {
    if (typeof value === "string") return change(value, field);
    if (value === null || typeof value !== "object") return value;
    if (isList(value)) return value.map((item, at) => changed(item, `${field}.${at}`) as Json);
    return mapTexts(value, change, `${field}.`);
  };
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, changed(value, prefix + name)]),
  );
}

export function* fieldTexts(
  value: Json | undefined,
  field = "",
): Generator<readonly [field: string, text: string]> {
  if (typeof value === "string") yield [field, value];
  if (value === null || typeof value !== "object") return;
  for (const [name, inner] of Object.entries(value))
    yield* fieldTexts(inner, field === "" ? name : `${field}.${name}`);
}

/** `Array.isArray` doesn't narrow to a read-only array. */
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
