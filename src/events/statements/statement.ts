/** What can be said into the record, by an agent or at the command line: the kinds, and which fields each has. Pure. */
import type { Channel, Kind, Sensitivity } from "../event.ts";

type StatedKind = Extract<
  Kind,
  "message" | "decision" | "task_update" | "summary" | "pin" | "handoff" | "tool_call" | "tool_result"
>;

export const SCOPES = ["project", "user", "global"] as const;

/** How a call of a tool ended that did not do what it should. */
export const OUTCOMES = ["failed", "not_found", "refused_by_user"] as const;

/** By name, as they were given: they may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields that are lists of texts; `confidence` is a number, all others are texts. */
export const LISTS: readonly string[] = [
  "rationale",
  "constraints",
  "alternatives",
  "consequences",
  "supersedes",
  "decisions",
  "required_files",
  "open_questions",
];

export interface Statement {
  readonly kind: StatedKind;
  /** `human` where an agent quotes a person. */
  readonly actor?: "agent" | "human" | undefined;
  /** Ids of what it rests on: of events, whole or short, of chunks or of artifacts. */
  readonly refs?: readonly string[] | undefined;
  /** `private` where it is absent. */
  readonly channel?: Channel | undefined;
  /** `none` where it is absent. */
  readonly sensitivity?: Sensitivity | undefined;
  readonly fields: Fields;
}

interface Form {
  /** With its article, for messages. */
  readonly name: string;
  readonly needs: readonly string[];
  readonly may: readonly string[];
  readonly needsRefs: boolean;
}

/** A person needs no ground for what has to stay in view. */
export const PERSONS_PIN: Form = { name: "a pin", needs: [], may: ["text", "ref", "note"], needsRefs: false };

/** The fields of a kind are those of its event's content, by the names under which projections read them. */
export const FORMS: Readonly<Record<StatedKind, Form>> = {
  message: { name: "a message", needs: ["text"], may: [], needsRefs: false },
  decision: {
    name: "a decision",
    needs: ["decision"],
    may: ["rationale", "constraints", "alternatives", "consequences", "scope", "confidence", "supersedes"],
    needsRefs: true,
  },
  task_update: {
    name: "a task_update",
    needs: [],
    may: ["task", "title", "status", "owner", "details"],
    needsRefs: false,
  },
  summary: { name: "a summary", needs: ["text", "coverage"], may: [], needsRefs: true },
  pin: { name: "a pin", needs: ["ref", "note"], may: ["supersedes"], needsRefs: false },
  handoff: {
    name: "a handoff",
    needs: ["to_agent", "task"],
    may: ["constraints", "decisions", "required_files", "open_questions"],
    needsRefs: false,
  },
  // What an agent runs whose transcripts nobody reads.
  tool_call: { name: "a tool_call", needs: ["tool"], may: ["path", "command"], needsRefs: false },
  tool_result: {
    name: "a tool_result",
    needs: ["tool", "text"],
    may: ["path", "command", "outcome"],
    needsRefs: false,
  },
};
