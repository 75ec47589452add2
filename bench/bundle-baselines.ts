/** What needs no bundle: the last tokens of a record, and its latest files. */
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { type Event, eventText } from "../src/sessions/kinds/event.ts";

/** All files that were touched, the last one first. */
export function filesBefore(events: readonly Event[]): string[] {
  const paths = events.flatMap(({ kind, content: { path } }) =>
    kind === "tool_call" && typeof path === "string" ? [path] : [],
  );
  return [...new Set(paths.reverse())];
}

/** The end of what was said, called and answered in all sessions of a record. */
export function lastTokens(events: readonly Event[], most: number): string {
  const tokens: number[][] = [];
  let count = 0;
  for (let at = events.length - 1; at >= 0 && count < most; at--) {
    const of = encode(`${eventText(events[at] as Event)}\n`);
    tokens.unshift(of);
    count += of.length;
  }
  return decode(tokens.flat().slice(-most));
}

/** Those of the files that a text names, whole and not as the end of another path. */
export function namedIn(text: string, files: readonly string[]): string[] {
  const words = new Set(text.match(/[\w@./()[\]-]+/g) ?? []);
  const named = new Set(
    [...words].flatMap((word) => [
      word,
      word.replace(/^[.([]+|[.)\]]+$/g, ""),
      word.replace(/^[ab]\//, ""),
    ]),
  );
  return files.filter((path) => (path.includes(" ") ? text.includes(path) : named.has(path)));
}
