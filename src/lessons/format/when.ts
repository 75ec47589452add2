/** `when`: in which work a lesson comes up, by the files that are touched and the words of the task. */
import type { Lesson } from "./lesson.ts";

export interface When {
  /** Globs of paths in the project: `*`, `**` and `?`; one without a slash is the name of a file in any folder. */
  readonly paths?: readonly string[];
  readonly words?: readonly string[];
}

/** Most globs, most words, and most bytes of UTF-8 in all of them. */
export const WHEN_LIMITS = { paths: 8, words: 8, bytes: 256 } as const;
/** More stars in one segment of a glob say nothing that fewer do not. */
const MOST_STARS = 2;
const NOTHING: When = {};

/** What a line says of it; whatever is not a list of texts says nothing. */
export function whenOf({ when }: Pick<Lesson, "when">): When {
  if (typeof when !== "object" || when === null) return NOTHING;
  const { paths, words } = when as Record<string, unknown>;
  return whenWith(texts(paths), texts(words));
}

/** All that some lessons say, each text once, in order. */
export function joinedWhen(lessons: readonly Pick<Lesson, "when">[]): When {
  const all = lessons.map(whenOf);
  return whenWith(
    all.flatMap(({ paths = [] }) => paths),
    all.flatMap(({ words = [] }) => words),
  );
}

/** A `when` of these globs and words, each once and in order. */
export function whenWith(paths: readonly string[], words: readonly string[]): When {
  const [globs, terms] = [[...new Set(paths)].sort(), [...new Set(words)].sort()];
  return { ...(globs.length > 0 && { paths: globs }), ...(terms.length > 0 && { words: terms }) };
}

export function isEmptyWhen({ paths, words }: When): boolean {
  return paths === undefined && words === undefined;
}

/** In a few words what is too much of it; undefined when it may be stored. */
export function whenTooLarge({ paths = [], words = [] }: When): string | undefined {
  const bytes = [...paths, ...words].reduce((sum, text) => sum + Buffer.byteLength(text, "utf8"), 0);
  if (paths.length > WHEN_LIMITS.paths) return `${paths.length} paths; at most ${WHEN_LIMITS.paths} are kept`;
  if (words.length > WHEN_LIMITS.words) return `${words.length} words; at most ${WHEN_LIMITS.words} are kept`;
  if (bytes > WHEN_LIMITS.bytes) return `${bytes} bytes in all; at most ${WHEN_LIMITS.bytes} are kept`;
  return undefined;
}

/** In a few words why a text is not a glob that is understood here; undefined when it is one. */
export function notAGlob(glob: string): string | undefined {
  if (/[{}]/.test(glob)) return "braces are not understood; give one path for each";
  const isTooStarry = glob.split("/").some((segment) => segment !== "**" && segment.split("*").length - 1 > MOST_STARS);
  return isTooStarry ? `more than ${MOST_STARS} stars in one part of the path` : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string" && text !== "") : [];
}
