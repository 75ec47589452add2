/** `when`: in which work a lesson comes up, by files, words, commands or errors; never on some branches, or within some days. */
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
  /** Words that a simple command begins with; with `*` the whole of it, as rules of Claude Code are written. */
  readonly commands?: Texts;
  /** Parts of what a failed call printed; between slashes in the syntax of RE2. */
  readonly errors?: Texts;
  /** Each kind that is given has to match; without it one is enough. */
  readonly all?: true;
  readonly not?: { readonly [kind in (typeof EXCEPTIONS)[number]]?: Texts };
  /** Globs of the branches on which alone it comes up. */
  readonly branches?: Texts;
  /** The first day on which it comes up, YYYY-MM-DD. */
  readonly from?: string;
  /** The last day. */
  readonly until?: string;
  /** Where it is allowed, the first call that matches in a session is held. Only a person says so. */
  readonly hold?: true;
}

/** Most texts in a list, and most bytes of UTF-8 in all of them. */
export const WHEN_LIMITS = { texts: 8, bytes: 512 } as const;
/** More stars in one segment of a glob say nothing that fewer do not. */
const MOST_STARS = 2;
export const LISTS = ["paths", "words", "commands", "errors", "branches"] as const;
/** Their values are content whole; a value of another kind that has commas is several. */
const WITH_COMMAS: readonly string[] = ["commands", "errors"];
/** Commas in braces belong to the glob. */
const COMMA = /[,，、](?![^{}]*\})/;
const NOTHING: When = {};

/** What a line says of it; whatever is not what it should be says nothing. */
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

/** All that some lessons come up by: it comes up wherever one of them did, so it keeps only the restrictions that all share, and no call. */
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

/** In its one form: each text once, composed, in order, none empty. @param change gives each another text; none takes it out. */
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

/** In a few words what is too much of it; undefined when it may be stored. */
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

/** In a few words why a text is not a glob that is understood here; undefined when it is one. */
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
