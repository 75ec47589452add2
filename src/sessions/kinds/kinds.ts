/** The kinds of events, and the content type of each. Pure. (docs/design/sessions.md, "What an event holds") */
import { artifact } from "./artifact.ts";
import { decision } from "./decision.ts";
import { handoff } from "./handoff.ts";
import type { COMMON, ContentOf, EventKind, Fields, Form } from "./kind.ts";
import { message } from "./message.ts";
import { pin } from "./pin.ts";
import { session } from "./session.ts";
import { summary } from "./summary.ts";
import { taskUpdate } from "./task-update.ts";
import { toolCall } from "./tool-call.ts";
import { toolResult } from "./tool-result.ts";

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
