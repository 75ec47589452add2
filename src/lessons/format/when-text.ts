/** `when` as one compact text, as calls, commands and people have it: `command: npm publish; path: src/**; not branch: main; all`. */

import { orElse } from "../../ground/core/errors.ts";
import { EXCEPTIONS, isEmptyWhen, type When, whenOf } from "./when.ts";

/** The keys with a list, by their names in a text; the order is that of a text. */
const LISTS = { command: "commands", error: "errors", path: "paths", word: "words", branch: "branches" } as const;
type List = (typeof LISTS)[keyof typeof LISTS];
/** A part up to its semicolon or the end of its line; a value that holds one of these stands in quotes, as in JSON. */
const PART = /[\s;]*(not[ \t]+)?([a-z]+)[ \t]*(?:(:)[ \t]*(?:("(?:[^"\\\n]|\\.)*")[ \t]*|([^;\n]*)))?(?:[;\n]|$)/iy;
const NEEDS_QUOTES = /^\s|^"|[;\n]|\s$/;
export const WHEN_EXAMPLE = '"command: npm publish; path: src/**; not branch: main"';

/** What a lesson says of it, for people: as far as it is understood in the text that `readWhenText` reads, else as it stands. */
export function whenText(when: unknown): string {
  const known = whenOf({ when });
  if (isEmptyWhen(known)) return when === undefined ? "" : JSON.stringify(when);
  const parts = ([name, list]: [string, List], texts: { readonly [list in List]?: readonly string[] }, before = "") =>
    (texts[list] ?? []).map((text) => `${before}${name}: ${NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text}`);
  const lists = Object.entries(LISTS);
  return [
    ...lists.flatMap((list) => parts(list, known)),
    ...lists.flatMap((list) => parts(list, known.not ?? {}, "not ")),
    ...(["from", "until"] as const).flatMap((key) => (known[key] ? [`${key}: ${known[key]}`] : [])),
    ...(known.all ? ["all"] : []),
    ...(known.hold ? ["hold"] : []),
  ].join("; ");
}

/** @returns what the text says, or in a few words why it cannot be read. */
export function readWhenText(text: string): When | string {
  const said: Record<string, string[]> = {};
  const not: Record<string, string[]> = {};
  const others: Record<string, string | true> = {};
  const add = (lists: Record<string, string[]>, list: List, value: string) => {
    lists[list] = [...(lists[list] ?? []), value];
  };
  const whole = text.replace(/[\s;]+$/, "");
  PART.lastIndex = 0;
  for (let at = 0; at < whole.length; at = PART.lastIndex) {
    const found = PART.exec(whole);
    if (!found) return `${quoted(whole.slice(at))} has no name before a colon; put a value that holds ; in quotes`;
    const [part, exception, name = "", colon, inQuotes, plain = ""] = found;
    const key = name.toLowerCase();
    const value = inQuotes === undefined ? plain.trim() : orElse(() => JSON.parse(inQuotes), undefined);
    const list = Object.entries(LISTS).find((names) => names.includes(key))?.[1];
    if (value === undefined || plain.startsWith('"'))
      return `the quotes of ${quoted(part)} are not those of one JSON text`;
    // A person sets it by an option, and what a lesson has of it stays.
    if (key === "hold" && !exception && !colon) continue;
    if (key === "all" && !exception && colon) return `${quoted(part)} takes no value`;
    if (key === "all" && !exception) others.all = true;
    else if (!colon || value === "") return `${quoted(part)} has no value`;
    else if (list && (!exception || EXCEPTIONS.includes(list as never))) add(exception ? not : said, list, value);
    else if ((key === "from" || key === "until") && !exception) others[key] = value;
    else return `there is no ${quoted(`${exception ? "not " : ""}${name}`)}`;
  }
  return { ...said, ...others, ...(Object.keys(not).length > 0 && { not }) };
}

function quoted(text: string): string {
  return JSON.stringify(text.replace(/^[\s;]+|[\s;]+$/g, "").slice(0, 60));
}
