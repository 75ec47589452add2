/** Reads and writes `when` as a text like `command: npm publish; not branch: main`. */
import { parseJson } from "../../ground/core/errors.ts";
import { EXCEPTIONS, isEmptyWhen, type When, whenOf } from "./when.ts";

/** The lists by their names in a text. Texts use this order. */
const LISTS = {
  command: "commands",
  error: "errors",
  path: "paths",
  word: "words",
  branch: "branches",
} as const;
type Name = keyof typeof LISTS;
type List = (typeof LISTS)[Name];
const NAMES = Object.keys(LISTS) as Name[];

/** A part up to its semicolon or the end of its line: "not", a name, a colon, and a value. A value with a semicolon or line break is quoted, as in JSON. */
const PART =
  /[\s;]*(not[ \t]+)?([a-z]+)[ \t]*(?:(:)[ \t]*(?:("(?:[^"\\\n]|\\.)*")[ \t]*|([^;\n]*)))?(?:[;\n]|$)/iy;
const NEEDS_QUOTES = /^\s|^"|[;\n]|\s$/;
export const WHEN_EXAMPLE = '"command: npm publish; path: src/**; not branch: main"';

/** Returns the text that `readWhenText` reads. Returns an unknown value as JSON. */
export function whenText(when: unknown): string {
  const known = whenOf({ when });
  if (isEmptyWhen(known)) {
    return when === undefined ? "" : JSON.stringify(when);
  }
  const parts = [...partsOf(known, ""), ...partsOf(known.not ?? {}, "not ")];
  if (known.from) {
    parts.push(`from: ${known.from}`);
  }
  if (known.until) {
    parts.push(`until: ${known.until}`);
  }
  if (known.all) {
    parts.push("all");
  }
  if (known.hold) {
    parts.push("hold");
  }
  return parts.join("; ");
}

function partsOf(lists: { readonly [list in List]?: readonly string[] }, before: string): string[] {
  return NAMES.flatMap((name) => {
    const texts = lists[LISTS[name]] ?? [];
    return texts.map((text) => `${before}${name}: ${inQuotesIfNeeded(text)}`);
  });
}

const inQuotesIfNeeded = (text: string): string =>
  NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text;

/** @returns the `when` of a text, or in a few words why it can't be read. */
export function readWhenText(text: string): When | string {
  // Our documents show it with its name before it.
  const whole = text.replace(/^\s*when:/i, "").replace(/[\s;]+$/, "");
  const parts: Part[] = [];
  PART.lastIndex = 0;
  for (let at = 0; at < whole.length; at = PART.lastIndex) {
    const found = PART.exec(whole);
    if (!found) {
      return `${quoted(whole.slice(at))} has no name before a colon. ${IN_QUOTES}`;
    }
    const part = readPart(found);
    if (!part) {
      return `${quoted(found[0])} has quotes that cannot be read. ${IN_QUOTES}`;
    }
    const { name, value } = part;
    parts.push(part);
    if (name !== "hold" && !KNOWN.includes(name)) {
      return `there is no ${quoted(name)}, only ${KNOWN.join(", ")}`;
    }
    if (name.endsWith(":") && value === "") {
      return `${quoted(name)} has no value`;
    }
  }
  // Ignores `hold`, because people set it with an option. The lesson keeps its value.
  return {
    ...listsIn(parts, ""),
    all: parts.some(({ name }) => name === "all") || undefined,
    from: valuesOf("from:", parts)?.at(-1),
    until: valuesOf("until:", parts)?.at(-1),
    not: parts.some(({ name }) => name.startsWith("not ")) ? listsIn(parts, "not ") : undefined,
  };
}

interface Part {
  /** With its `not` and its colon. */
  readonly name: string;
  readonly value: string;
}

const IN_QUOTES = "Put a value that holds ; in quotes, as in JSON";

/** Undefined if its quotes are not those of one JSON text. */
function readPart(found: RegExpExecArray): Part | undefined {
  const [, exception, spelt = "", colon = "", inQuotes, plain = ""] = found;
  const value = inQuotes === undefined ? plain.trim() : parseJson<string>(inQuotes);
  if (value === undefined || plain.startsWith('"')) {
    return undefined;
  }
  const given = spelt.toLowerCase();
  const name = NAMES.find((each) => LISTS[each] === given) ?? given;
  return { name: `${exception ? "not " : ""}${name}${colon}`, value };
}

function listsIn(parts: readonly Part[], before: string) {
  const lists: { [list in List]?: readonly string[] | undefined } = {};
  for (const name of NAMES) {
    lists[LISTS[name]] = valuesOf(`${before}${name}:`, parts);
  }
  return lists;
}

function valuesOf(name: string, parts: readonly Part[]): readonly string[] | undefined {
  const own = parts.filter((part) => part.name === name);
  return own.length > 0 ? own.map(({ value }) => value) : undefined;
}

const isException = (name: Name): boolean => EXCEPTIONS.some((list) => list === LISTS[name]);
const KNOWN = [
  ...NAMES.map((name) => `${name}:`),
  ...NAMES.filter(isException).map((name) => `not ${name}:`),
  "from:",
  "until:",
  "all",
];

const quoted = (text: string): string =>
  JSON.stringify(text.replace(/^[\s;]+|[\s;]+$/g, "").slice(0, 60));
