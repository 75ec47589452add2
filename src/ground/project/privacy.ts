/** The words and passages that must never be stored (docs/design/ground.md, "Own words"). */
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { SentinelError, tryOr } from "../core/errors.ts";
import {
  type Policy,
  type PolicyProblem,
  type PolicySchema,
  placedMessage,
  policyNotes,
  readPolicy,
  unreadablePolicy,
} from "../core/policy.ts";
import { present } from "../core/text.ts";
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
import { isSparse, leftOut, sparseFix } from "./not-checked-out.ts";
import { gitRootOf } from "./repository.ts";
import { readPolicyFile } from "./small-text.ts";

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

interface PrivacyFile {
  /** The name in messages. */
  readonly name: string;
  readonly words: readonly string[];
  readonly patterns: readonly OwnPattern[];
  /** If one of them isn't harmless, nothing can be stored. */
  readonly problems: readonly PolicyProblem[];
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

/** A file that exists, after reading. */
interface ReadFile {
  readonly name: string;
  readonly policy: Policy<typeof SCHEMA>;
}

/** @param own the user's folders. */
export function privacyOf(
  { folder, context }: Project,
  own = allConfigFolders(folder),
): ReadPrivacy {
  const folders = own.flatMap(({ general, ofProject }) => [general, ofProject]);
  const paths = folders.map((place) => join(place, OWN_NAME));
  let last: { key: string; privacy: Privacy } | undefined;
  return async () => {
    const files = present(
      await readShared(context.privacyPolicy, folder),
      ...(await Promise.all(paths.map(readOwn))),
    );
    const key = JSON.stringify(files);
    if (key !== last?.key) {
      last = { key, privacy: joined(files.map(privacyFile)) };
    }
    return last.privacy;
  };
}

async function readOwn(path: string): Promise<ReadFile | undefined> {
  if (!isThere(path)) {
    return undefined;
  }
  return { name: path, policy: await readPolicyFile(path, SCHEMA) };
}

/** Reads the project's file. The words of a file outside a sparse checkout are unknown, so nothing can be stored. */
async function readShared(path: string, folder: string): Promise<ReadFile | undefined> {
  const name = SHARED_NAME;
  if (isThere(path)) {
    return { name, policy: await readPolicyFile(path, SCHEMA, folder) };
  }
  const root = gitRootOf(dirname(path));
  if (root === undefined || !isSparse(root)) {
    return undefined;
  }
  if (leftOut(root, [path]).length === 0) {
    return undefined;
  }
  const why = "git tracks the file, and this checkout does not have it";
  return { name, policy: unreadablePolicy(SCHEMA, name, why, await sparseFix(root, path)) };
}

/** Whether something has this path, even a link to no file. If unsure, it does. */
const isThere = (path: string): boolean =>
  tryOr(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, true);

/** Reads the privacy rules from a text that isn't in a file. @param name for messages. */
export function privacyFrom(text: string, name: string): Privacy {
  return joined([privacyFile({ name, policy: readPolicy(text, SCHEMA, name) })]);
}

/** Returns the problems of the files, one per line. */
export function privacyNotes({ files }: Privacy): string[] {
  return policyNotes(files.flatMap(({ problems }) => problems));
}

function privacyFile({ name, policy: { values, problems } }: ReadFile): PrivacyFile {
  const { words, patterns, emails, phones } = values.never_store;
  const usable: string[] = [];
  const compiled: OwnPattern[] = [];
  const faults = [...problems];
  for (const { text, line } of words) {
    const reason = unusableWord(text);
    if (reason === undefined) {
      usable.push(text);
    } else if (reason === "too long") {
      faults.push({ file: name, line, ...TOO_LONG });
    } else {
      faults.push({ file: name, line, ...TOO_SHORT });
    }
  }
  for (const { text, line } of patterns) {
    const pattern = ownPattern(text);
    if (typeof pattern !== "string") {
      compiled.push(pattern);
      continue;
    }
    const message = `a pattern is not valid (${pattern}), so ${SCHEMA.consequence}.`;
    const fix = "Correct that line; the syntax is that of RE2.";
    faults.push({ file: name, line, message, fix });
  }
  if (emails) {
    compiled.push(findEmails);
  }
  if (phones) {
    compiled.push(findPhones);
  }
  return { name, words: usable, patterns: compiled, problems: faults };
}

const TOO_LONG = {
  message: `a word has more than 200 characters, so ${SCHEMA.consequence}.`,
  fix: "Shorten it.",
};
const TOO_SHORT = {
  message: "a word of fewer than three characters is ignored.",
  fix: "Correct that line, or delete it.",
  isIgnored: true,
} as const;

function joined(files: readonly PrivacyFile[]): Privacy {
  const words = files.flatMap((file) => file.words);
  const patterns = files.flatMap((file) => file.patterns);
  const known = words.length + patterns.length > 0 ? ownWords(words, patterns) : NO_OWN_WORDS;
  const problems = files.flatMap((file) => file.problems);
  const fault = problems.find(({ isIgnored }) => !isIgnored);
  return {
    files,
    known,
    forStoring() {
      if (fault) {
        throw new SentinelError("privacy_unreadable", placedMessage(fault), fault.fix);
      }
      return known;
    },
  };
}
