/** What of an event can be found by its words. */
import type { Event } from "./event.ts";
import { type ContentOf, type Fields, textsIn } from "./kind.ts";
import { kindNamed } from "./kinds.ts";

/** The text of an event, a field a line; empty where it says nothing. */
export function eventText({ kind, content }: Pick<Event, "kind" | "content">): string {
  const { searched = [], searchedToo, fewestTexts = 1 } = kindNamed(kind) ?? {};
  const fields: ContentOf<Fields> = content;
  const own = searched.flatMap((field) => textsIn(fields[field]));
  const said = [...own, ...(searchedToo?.(fields) ?? [])].filter((text) => text.trim() !== "");
  return said.length < fewestTexts ? "" : said.join("\n");
}
