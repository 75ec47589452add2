/** A small YAML file in which people set values. Its schema is plain data, and stands where its values are used. */
import { SentinelError } from "./errors.ts";

export type PolicyField =
  | {
      readonly kind: "integer";
      readonly min: number;
      readonly max: number;
      readonly default: number;
    }
  | { readonly kind: "boolean"; readonly default: boolean }
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly default: string }
  /** A list of some of these. */
  | {
      readonly kind: "choices";
      readonly of: readonly string[];
      readonly default: readonly string[];
    }
  /** A list of texts, each with the line on which it stands; empty by default. */
  | { readonly kind: "placed texts" }
  /** A mapping of its own. */
  | { readonly kind: "section"; readonly fields: PolicyFields };

type PolicyFields = Readonly<{ [key: string]: PolicyField }>;

export interface PolicySchema {
  /** The value that the file's key `version` must have. */
  readonly version: number;
  readonly fields: PolicyFields;
  /** What follows from a problem, as its message says, and from an unknown key too; "the defaults hold" where this is absent. */
  readonly consequence?: string;
}

/** A text of a list, and its line in the file, from 1. */
export interface PlacedText {
  readonly text: string;
  readonly line: number;
}

type ValueOf<Field extends PolicyField> = Field extends { kind: "integer" }
  ? number
  : Field extends { kind: "boolean" }
    ? boolean
    : Field extends { kind: "choice"; of: readonly (infer Choice)[] }
      ? Choice
      : Field extends { kind: "choices"; of: readonly (infer Choice)[] }
        ? readonly Choice[]
        : Field extends { kind: "section"; fields: infer Fields extends PolicyFields }
          ? ValuesOf<Fields>
          : readonly PlacedText[];

type ValuesOf<Fields extends PolicyFields> = {
  readonly [Key in keyof Fields]: ValueOf<Fields[Key]>;
};

export type PolicyValues<Schema extends PolicySchema> = ValuesOf<Schema["fields"]>;

/** Why a value, or the whole file, is invalid; the default is used instead. */
export interface PolicyProblem {
  /** Absent where the file could not be read at all. */
  readonly line?: number;
  readonly message: string;
  readonly fix: string;
}

/** What is wrong with a file of settings. */
export interface PolicyReport {
  readonly problems: readonly PolicyProblem[];
  /** Unknown keys, which are ignored; problems where the schema has a consequence. */
  readonly unknown: readonly { readonly key: string; readonly line: number }[];
  /** Values that can do nothing, which are ignored too. */
  readonly unusable?: readonly PolicyProblem[];
}

/** A policy as it was read. It has every value, however broken the file is. */
export interface Policy<Schema extends PolicySchema = PolicySchema> extends PolicyReport {
  readonly values: PolicyValues<Schema>;
}

const MOST_NOTES = 3;
const PLAIN_KEY = /^[\w-]{1,40}$/;

/** The values where there is no file. */
export function defaultsOf<Schema extends PolicySchema>({ fields }: Schema): PolicyValues<Schema> {
  const entries = Object.entries(fields).map(([key, field]) => [key, defaultOf(field)]);
  return Object.fromEntries(entries) as PolicyValues<Schema>;
}

function defaultOf(field: PolicyField): unknown {
  if (field.kind === "placed texts") return [];
  return field.kind === "section"
    ? defaultsOf({ version: 0, fields: field.fields })
    : field.default;
}

/** What follows from a file that cannot be read, as the end of a message. */
export const consequenceOf = ({ consequence = "the defaults hold" }: PolicySchema): string =>
  consequence;

/** What is wrong with a file as lines of an answer; empty when nothing is. */
export function policyNotes(file: string, report: PolicyReport): string[] {
  const notes = policyFindings(file, report).map(
    ({ what, fix, isIgnored }) => `Note: ${what}${isIgnored ? "" : ` ${fix}`}`,
  );
  const more = notes.length - MOST_NOTES;
  return more > 0
    ? [...notes.slice(0, MOST_NOTES), `Note: ${file}: ${more} more like these.`]
    : notes;
}

/** A fault of a file of settings. */
export interface PolicyFinding {
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
  /** The message behind its place. */
  readonly what: string;
  readonly fix: string;
  /** Whether the faulty part is ignored and does no harm. */
  readonly isIgnored: boolean;
}

/** Lists the faults of a file. */
export function policyFindings(
  file: string,
  { problems, unknown, unusable = [] }: PolicyReport,
): PolicyFinding[] {
  const finding = ({ line, message, fix }: PolicyProblem, isIgnored: boolean): PolicyFinding => {
    return { file, line, message, what: `${placeIn(file, line)}: ${message}`, fix, isIgnored };
  };
  return [
    ...problems.map((problem) => finding(problem, false)),
    ...[...unknown.map((key) => unknownKey(key)), ...unusable].map((problem) =>
      finding(problem, true),
    ),
  ];
}

/** For a file at which nobody looks again, as doctor does in a project. @throws SentinelError `bad_argument` with all that is wrong with it. */
export function mustBeFaultless(file: string, ...reports: readonly PolicyReport[]): void {
  const faults = reports.flatMap((report) => policyFindings(file, report).map(({ what }) => what));
  if (faults.length === 0) return;
  const message = `${faults.join(" ")} Nothing was changed.`;
  throw new SentinelError("bad_argument", message, `Correct ${file}, then call again.`);
}

/** A file, or a line of it, as messages name it. */
export function placeIn(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}, line ${line}`;
}

/** A key may be any text, and reports go to a model: only a plain one is named. @param consequence the end of the message. */
export function unknownKey(
  { key, line }: PolicyReport["unknown"][number],
  consequence = "; it is ignored",
): PolicyProblem {
  const what = PLAIN_KEY.test(key) ? `${key} is not a key of this file` : "a key of it is unknown";
  return { line, message: `${what}${consequence}.`, fix: "Correct its name, or delete that line." };
}
