/** The kinds of events, and the content type of each. Pure. (docs/design/sessions.md, "What an event holds") */
import {
  type COMMON,
  type ContentOf,
  cut,
  type EventKind,
  eventKind,
  type Fields,
  type Form,
  shortened,
} from "./kind.ts";
import { message } from "./message.ts";
import { pendingIn } from "./texts/summary.ts";
import { toolCall } from "./tool-call.ts";
import { toolResult } from "./tool-result.ts";

/** A text that an agent made and names, such as a report. It's appended as a statement, found by its name, and returned whole. */
const artifact = eventKind({
  name: "artifact",
  fields: { title: "text", path: "text", text: "text" },
  form: { name: "An artifact", needs: ["title", "text"], may: ["path"] },
  isOfTools: true,
  searched: ["title", "path", "text"],
  importance: 0.4,
});

/** A decision by a person or an agent. */
const decision = eventKind({
  name: "decision",
  fields: {
    decision: "text",
    question: "text",
    rationale: "texts",
    constraints: "texts",
    alternatives: "texts",
    consequences: "texts",
    scope: "text",
    /** From 0 to 1. */
    confidence: "number",
    supersedes: "ids",
    /** Set when a session carries out a plan: the plan's title. `parent` is the session that made the plan. */
    carries_out: "text",
    parent: "text",
    /** Used instead of `decision`. */
    text: "text",
  },
  form: {
    name: "A decision",
    needs: ["decision"],
    may: [
      "rationale",
      "constraints",
      "alternatives",
      "consequences",
      "scope",
      "confidence",
      "supersedes",
    ],
    needsRefs: true,
    oneOf: { scope: ["project", "user", "global"] },
  },
  searched: ["decision", "question", "rationale", "constraints", "alternatives", "consequences"],
  brief: ({ content }) =>
    shortened(content, {
      decision: 400,
      text: 700,
      question: 300,
      carries_out: 200,
      supersedes: [20, 100],
    }),
  slots: ({ id }) => [{ list: "decision", name: id, most: 40 }],
  mostInLedger: 400,
  importance: 0.9,
});

/** Work that one agent hands to another. */
const handoff = eventKind({
  name: "handoff",
  fields: {
    to_agent: "text",
    task: "text",
    constraints: "texts",
    decisions: "ids",
    required_files: "texts",
    open_questions: "texts",
    note: "text",
    text: "text",
  },
  form: {
    name: "A handoff",
    needs: ["to_agent", "task"],
    may: ["constraints", "decisions", "required_files", "open_questions"],
  },
  searched: ["task", "to_agent", "constraints", "required_files", "open_questions"],
  mostInLedger: 100,
  importance: 0.7,
});

/** A pin keeps something in view. */
const pin = eventKind({
  name: "pin",
  fields: {
    text: "text",
    /** The pinned event, if it's recorded. */
    ref: "id",
    /** The reason for the pin, or its text in short. */
    note: "text",
    supersedes: "ids",
    /** Whether it removes the pins that it supersedes. */
    removed: "flag",
  },
  form: {
    name: "A pin",
    needs: ["ref", "note"],
    may: ["supersedes"],
    // People can pin text that refers to no event.
    byPerson: { needs: [], may: ["text", "ref", "note"] },
  },
  searched: ["text", "note"],
  brief: ({ content }) =>
    shortened(content, { text: 700, ref: 100, note: 300, removed: "flag", supersedes: [20, 100] }),
  slots: ({ id }) => [{ list: "pin", name: id, most: 40 }],
  mostInLedger: 100,
  importance: 1,
});

/** An event of the session itself: its start, end or title, a compaction, or the end of a child agent. */
const session = eventKind({
  name: "session",
  fields: {
    /** `start`, `resume`, `end`, `title`, `compact`, `candidate_never` or `candidate_again`. */
    event: "text",
    client: "text",
    transcript: "text",
    child_agent: "text",
    parent: "text",
    title: "text",
    /** Why it ended. */
    reason: "text",
  },
  searched: ["title"],
  brief: ({ content }) =>
    shortened(content, { event: 40, title: 200, child_agent: 100, reason: 40 }),
  slots: ({ content }) => [
    { list: `session ${content.event}`, name: content.child_agent ?? "", most: 20 },
  ],
  importance: 0.1,
});

/** An agent's own summary of finished and remaining work. */
const summary = eventKind({
  name: "summary",
  fields: {
    text: "text",
    coverage: "text",
    /** `compaction` if the client requested it. */
    of: "text",
  },
  form: { name: "A summary", needs: ["text", "coverage"], may: [], needsRefs: true },
  searched: ["text", "coverage"],
  brief: ({ content }) => ({ text: cut(pendingIn(content.text ?? ""), 700) }),
  slots: () => [{ list: "summary", name: "", most: 1 }],
  importance: 0.4,
});

export const TASK_STATUSES = ["open", "doing", "done", "dropped"] as const;

/** A task and its status. */
const taskUpdate = eventKind({
  name: "task_update",
  fields: {
    /** Identifies the task within its session. */
    task: "text",
    title: "text",
    status: "text",
    owner: "text",
    details: "text",
    /** Ids of updates of the tasks that block it. */
    blocked_by: "ids",
  },
  form: {
    name: "A task_update",
    needs: [],
    may: ["task", "title", "status", "owner", "details", "blocked_by"],
    oneOf: { status: TASK_STATUSES },
  },
  searched: ["title", "details"],
  brief: ({ content }) =>
    shortened(content, { task: 200, title: 200, status: 40, owner: 80, blocked_by: [20, 100] }),
  slots({ id, content }) {
    const name = content.task ?? id;
    const said = (["status", "title", "owner", "blocked_by"] as const).filter(
      (field) => content[field] !== undefined,
    );
    return [
      ...said.map((field) => ({ list: `task ${field}`, name, most: 80 })),
      // Keeps every update, because a later one may refer to it.
      { list: "task_update", name: id, most: 80 },
    ];
  },
  mostInLedger: 400,
  importance: 0.6,
});

const TABLE = {
  message,
  tool_call: toolCall,
  tool_result: toolResult,
  decision,
  summary,
  task_update: taskUpdate,
  artifact,
  session,
  pin,
  handoff,
} as const;

type Table = typeof TABLE;
export type Kind = keyof Table;
export const KINDS = Object.keys(TABLE) as readonly Kind[];

/** The kinds that can be stated. */
export type StatedKind = { [K in Kind]: Table[K]["form"] extends object ? K : never }[Kind];

type Own<K extends Kind> = ContentOf<Table[K]["fields"]> & ContentOf<typeof COMMON>;
type FieldName = { [K in Kind]: keyof Own<K> }[Kind];
/** Allows reading a field of any kind without narrowing first. Fields of other kinds are always undefined. */
type ContentBy<K extends Kind> = {
  readonly [Name in FieldName]?: Name extends keyof Own<K>
    ? Exclude<Own<K>[Name], undefined>
    : never;
};

export type Said = { [K in Kind]: { readonly kind: K; readonly content: ContentBy<K> } }[Kind];

/** Undefined for kinds of a later version, whose content is shown unchanged. */
export function kindNamed(name: string): EventKind | undefined {
  return Object.hasOwn(TABLE, name) ? (TABLE[name as Kind] as unknown as EventKind) : undefined;
}

export function statedKind(name: StatedKind): EventKind & { readonly form: Form } {
  return kindNamed(name) as EventKind & { readonly form: Form };
}

/** The fields that contain ids. */
export const ID_FIELDS: ReadonlySet<string> = new Set(
  KINDS.flatMap((kind) => {
    const fields: Fields = TABLE[kind].fields;
    return Object.keys(fields).filter((name) => fields[name] === "id" || fields[name] === "ids");
  }),
);

/** The kinds whose events can be superseded. */
export const REPLACEABLE = KINDS.filter((kind) => "supersedes" in TABLE[kind].fields);
