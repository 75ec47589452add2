/** `when`: the work in which a lesson comes up, by files, words, commands or errors, and limits by branch or day. */
import { memoizeByObject } from "../../ground/core/memoize-by-object.ts";
import { composed } from "../../ground/core/text.ts";
import { isCalendarDay } from "../../ground/core/time.ts";
import { isObject, type Lesson } from "./lesson.ts";

/** The kinds by which a lesson comes up, the most specific first. */
export const TRIGGERS = ["errors", "commands", "paths", "words"] as const;
/** The kinds that keep a lesson from coming up. */
export const EXCEPTIONS = ["paths", "words", "commands", "branches"] as const;

type Texts = readonly string[];

export interface When {
  /** Globs of paths in the project: `*`, `**` and `?`; one without a slash is the name of a file in any folder. */
  readonly paths?: Texts;
  readonly words?: Texts;
  /** The first words of a simple command. With `*`, a pattern for all of it, like the rules of Claude Code. */
  readonly commands?: Texts;
  /** Parts of the output of a failed call. Between slashes, a pattern in the syntax of RE2. */
  readonly errors?: Texts;
  /** All kinds have to match. Without it one is enough. */
  readonly all?: true;
  readonly not?: { readonly [kind in (typeof EXCEPTIONS)[number]]?: Texts };
  /** It comes up only on branches that match one of these globs. */
  readonly branches?: Texts;
  /** The first day on which it comes up, YYYY-MM-DD. */
  readonly from?: string;
  /** The last day. */
  readonly until?: string;
  /** If settings allow it, the first call in a session that matches is blocked. Only a person sets this. */
  readonly hold?: true;
}

/** Most texts in a list, and most bytes of UTF-8 in all of them. */
export const WHEN_LIMITS = { texts: 8, bytes: 512 } as const;
/** More stars in one segment of a glob add nothing. */
const MOST_STARS = 2;
export const LISTS = ["paths", "words", "commands", "errors", "branches"] as const;
/** Kinds whose values may contain commas. In other kinds, a comma separates values. */
const WITH_COMMAS: readonly string[] = ["commands", "errors"];
/** Commas in braces belong to the glob. */
const COMMA = /[,，、](?![^{}]*\})/;
const NOTHING: When = {};

/** The `when` of a lesson, without the parts that are not valid. */
export const whenOf = ({ when }: Pick<Lesson, "when">): When =>
  isObject(when) ? readWhen(when) : NOTHING;

/** Read once: a compaction joins the same ones again and again. */
const readWhen = memoizeByObject(
  ({ not, all, from, until, hold, ...lists }: Record<string, unknown>): When => {
    return whenWith({
      ...(lists as When),
      all: all === true ? all : undefined,
      not: isObject(not) ? not : undefined,
      from: isCalendarDay(from) ? from : undefined,
      until: isCalendarDay(until) ? until : undefined,
      hold: hold === true ? hold : undefined,
    });
  },
);

/** The `when` for all work in which one of these lessons comes up: only the limits that all share, and never `hold`. */
export function joinedWhen(lessons: readonly Pick<Lesson, "when">[]): When {
  const whens = lessons.map(whenOf);
  const [first = NOTHING, ...others] = whens;
  const kinds = new Set(whens.map((when) => TRIGGERS.filter((kind) => when[kind]).join()));
  const shared = EXCEPTIONS.map((kind) => {
    const each = others.map(({ not }) => new Set(not?.[kind]));
    return [
      kind,
      (first.not?.[kind] ?? []).filter((text) => each.every((texts) => texts.has(text))),
    ] as const;
  });
  const days = (key: "from" | "until") => whens.flatMap((when) => when[key] ?? []).sort();
  const from = days("from");
  const until = days("until");
  const needsAll = kinds.size === 1 && whens.every(({ all }) => all);
  const areOnBranches = whens.every(({ branches }) => branches);
  return whenWith({
    ...Object.fromEntries(
      TRIGGERS.map((kind) => [kind, whens.flatMap((when) => when[kind] ?? [])]),
    ),
    all: needsAll ? true : undefined,
    not: Object.fromEntries(shared),
    branches: areOnBranches ? whens.flatMap(({ branches = [] }) => branches) : undefined,
    from: from.length === whens.length ? from[0] : undefined,
    until: until.length === whens.length ? until.at(-1) : undefined,
  });
}

/** Normalizes it: each text once, composed, sorted, none empty. @param change replaces a text, or removes it with an empty list. */
export function whenWith(when: When, change?: (text: string) => Texts): When {
  const { all, from, until, hold } = when;
  const { branches, ...lists } = inOrder(when, LISTS, change);
  const not = inOrder(when.not ?? {}, EXCEPTIONS, change);
  const given: { -readonly [Key in keyof When]: When[Key] } = lists;
  if (all) given.all = all;
  if (Object.keys(not).length > 0) given.not = not;
  if (branches) given.branches = branches;
  if (from) given.from = from;
  if (until) given.until = until;
  if (hold) given.hold = hold;
  return given;
}

export const isEmptyWhen = (when: When): boolean => Object.keys(when).length === 0;

/** @returns in a few words which limit it exceeds. Undefined if it may be stored. */
export function whenTooLarge(when: When): string | undefined {
  const lists = listsOf(when);
  const { texts: most } = WHEN_LIMITS;
  for (const [name, { length }] of lists)
    if (length > most) return `${length} ${name}; at most ${most} are kept`;
  const bytes = lists
    .flatMap(([, texts]) => texts)
    .reduce((sum, text) => sum + Buffer.byteLength(text, "utf8"), 0);
  return bytes > WHEN_LIMITS.bytes
    ? `${bytes} bytes in all; at most ${WHEN_LIMITS.bytes} are kept`
    : undefined;
}

/** @returns in a few words why a text is not a valid glob. Undefined for a valid one. */
export function notAGlob(glob: string): string | undefined {
  if (/[{}]/.test(glob)) return "braces are not understood; give one path for each";
  const isTooStarry = glob
    .split("/")
    .some((segment) => segment !== "**" && segment.split("*").length - 1 > MOST_STARS);
  return isTooStarry ? `more than ${MOST_STARS} stars in one part of the path` : undefined;
}

/** Its lists by their names, `not paths` for an exception. */
function listsOf(when: When): [name: string, texts: Texts][] {
  const exceptions = EXCEPTIONS.map((kind): [string, Texts] => [
    `not ${kind}`,
    when.not?.[kind] ?? [],
  ]);
  return [...LISTS.map((kind): [string, Texts] => [kind, when[kind] ?? []]), ...exceptions];
}

/** A value that is not a list of texts counts as an empty one. */
function inOrder<Name extends string>(
  lists: { readonly [name in Name]?: unknown },
  names: readonly Name[],
  change: (text: string) => Texts = (text) => [text],
): { [name in Name]?: Texts } {
  const found: { [name in Name]?: Texts } = {};
  for (const name of names) {
    const given: readonly unknown[] = Array.isArray(lists[name]) ? lists[name] : [];
    const texts = given.filter((text): text is string => typeof text === "string" && text !== "");
    const changed = texts.flatMap(change);
    const single = WITH_COMMAS.includes(name) ? changed : changed.flatMap(splitAtCommas);
    const each = [...new Set(single.map(composed))].sort();
    if (each.length > 0) found[name] = each;
  }
  return found;
}

function splitAtCommas(text: string): string[] {
  const parts = text.split(COMMA).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}
