/** Reads and writes `when` as a text like `command: npm publish; not branch: main`. */
import { tryOr } from "../../ground/core/errors.ts";
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

/** A part up to its semicolon or the end of its line. A value with a semicolon or line break is quoted, as in JSON. */
const PART =
  /[\s;]*(not[ \t]+)?([a-z]+)[ \t]*(?:(:)[ \t]*(?:("(?:[^"\\\n]|\\.)*")[ \t]*|([^;\n]*)))?(?:[;\n]|$)/iy;
const NEEDS_QUOTES = /^\s|^"|[;\n]|\s$/;
export const WHEN_EXAMPLE = '"command: npm publish; path: src/**; not branch: main"';

/** Returns the text that `readWhenText` reads. Returns an unknown value as JSON. */
export function whenText(when: unknown): string {
  const known = whenOf({ when });
  if (isEmptyWhen(known)) return when === undefined ? "" : JSON.stringify(when);
  const parts = [...partsOf(known, ""), ...partsOf(known.not ?? {}, "not ")];
  if (known.from) parts.push(`from: ${known.from}`);
  if (known.until) parts.push(`until: ${known.until}`);
  if (known.all) parts.push("all");
  if (known.hold) parts.push("hold");
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

/** One part of a text, split at its colon. */
interface Part {
  readonly text: string;
  readonly isException: boolean;
  readonly name: string;
  readonly hasColon: boolean;
  readonly value: string;
}

type MutableLists = { [list in List]?: string[] };

/** @returns the `when` of a text, or in a few words why it can't be read. */
export function readWhenText(text: string): When | string {
  const parts = splitText(text);
  if (typeof parts === "string") return parts;
  const lists: MutableLists = {};
  const not: MutableLists = {};
  const others: { all?: true; from?: string; until?: string } = {};
  for (const part of parts) {
    const { name, value, isException } = part;
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
    const list = listNamed(name);
    const target = isException ? not : lists;
    if (list) target[list] = [target[list] ?? [], value].flat();
    else if (name === "all") others.all = true;
    else if (name === "from" || name === "until") others[name] = value;
    // Ignores `hold`, because people set it with an option. The lesson keeps its value.
  }
  return { ...lists, ...others, not: Object.keys(not).length > 0 ? not : undefined };
}

/** @returns the parts, or why the text can't be split. */
function splitText(text: string): Part[] | string {
  // Our documents show it with its name before it.
  const whole = text.replace(/^\s*when:/i, "").replace(/[\s;]+$/, "");
  const parts: Part[] = [];
  PART.lastIndex = 0;
  for (let at = 0; at < whole.length; at = PART.lastIndex) {
    const found = PART.exec(whole);
    if (!found)
      return `${quoted(whole.slice(at))} has no name before a colon; put a value that holds ; in quotes`;
    const [part, exception, name = "", colon, inQuotes, plain = ""] = found;
    const value = inQuotes === undefined ? plain.trim() : unquoted(inQuotes);
    if (value === undefined || plain.startsWith('"'))
      return `the quotes of ${quoted(part)} are not those of one JSON text`;
    parts.push({
      text: part,
      isException: exception !== undefined,
      name: name.toLowerCase(),
      hasColon: colon !== undefined,
      value,
    });
  }
  return parts;
}

/** Why a part can't be used. Undefined if it can. */
function problemOf({ text, isException, name, hasColon, value }: Part): string | undefined {
  const isFlag = !isException && (name === "all" || (name === "hold" && !hasColon));
  if (isFlag) return hasColon ? `${quoted(text)} takes no value` : undefined;
  if (!hasColon || value === "") return `${quoted(text)} has no value`;
  const list = listNamed(name);
  if (isException) {
    if (list && isExceptionList(list)) return undefined;
    return `there is no ${quoted(`not ${name}`)}, only ${EXCEPTION_NAMES}`;
  }
  if (list || name === "from" || name === "until") return undefined;
  return `there is no ${quoted(name)}, only ${[...NAMES, "not", "from", "until", "all"].join(", ")}`;
}

/** The list of a name like `command` or `commands`. */
function listNamed(name: string): List | undefined {
  const found = NAMES.find((each) => each === name || LISTS[each] === name);
  return found && LISTS[found];
}

const isExceptionList = (list: List): boolean => EXCEPTIONS.some((exception) => exception === list);

const EXCEPTION_NAMES = NAMES.filter((name) => isExceptionList(LISTS[name]))
  .map((name) => `not ${name}`)
  .join(", ");

const unquoted = (text: string): string | undefined => tryOr(() => JSON.parse(text), undefined);

const quoted = (text: string): string =>
  JSON.stringify(text.replace(/^[\s;]+|[\s;]+$/g, "").slice(0, 60));
