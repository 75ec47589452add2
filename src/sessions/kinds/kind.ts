/**
 * Defines one kind of event. Everything that differs between kinds is in this object. Pure. (docs/design/sessions.md, "What an event
 * holds")
 */
import { cutRedacted } from "../../ground/redaction/cut-redacted.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
/** Content for code that treats all kinds alike, such as redaction, hashing and purges. */
export type Content = { readonly [key: string]: Json | undefined };

export type Texts = string | readonly string[];

/** The types of a field. An `id` refers to an event, a chunk or an artifact, and readers see only the ids that they may see. */
interface Types {
  readonly text: string;
  readonly texts: Texts;
  readonly id: string;
  readonly ids: Texts;
  readonly flag: boolean;
  readonly number: number;
  /** Checked by the code that uses it. */
  readonly json: Json;
}
export type FieldType = keyof Types;
export type Fields = Readonly<Record<string, FieldType>>;
/** All fields are optional, because other writers' events aren't validated. */
export type ContentOf<F extends Fields> = { readonly [Name in keyof F]?: Types[F[Name]] };

/** Fields that every kind has. */
export const COMMON = {
  /** `human` if an agent quotes a person. */
  quotes: "text",
  /** The cut fields, each with its original size and the artifact with its whole text. */
  cuts: "json",
} as const satisfies Fields;

/** The required and optional fields of a statement. */
export interface Form<Name extends string = string> {
  /** The kind with its article, as a sentence begins. */
  readonly name: string;
  readonly needs: readonly Name[];
  readonly may: readonly Name[];
  /** Whether it must refer to a recorded event. */
  readonly needsRefs?: true;
  readonly oneOf?: { readonly [Field in Name]?: readonly string[] };
  /** The fields for a person's statement, if they differ. */
  readonly byPerson?: Pick<Form<Name>, "needs" | "may">;
}

/** The fields of an event that a kind may read. */
export interface Told<F extends Fields = Fields> {
  readonly id: string;
  /** The client, or one of its child agents. */
  readonly agent: string;
  readonly actor: { readonly type: string };
  readonly refs: readonly string[];
  readonly content: ContentOf<F> & ContentOf<typeof COMMON>;
}

/** A place in a list. A list keeps only the last event of each name, and only the last `most` names. */
export interface Slot {
  readonly list: string;
  readonly name: string;
  readonly most: number;
}

export const slot = (list: string, name: string, most: number): Slot => ({ list, name, most });

export interface EventKind<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name;
  readonly fields: F;
  /** The searchable fields, in reading order. */
  readonly searched: readonly (keyof F & string)[];
  /** Additional searchable texts. */
  searchedToo?(content: ContentOf<F>): readonly string[];
  /** Events with fewer texts aren't indexed. The default is 1. */
  readonly fewestTexts?: number;
  /** Absent if the kind can't be stated. */
  readonly form?: Form<keyof F & string> | undefined;
  /** Whether it contains tool input or output, which can have any text. Privacy tags in it have no effect. */
  readonly isOfTools?: true;
  /** The shortened content that resuming a session needs, or undefined if it needs nothing. */
  brief?(event: Told<F>): Content | undefined;
  /** Selects which briefs of a session are kept. */
  slots?(event: Told<F>): readonly Slot[];
  /** How many of the last events of a segment the ledger keeps. Without it, the ledger keeps none. */
  readonly mostInLedger?: number;
  /** The most tokens of such an event in a bundle's recent window. Kinds without it have their own sections. */
  readonly windowTokens?: number;
  /** From 0 to 1. */
  readonly importance: number;
}

/** Checks a kind and infers its field types. */
export function eventKind<
  const Name extends string,
  const F extends Fields,
  const S extends Form<keyof F & string> | undefined,
>(kind: EventKind<Name, F> & { readonly form?: S }) {
  return kind as EventKind<Name, F> & { readonly form: S };
}

/** The texts of a list. A single text counts as a list of one. */
export function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) {
    return value.filter((item) => typeof item === "string");
  }
  return typeof value === "string" ? [value] : [];
}

/** The files of a call. */
export function pathsIn({
  path,
  other_paths,
}: {
  readonly path?: string;
  readonly other_paths?: Texts;
}): string[] {
  return [...textsIn(path), ...textsIn(other_paths)];
}

/** Whether an agent quotes a person. */
export const isQuoted = ({ quotes }: ContentOf<typeof COMMON>): boolean => quotes === "human";

/** Whether it's from a child agent. */
export const isOfChildAgent = ({ agent }: Pick<Told, "agent">): boolean => agent.includes("/");

/** A maximum length in characters, or a maximum of items and of characters per item. A `flag` is kept if it's true. */
type Length = number | readonly [items: number, characters: number] | "flag";

/** Selects the listed fields and cuts them. The texts are already redacted, and no redaction mark is split. */
export function shortened<C extends { readonly [Name in keyof C]?: unknown }>(
  content: C,
  lengths: { readonly [Name in keyof C]?: Length },
): Content {
  const fields: Record<string, Json> = {};
  for (const name in lengths) {
    const value = content[name];
    const short =
      value === undefined ? undefined : shortValue(value as Json, lengths[name] as Length);
    if (short !== undefined) {
      fields[name] = short;
    }
  }
  return fields;
}

function shortValue(value: Json, length: Length): Json | undefined {
  if (length === "flag") {
    return value === true ? value : undefined;
  }
  if (typeof length === "number") {
    return cut(value as string, length);
  }
  return textsIn(value)
    .slice(0, length[0])
    .map((text) => cut(text, length[1]));
}

export const cut = (text: string, most: number): string => cutRedacted(text as RedactedText, most);
