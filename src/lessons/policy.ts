/** Reads a project's settings for its memory from `.context/policies/memory.yaml`. The file is committed, so the settings apply to the whole team. */
import { dirname } from "node:path";
import { type Policy, type PolicySchema, policyNotes } from "../ground/core/policy.ts";
import {
  CONTEXT_FOLDER,
  type ContextFolder,
  contextFolder,
} from "../ground/project/context-folder.ts";
import { readPolicyFile } from "../ground/project/small-text.ts";

/** The keys of the file, with their values and defaults. @internal */
export const MEMORY_POLICY = {
  version: 1,
  fields: {
    /** A compaction is due above this number of lessons. */
    compact_threshold: { kind: "integer", min: 1, max: 1_000_000, default: 50 },
    /** The most tokens of lessons at the start of a session. */
    session_tokens: { kind: "integer", min: 100, max: 10_000, default: 600 },
    /** The most tokens of the note on where work stopped. */
    record_tokens: { kind: "integer", min: 50, max: 10_000, default: 250 },
    /** Whether a search shows only matches, or all lessons if they fit. */
    answers: { kind: "choice", of: ["matches", "all"], default: "matches" },
    /** Whether a search without matches suggests questions to ask and assumptions to make. */
    ask_when_unknown: { kind: "boolean", default: true },
    /** Whether a lesson that a person marked may block a call once. */
    hold: { kind: "boolean", default: false },
    /** Whether the server's instructions contain lessons, for clients without hooks. */
    instructions: { kind: "choice", of: ["lessons", "plain"], default: "lessons" },
  },
} as const satisfies PolicySchema;

export type MemoryPolicy = Policy<typeof MEMORY_POLICY>;

export const DEFAULT_COMPACT_THRESHOLD = MEMORY_POLICY.fields.compact_threshold.default;
/** The file's name, as messages spell it. */
export const MEMORY_POLICY_NAME = contextFolder(CONTEXT_FOLDER).memoryPolicy;

/** Reads the current policy. Uses the defaults for a missing file and for invalid values. */
export async function readMemoryPolicy({
  memoryPolicy,
  shared,
}: ContextFolder): Promise<MemoryPolicy> {
  return readPolicyFile(memoryPolicy, MEMORY_POLICY, dirname(shared));
}

/** Returns the most tokens of the note on where work stopped. It's at most half of the limit for lessons. */
export function logTokens({ record_tokens, session_tokens }: MemoryPolicy["values"]): number {
  return Math.min(record_tokens, Math.floor(session_tokens / 2));
}

/** Returns the problems of the policy, one line each. Empty without problems. */
export const memoryPolicyNotes = (policy: MemoryPolicy): string[] => policyNotes(policy.problems);
