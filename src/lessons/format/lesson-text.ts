/** One lesson as fenced text for an agent. Lines after the first of a stored text are indented, so that none passes for ours. */
import { tryOr } from "../../ground/core/errors.ts";
import { firstWords, indented, oneLine, present } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import type { VersionLine } from "./file-lines.ts";
import { isTombstone, type Lesson, metOften, revisionOf } from "./lesson.ts";
import { EXCEPTIONS, isEmptyWhen, type When, whenOf } from "./when.ts";

/** A line with its reference and dates, then its texts; no empty fields. @param also what another branch said of it. */
export function block(
  version: Lesson,
  number: number,
  reference: string,
  also: readonly VersionLine[] = [],
): string {
  const { type, meta } = version;
  const { until } = whenOf(version);
  const head = present(
    `#${number} ${reference} type=${type}`,
    // A bar would pass for the end of the topic.
    `topic=${oneLine(version.topic).replaceAll("|", "\u00a6")}`,
    type === "principle" && meta.compacted_at
      ? `compacted: ${dateOf(meta.compacted_at)} (${mergedCount(version)} merged)`
      : dateOf(revisionOf(meta)),
    metOften(version),
    until !== undefined && `until ${until}`,
  );
  const fields = (["missing_context", "lesson", "ask_next_time"] as const)
    .filter((name) => version[name]?.trim())
    .map((name) => `${name}: ${indented(version[name] ?? "")}`);
  const others = alsoSaid(version, also).map((text) => indented(text));
  return [head.join(" | "), ...fields, ...others].join("\n");
}

/** Versions in conflict with the one that shows, a text each: the fields that differ. */
export function alsoSaid(version: Lesson, also: readonly VersionLine[]): string[] {
  return also.map((line) => {
    const on = `on ${dateOf(revisionOf(line.version.meta)) || "an unknown day"}`;
    if (isTombstone(line.version)) {
      const { reason = "" } = line.version.meta;
      return `also forgotten, ${on}${reason && ` (${oneLine(reason)})`}`;
    }
    const before = fieldsOf(version);
    const unlike = fieldsOf(line.version).filter((field) => !before.includes(field));
    return `also said, ${on}: ${unlike.join("; ") || "the same, without a question or when"}`;
  });
}

/** Says in a text of such lessons of which the last day has passed; only a line of ours begins like that, and only there is a bar. */
export function markOver(text: string, today: string): string {
  return text.replaceAll(/^#\d+ .* \| until (\d{4}-\d\d-\d\d)$/gm, (head, day) =>
    day < today ? `${head}, over` : head,
  );
}

/** One lesson in a line: its reference, its topic unless that is said already, the first words of its lesson. */
export function indexLine(version: Lesson, reference: string, nameTopic: boolean): string {
  return `${reference} ${nameTopic ? `${oneLine(version.topic)}: ` : ""}${firstWords(version.lesson)}`;
}

function fieldsOf({ lesson, ask_next_time = "", when }: Lesson): string[] {
  const others = Object.entries({ ask_next_time, when: whenText(when) }).filter(([, text]) =>
    text.trim(),
  );
  return [lesson, ...others.map(([name, text]) => `${name}: ${text}`)];
}

function mergedCount({ meta }: Lesson): number {
  const listed = Object.keys(meta.sources ?? {}).length;
  // The count includes sources whose cover was too old to keep.
  return Math.max(listed, Number(meta.source_count ?? 0));
}

/** The keys with a list, by their names in a text; the order is that of a text. */
const LISTS = {
  command: "commands",
  error: "errors",
  path: "paths",
  word: "words",
  branch: "branches",
} as const;
type List = (typeof LISTS)[keyof typeof LISTS];
/** A part up to its semicolon or the end of its line; a value that holds one of these stands in quotes, as in JSON. */
const PART =
  /[\s;]*(not[ \t]+)?([a-z]+)[ \t]*(?:(:)[ \t]*(?:("(?:[^"\\\n]|\\.)*")[ \t]*|([^;\n]*)))?(?:[;\n]|$)/iy;
const NEEDS_QUOTES = /^\s|^"|[;\n]|\s$/;
export const WHEN_EXAMPLE = '"command: npm publish; path: src/**; not branch: main"';

/** What a lesson says of it, for people: as far as it is understood in the text that `readWhenText` reads, else as it stands. */
export function whenText(when: unknown): string {
  const known = whenOf({ when });
  if (isEmptyWhen(known)) return when === undefined ? "" : JSON.stringify(when);
  const parts = (
    [name, list]: [string, List],
    texts: { readonly [list in List]?: readonly string[] },
    before = "",
  ) =>
    (texts[list] ?? []).map(
      (text) => `${before}${name}: ${NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text}`,
    );
  const lists = Object.entries(LISTS);
  return [
    ...lists.flatMap((list) => parts(list, known)),
    ...lists.flatMap((list) => parts(list, known.not ?? {}, "not ")),
    ...(["from", "until"] as const).flatMap((key) => (known[key] ? [`${key}: ${known[key]}`] : [])),
    ...present(known.all && "all", known.hold && "hold"),
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
  // As our documents show it, with its name before it.
  const whole = text.replace(/^\s*when:/i, "").replace(/[\s;]+$/, "");
  PART.lastIndex = 0;
  for (let at = 0; at < whole.length; at = PART.lastIndex) {
    const found = PART.exec(whole);
    if (!found)
      return `${quoted(whole.slice(at))} has no name before a colon; put a value that holds ; in quotes`;
    const [part, exception, name = "", colon, inQuotes, plain = ""] = found;
    const key = name.toLowerCase();
    const value =
      inQuotes === undefined ? plain.trim() : tryOr(() => JSON.parse(inQuotes), undefined);
    const list = Object.entries(LISTS).find((names) => names.includes(key))?.[1];
    if (value === undefined || plain.startsWith('"'))
      return `the quotes of ${quoted(part)} are not those of one JSON text`;
    // A person sets it by an option, and what a lesson has of it stays.
    if (key === "hold" && !exception && !colon) continue;
    if (key === "all" && !exception && colon) return `${quoted(part)} takes no value`;
    if (key === "all" && !exception) others.all = true;
    else if (!colon || value === "") return `${quoted(part)} has no value`;
    else if (list && (!exception || EXCEPTIONS.includes(list as never)))
      add(exception ? not : said, list, value);
    else if ((key === "from" || key === "until") && !exception) others[key] = value;
    else if (exception) return `there is no ${quoted(`not ${name}`)}, only ${EXCEPTION_NAMES}`;
    else return `there is no ${quoted(name)}, only ${NAMES}`;
  }
  return { ...said, ...others, not: Object.keys(not).length > 0 ? not : undefined };
}

const NAMES = [...Object.keys(LISTS), "not", "from", "until", "all"].join(", ");
const EXCEPTION_NAMES = Object.entries(LISTS)
  .flatMap(([name, list]) => (EXCEPTIONS.includes(list as never) ? [`not ${name}`] : []))
  .join(", ");

const quoted = (text: string): string =>
  JSON.stringify(text.replace(/^[\s;]+|[\s;]+$/g, "").slice(0, 60));
