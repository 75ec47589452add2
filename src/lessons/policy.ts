/** What a project may decide about its memory, in `.context/policies/memory.yaml`: committed, so that it holds for the whole team. */
import { dirname } from "node:path";
import { type Policy, type PolicySchema, policyNotes } from "../ground/core/policy.ts";
import {
  CONTEXT_FOLDER,
  type ContextFolder,
  contextFolder,
} from "../ground/project/context-folder.ts";
import { readPolicyFile } from "../ground/project/small-text.ts";

/** The keys of the file, with their values and defaults. */
export const MEMORY_POLICY = {
  version: 1,
  fields: {
    /** A compaction is due from more lessons than this on. */
    compact_threshold: { kind: "integer", min: 1, max: 1_000_000, default: 50 },
    /** The most that lessons take at the start of a session. */
    session_tokens: { kind: "integer", min: 100, max: 10_000, default: 600 },
    /** The most to say where work stopped. */
    record_tokens: { kind: "integer", min: 50, max: 10_000, default: 250 },
    /** Whether a search shows what matches, or all lessons while they fit. */
    answers: { kind: "choice", of: ["matches", "all"], default: "matches" },
    /** Whether a search that finds nothing says what to ask about or assume. */
    ask_when_unknown: { kind: "boolean", default: true },
    /** Whether a lesson that a person marked may keep a call from running, once. */
    hold: { kind: "boolean", default: false },
    /** Whether the server's instructions carry lessons, for clients that run no hook. */
    instructions: { kind: "choice", of: ["lessons", "plain"], default: "lessons" },
  },
} as const satisfies PolicySchema;

export type MemoryPolicy = Policy<typeof MEMORY_POLICY>;

export const DEFAULT_COMPACT_THRESHOLD = MEMORY_POLICY.fields.compact_threshold.default;
/** The file's name, as messages spell it. */
export const MEMORY_POLICY_NAME = contextFolder(CONTEXT_FOLDER).memoryPolicy;

/** The policy as it is now: without a file, and for what does not hold in it, the defaults. */
export async function readMemoryPolicy({
  memoryPolicy,
  shared,
}: ContextFolder): Promise<MemoryPolicy> {
  return readPolicyFile(memoryPolicy, MEMORY_POLICY, dirname(shared));
}

/** The most to say where work stopped: never more than half of what lessons take. */
export function logTokens({ record_tokens, session_tokens }: MemoryPolicy["values"]): number {
  return Math.min(record_tokens, Math.floor(session_tokens / 2));
}

/** What is wrong with the policy, a line each; empty when nothing is. */
export const memoryPolicyNotes = (policy: MemoryPolicy): string[] => policyNotes(policy.problems);
