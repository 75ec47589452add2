/** What a kind of event says of itself: one object a kind, and everything that differs between kinds is in it. Pure. (docs/design/sessions.md, "What an event holds") */
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
/** What an event says, where its kind does not matter: redacted, cut, hashed and searched for what a purge names. */
export type Content = { readonly [key: string]: Json | undefined };

export type Texts = string | readonly string[];

/** The types that a field can have. An `id` names an event, a chunk or an artifact, and a reader sees only those that they may see. */
interface Types {
  readonly text: string;
  readonly texts: Texts;
  readonly id: string;
  readonly ids: Texts;
  readonly flag: boolean;
  readonly number: number;
  /** Looked into where it is used. */
  readonly json: Json;
}
export type FieldType = keyof Types;
export type Fields = Readonly<Record<string, FieldType>>;
/** Every field may be missing: what others wrote is read as it is. */
export type ContentOf<F extends Fields> = { readonly [Name in keyof F]?: Types[F[Name]] };

/** Fields that an event of any kind can have. */
export const COMMON = {
  /** `human` where an agent says that a person said it. */
  quotes: "text",
  /** What was cut of which field. */
  cuts: "json",
} as const satisfies Fields;

/** What somebody has to say, and may say, to state an event of a kind. */
export interface Form<Name extends string = string> {
  /** The kind with its article, for messages. */
  readonly name: string;
  readonly needs: readonly Name[];
  readonly may: readonly Name[];
  /** Whether it has to rest on something that is recorded. */
  readonly needsRefs?: true;
  readonly oneOf?: { readonly [Field in Name]?: readonly string[] };
  /** In place of it, where a person says it. */
  readonly byPerson?: Pick<Form<Name>, "needs" | "may">;
}

/** What a kind looks at of an event. */
export interface Told<F extends Fields = Fields> {
  readonly id: string;
  /** The client, or one of its child agents. */
  readonly agent: string;
  readonly actor: { readonly type: string };
  readonly refs: readonly string[];
  readonly content: ContentOf<F> & ContentOf<typeof COMMON>;
}

/** A place in a list: of what has one name only the last is kept, and of the names only the last `most`. */
export interface Slot {
  readonly list: string;
  readonly name: string;
  readonly most: number;
}

export interface EventKind<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name;
  readonly fields: F;
  /** The fields that can be found by their words, in the order in which a person would read them. */
  readonly searched: readonly (keyof F & string)[];
  /** What can be found besides these. */
  searchedToo?(content: ContentOf<F>): readonly string[];
  /** With fewer texts it says nothing that could be looked for; 1 where it is absent. */
  readonly fewestTexts?: number;
  /** Absent where nobody can state one. */
  readonly form?: Form<keyof F & string> | undefined;
  /** Whether it holds what tools were given or printed: any text may stand in it, and a mark in it is text. */
  readonly isOfTools?: true;
  /** What going on needs to know of it, its texts cut; undefined where that is nothing. */
  brief?(event: Told<F>): Content | undefined;
  /** Which briefs of a session are kept. */
  slots?(event: Told<F>): readonly Slot[];
  /** How many of a segment the ledger keeps, the last ones; it has none where this is absent. */
  readonly mostInLedger?: number;
  /** Tokens of it that the recent window of a bundle shows at most; others have sections of their own. */
  readonly windowTokens?: number;
  /** In the evidence of a bundle, what is of one sort and says the same is shown once; without this each one says something else. */
  evidenceSort?(content: ContentOf<F>): string;
  /** Whether it has no place in the evidence, because other events say it. */
  isSaidElsewhere?(content: ContentOf<F>): boolean;
  /** How much it matters, from 0 to 1. */
  readonly importance: number;
}

/** Checks a kind, and keeps the types of its fields. */
export function eventKind<
  const Name extends string,
  const F extends Fields,
  const S extends Form<keyof F & string> | undefined,
>(kind: EventKind<Name, F> & { readonly form?: S }) {
  return kind as EventKind<Name, F> & { readonly form: S };
}

/** The texts of a list; a text alone is one. */
export function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  return typeof value === "string" ? [value] : [];
}

/** The files that a call worked on. */
export function pathsIn({
  path,
  other_paths,
}: {
  readonly path?: string;
  readonly other_paths?: Texts;
}): string[] {
  return [...textsIn(path), ...textsIn(other_paths)];
}

/** Whether only an agent says that a person said it. */
export const isQuoted = ({ quotes }: ContentOf<typeof COMMON>): boolean => quotes === "human";

/** Whether a child agent said or did it. */
export const isOfChildAgent = ({ agent }: Pick<Told, "agent">): boolean => agent.includes("/");

/** Characters of a text; items of a list and characters of each; or `flag`, which is kept where it is set. */
type Length = number | readonly [items: number, characters: number] | "flag";

/** The fields that are named, in their order, those that say something, cut: they are redacted, and no mark is cut in two. */
export function shortened<C extends { readonly [Name in keyof C]?: unknown }>(
  content: C,
  lengths: { readonly [Name in keyof C]?: Length },
): Content {
  const fields: Record<string, Json> = {};
  for (const name in lengths) {
    const value = content[name];
    const short =
      value === undefined ? undefined : shortValue(value as Json, lengths[name] as Length);
    if (short !== undefined) fields[name] = short;
  }
  return fields;
}

function shortValue(value: Json, length: Length): Json | undefined {
  if (length === "flag") return value === true ? value : undefined;
  if (typeof length === "number") return cut(value as string, length);
  return textsIn(value)
    .slice(0, length[0])
    .map((text) => cut(text, length[1]));
}

export const cut = (text: string, most: number): string => cutRedacted(text as RedactedText, most);
