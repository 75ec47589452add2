/** Defines `when`, the work in which a lesson comes up: files, words, commands or errors, limited by branch and time. */

import { isObject } from "../../ground/core/collections.ts";
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { compare, composed } from "../../ground/core/text.ts";
import { isCalendarDay } from "../../ground/core/time.ts";
import type { Lesson, Mutable } from "./lesson.ts";

/** The kinds by which a lesson comes up, the most specific first. */
export const TRIGGERS = ["errors", "commands", "paths", "words"] as const;
/** The kinds that keep a lesson from coming up. */
export const EXCEPTIONS = ["paths", "words", "commands", "branches"] as const;
export const LISTS = ["paths", "words", "commands", "errors", "branches"] as const;

type Texts = readonly string[];
type List = (typeof LISTS)[number];
type Lists = { [list in List]?: Texts };

export interface When {
  /** Globs of paths in the project: `*`, `**` and `?`. A glob without a slash is the name of a file in any folder. */
  readonly paths?: Texts;
  readonly words?: Texts;
  /** The first words of a simple command. With `*`, a pattern for the whole command, like the rules of Claude Code. */
  readonly commands?: Texts;
  /** Parts of the output of a failed call. Between slashes, a pattern in the syntax of RE2. */
  readonly errors?: Texts;
  /** All values have to match. Without it, one is enough. */
  readonly all?: true;
  readonly not?: { readonly [kind in (typeof EXCEPTIONS)[number]]?: Texts };
  /** It comes up only on branches that match one of these globs. */
  readonly branches?: Texts;
  /** The local day, or day and minute, from which it comes up: YYYY-MM-DD or YYYY-MM-DD HH:MM. */
  readonly from?: string;
  /** The last day or minute, in the same form. */
  readonly until?: string;
  /** If settings allow it, the first call in a session that matches is blocked. Only a person sets this. */
  readonly hold?: true;
}

/** The most texts in a list, and the most bytes of UTF-8 in all of them. */
export const WHEN_LIMITS = { texts: 8, bytes: 512 } as const;
/** Kinds whose values may contain commas. In other kinds, a comma separates values. */
const WITH_COMMAS: readonly string[] = ["commands", "errors"];
/** Commas in braces belong to the glob. */
const COMMA = /[,，、](?![^{}]*\})/;
const TIME_OF_DAY = /[ T]([01]\d|2[0-3]):[0-5]\d$/;
const NOTHING: When = {};

/** The `when` of a lesson, without the parts that are not valid. */
export const whenOf = ({ when }: Pick<Lesson, "when">): When =>
  isObject(when) ? readWhen(when) : NOTHING;

/** Memoized because a compaction joins the same ones again and again. */
const readWhen = memoizeByObject((when: Record<string, unknown>): When => {
  const { not, all, from, until, hold, ...lists } = when;
  const read: Mutable<When> = { ...(lists as Lists) };
  if (isObject(not)) {
    read.not = not;
  }
  if (isDayOrMinute(from)) {
    read.from = from;
  }
  if (isDayOrMinute(until)) {
    read.until = until;
  }
  if (all === true) {
    read.all = true;
  }
  if (hold === true) {
    read.hold = true;
  }
  return whenWith(read);
});

/** Whether a value is a day like 2026-12-01, or a day and minute like 2026-12-01 10:00. */
export const isDayOrMinute = (value: unknown): value is string =>
  typeof value === "string" && isCalendarDay(value.replace(TIME_OF_DAY, ""));

/** Whether a lesson comes up only later. @param now YYYY-MM-DD HH:MM in local time. */
export const isTooEarly = ({ from = "" }: When, now: string): boolean =>
  now.slice(0, from.length) < from;

/** Whether the last day or minute of a lesson has passed. @param now YYYY-MM-DD HH:MM in local time. */
export const isOver = ({ until }: When, now: string): boolean =>
  until !== undefined && until < now.slice(0, until.length);

/** Returns a `when` for all work in which any of these lessons comes up. It keeps only limits that all lessons share, and never `hold`. */
export function joinedWhen(lessons: readonly Pick<Lesson, "when">[]): When {
  const whens = lessons.map(whenOf);
  const joined: Mutable<When> = { not: sharedExceptions(whens) };
  for (const kind of TRIGGERS) {
    joined[kind] = valuesOf(whens, kind);
  }
  if (needAllOfTheSame(whens)) {
    joined.all = true;
  }
  if (whens.every(({ branches }) => branches)) {
    joined.branches = valuesOf(whens, "branches");
  }
  const starts = whens.map(({ from = "" }) => from).sort();
  if (!starts.includes("")) {
    joined.from = starts[0];
  }
  const ends = whens.map(({ until = "" }) => until).sort(byEnd);
  if (!ends.includes("")) {
    joined.until = ends.at(-1);
  }
  return whenWith(joined);
}

const valuesOf = (whens: readonly When[], list: List): Texts =>
  whens.flatMap((when) => when[list] ?? []);

/** Whether all of them have `all` with the same values. With different values, the joined `when` would need both lessons' values at the same time. */
function needAllOfTheSame(whens: readonly When[]): boolean {
  const triggers = new Set<string>();
  for (const when of whens) {
    if (!when.all) {
      return false;
    }
    triggers.add(JSON.stringify(TRIGGERS.map((kind) => when[kind])));
  }
  return triggers.size === 1;
}

function sharedExceptions([first = NOTHING, ...others]: readonly When[]): Lists {
  const shared: Lists = {};
  for (const kind of EXCEPTIONS) {
    const isShared = (text: string) => others.every(({ not }) => not?.[kind]?.includes(text));
    shared[kind] = (first.not?.[kind] ?? []).filter(isShared);
  }
  return shared;
}

/** A day ends after all its minutes. */
function byEnd(a: string, b: string): number {
  const length = "YYYY-MM-DD HH:MM".length;
  return compare(a.padEnd(length, "~"), b.padEnd(length, "~"));
}

/** Normalizes a `when`: composes the texts, sorts them, and removes duplicates and empty ones. @param change replaces a text, or removes it with an empty list. */
export function whenWith(when: When, change: (text: string) => Texts = (text) => [text]): When {
  const { all, from, until, hold } = when;
  const { branches, ...triggers } = normalLists(when, LISTS, change);
  const not = normalLists(when.not ?? {}, EXCEPTIONS, change);
  // The order of these lines is the order in the file.
  const normal: Mutable<When> = triggers;
  if (all) {
    normal.all = all;
  }
  if (Object.keys(not).length > 0) {
    normal.not = not;
  }
  if (branches) {
    normal.branches = branches;
  }
  if (from) {
    normal.from = from.replace("T", " ");
  }
  if (until) {
    normal.until = until.replace("T", " ");
  }
  if (hold) {
    normal.hold = hold;
  }
  return normal;
}

/** The lists of these names that have a text. A value that is not a list of texts counts as an empty one. */
function normalLists(
  lists: { readonly [list in List]?: unknown },
  names: readonly List[],
  change: (text: string) => Texts,
): Lists {
  const found: Lists = {};
  for (const name of names) {
    const given = lists[name];
    const texts = (Array.isArray(given) ? given : []).filter(isText).flatMap(change);
    const values = WITH_COMMAS.includes(name) ? texts : texts.flatMap(splitAtCommas);
    if (values.length > 0) {
      found[name] = [...new Set(values.map(composed))].sort();
    }
  }
  return found;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function splitAtCommas(text: string): string[] {
  const parts = text.split(COMMA).map((part) => part.trim());
  return parts.filter(Boolean);
}

export const isEmptyWhen = (when: When): boolean => Object.keys(when).length === 0;

/** @returns in a few words which limit it exceeds. Undefined if it may be stored. */
export function whenTooLarge(when: When): string | undefined {
  const lists = new Map<string, Texts>();
  for (const name of LISTS) {
    lists.set(name, when[name] ?? []);
  }
  for (const name of EXCEPTIONS) {
    lists.set(`not ${name}`, when.not?.[name] ?? []);
  }
  let bytes = 0;
  for (const [name, texts] of lists) {
    if (texts.length > WHEN_LIMITS.texts) {
      return `${texts.length} ${name}; at most ${WHEN_LIMITS.texts} are kept`;
    }
    bytes += Buffer.byteLength(texts.join(""), "utf8");
  }
  if (bytes <= WHEN_LIMITS.bytes) {
    return undefined;
  }
  return `${bytes} bytes in all; at most ${WHEN_LIMITS.bytes} are kept`;
}

/** Whether a glob has braces, which match nothing. */
export const hasBraces = (glob: string): boolean => /[{}]/.test(glob);
