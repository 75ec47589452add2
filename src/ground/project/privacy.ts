/** The words and passages that must never be stored (docs/design/ground.md, "Own words"). */
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { SentinelError, tryOr } from "../core/errors.ts";
import { groupBy } from "../core/group-by.ts";
import {
  type PlacedText,
  type Policy,
  type PolicyProblem,
  type PolicyReport,
  type PolicySchema,
  placeIn,
  policyNotes,
} from "../core/policy.ts";
import { readPolicy } from "../core/read-policy.ts";
import { lookAt } from "../files/replace-file.ts";
import { ownPattern } from "../redaction/own-patterns.ts";
import {
  NO_OWN_WORDS,
  type OwnPattern,
  type OwnWords,
  ownWords,
  unusableWord,
} from "../redaction/own-words.ts";
import { findEmails, findPhones } from "../redaction/personal.ts";
import { allConfigFolders } from "./config-folders.ts";
import { CONTEXT_FOLDER, contextFolder } from "./context-folder.ts";
import type { Project } from "./find-project.ts";
import { gitRootOf } from "./git-root.ts";
import { leftOut, sparseFix } from "./not-checked-out.ts";
import { readPolicyFile } from "./policy-file.ts";
import { isSparse } from "./sparse-project.ts";

const SCHEMA = {
  version: 1,
  consequence: "nothing is stored",
  fields: {
    never_store: {
      kind: "section",
      fields: {
        /** Whole words in scripts with spaces between words. In other scripts, any occurrence. */
        words: { kind: "placed texts" },
        /** RE2 patterns, matched line by line. */
        patterns: { kind: "placed texts" },
        emails: { kind: "boolean", default: false },
        phones: { kind: "boolean", default: false },
      },
    },
  },
} as const satisfies PolicySchema;

/** The name of the project's file in messages. */
const SHARED_NAME = contextFolder(CONTEXT_FOLDER).privacyPolicy;
const OWN_NAME = "privacy.yaml";

/** A privacy file. If it has a problem, nothing can be stored. */
interface PrivacyFile extends PolicyReport {
  /** The name in messages. */
  readonly name: string;
  readonly words: readonly string[];
  readonly patterns: readonly OwnPattern[];
}

export interface Privacy {
  /** The files that exist. */
  readonly files: readonly PrivacyFile[];
  /** The readable part of the files, for callers that store nothing. */
  readonly known: OwnWords;
  /** Returns the words to redact before storing a text. @throws SentinelError `privacy_unreadable`. */
  forStoring(): OwnWords;
}

/** Reads the privacy files. It returns the same object until they change. */
export type ReadPrivacy = () => Promise<Privacy>;

/** @param own the user's folders. */
export function privacyOf(
  { folder, context }: Project,
  own = allConfigFolders(folder),
): ReadPrivacy {
  const paths = own
    .flatMap(({ general, ofProject }) => [general, ofProject])
    .map((place) => join(place, OWN_NAME));
  const shared = { path: context.privacyPolicy, name: SHARED_NAME, sharedIn: folder };
  const places = [shared, ...paths.map((path) => ({ path, name: path, sharedIn: undefined }))];
  let last: { stamps: string; privacy: Privacy } | undefined;
  return async () => {
    const found = places
      .map((place) => ({ ...place, stamp: stampOf(place.path) }))
      .filter(({ stamp }) => stamp !== "");
    const isShared = found.some(({ path }) => path === shared.path);
    const missingFix = isShared ? undefined : await checkoutFix(shared.path);
    const stamps = JSON.stringify([missingFix, ...found.map(({ name, stamp }) => [name, stamp])]);
    const isKnown = found.every(({ stamp }) => stamp !== undefined);
    if (isKnown && stamps === last?.stamps) return last.privacy;
    const read = found.map(async ({ path, name, sharedIn }) =>
      privacyFile(name, await readPolicyFile(path, SCHEMA, sharedIn)),
    );
    const files = await Promise.all(read);
    const privacy = joined(missingFix === undefined ? files : [...files, leftOutFile(missingFix)]);
    last = isKnown ? { stamps, privacy } : undefined;
    return privacy;
  };
}

/** Returns the command that adds a tracked file to a sparse checkout. Undefined for any other file. */
async function checkoutFix(file: string): Promise<string | undefined> {
  const root = gitRootOf(dirname(file));
  if (root === undefined || !isSparse(root)) return undefined;
  if ((await leftOut(root, [file])).length === 0) return undefined;
  return sparseFix(root, file);
}

/** Describes a file outside the sparse checkout. Its words are unknown, so nothing can be stored. */
function leftOutFile(fix: string): PrivacyFile {
  const message = `git tracks the file, and this checkout does not have it, so ${SCHEMA.consequence}.`;
  return {
    name: SHARED_NAME,
    words: [],
    patterns: [],
    problems: [{ line: 1, message, fix }],
    unknown: [],
    unusable: [],
  };
}

/** Reads the privacy rules from a text that isn't in a file. @param name for messages. */
export async function privacyFrom(text: string, name: string): Promise<Privacy> {
  return joined([await privacyFile(name, readPolicy(text, SCHEMA))]);
}

/** Returns the problems of the files, one per line. */
export function privacyNotes({ files }: Privacy): string[] {
  return files.flatMap((file) => policyNotes(file.name, file));
}

/** Returns a stamp of a file's current state. Empty for a missing file, undefined if it can't be read. */
const stampOf = (path: string): string | undefined =>
  tryOr(
    () => lookAt(path)?.stamp ?? (lstatSync(path, { throwIfNoEntry: false }) ? undefined : ""),
    undefined,
  );

async function privacyFile(
  name: string,
  { values, problems, unknown }: Policy<typeof SCHEMA>,
): Promise<PrivacyFile> {
  const words = groupBy(values.never_store.words, ({ text }) => unusableWord(text));
  const { emails, phones, patterns } = values.never_store;
  const compiled = await compile(patterns);
  return {
    name,
    words: (words.get(undefined) ?? []).map(({ text }) => text),
    patterns: [
      ...compiled.flatMap(({ pattern }) => (typeof pattern === "string" ? [] : [pattern])),
      ...(emails ? [findEmails] : []),
      ...(phones ? [findPhones] : []),
    ],
    problems: [
      ...problems,
      ...(words.get("too long") ?? []).map(({ line }) => ({ line, ...TOO_LONG })),
      ...compiled.flatMap(({ pattern, line }) =>
        typeof pattern === "string" ? [invalid(pattern, line)] : [],
      ),
    ],
    unknown,
    unusable: (words.get("too short") ?? []).map(({ line }) => ({ line, ...TOO_SHORT })),
  };
}

const TOO_LONG = {
  message: `a word has more than 200 characters, so ${SCHEMA.consequence}.`,
  fix: "Shorten it.",
};
const TOO_SHORT = {
  message: "a word of fewer than three characters is ignored.",
  fix: "Correct that line, or delete it.",
};

async function compile(patterns: readonly PlacedText[]) {
  if (patterns.length === 0) return [];
  return patterns.map(({ text, line }) => ({ pattern: ownPattern(text), line }));
}

function invalid(why: string, line: number): PolicyProblem {
  const message = `a pattern is not valid (${why}), so ${SCHEMA.consequence}.`;
  return { line, message, fix: "Correct that line; the syntax is that of RE2." };
}

function joined(files: readonly PrivacyFile[]): Privacy {
  const words = files.flatMap((file) => file.words);
  const patterns = files.flatMap((file) => file.patterns);
  const known = words.length + patterns.length > 0 ? ownWords(words, patterns) : NO_OWN_WORDS;
  return {
    files,
    known,
    forStoring() {
      for (const { name, problems } of files)
        for (const problem of problems) throw unreadable(name, problem);
      return known;
    },
  };
}

function unreadable(name: string, { line, message, fix }: PolicyProblem): SentinelError {
  return new SentinelError("privacy_unreadable", `${placeIn(name, line)}: ${message}`, fix);
}
