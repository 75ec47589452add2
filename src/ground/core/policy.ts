/** A small YAML file of settings. Its schema is plain data, defined next to the code that uses the values. */
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
  /** A list with items from these choices. */
  | {
      readonly kind: "choices";
      readonly of: readonly string[];
      readonly default: readonly string[];
    }
  /** A list of texts, each with its line number. Empty by default. */
  | { readonly kind: "placed texts" }
  /** A nested mapping. */
  | { readonly kind: "section"; readonly fields: PolicyFields };

type PolicyFields = Readonly<{ [key: string]: PolicyField }>;

export interface PolicySchema {
  /** The required value of the file's `version` key. */
  readonly version: number;
  readonly fields: PolicyFields;
  /** The consequence of a problem or an unknown key, appended to its message. By default "the defaults hold", and unknown keys have none. */
  readonly consequence?: string;
}

/** A text in a list, and its line in the file, from 1. */
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

/** Why a value, or the whole file, is invalid. The default is used instead. */
export interface PolicyProblem {
  /** Undefined if the file couldn't be read at all. */
  readonly line?: number;
  readonly message: string;
  readonly fix: string;
}

/** The faults found in a settings file. */
export interface PolicyReport {
  readonly problems: readonly PolicyProblem[];
  /** Unknown keys, which are ignored. If the schema has a consequence, they're reported as problems instead. */
  readonly unknown: readonly { readonly key: string; readonly line: number }[];
  /** Values that have no effect, which are ignored too. */
  readonly unusable?: readonly PolicyProblem[];
}

/** A policy after reading. Every value is set, even if the file is invalid. */
export interface Policy<Schema extends PolicySchema = PolicySchema> extends PolicyReport {
  readonly values: PolicyValues<Schema>;
}

const MOST_NOTES = 3;
const PLAIN_KEY = /^[\w-]{1,40}$/;

/** Returns the values used if there's no file. */
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

/** Returns the consequence of an unreadable file, as the end of a message. */
export const consequenceOf = ({ consequence = "the defaults hold" }: PolicySchema): string =>
  consequence;

/** Returns a file's faults as lines of an answer. Empty if there are none. */
export function policyNotes(file: string, report: PolicyReport): string[] {
  const notes = policyFindings(file, report).map(
    ({ what, fix, isIgnored }) => `Note: ${what}${isIgnored ? "" : ` ${fix}`}`,
  );
  const more = notes.length - MOST_NOTES;
  return more > 0
    ? [...notes.slice(0, MOST_NOTES), `Note: ${file}: ${more} more like these.`]
    : notes;
}

/** A fault in a settings file. */
export interface PolicyFinding {
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
  /** The message, without its location. */
  readonly what: string;
  readonly fix: string;
  /** Whether the faulty part is ignored and harmless. */
  readonly isIgnored: boolean;
}

/** Lists a file's faults. */
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

/** Rejects any fault. Used for files that `doctor` doesn't check later, unlike those of a project. @throws SentinelError `bad_argument` listing all faults. */
export function mustBeFaultless(file: string, ...reports: readonly PolicyReport[]): void {
  const faults = reports.flatMap((report) => policyFindings(file, report).map(({ what }) => what));
  if (faults.length === 0) return;
  const message = `${faults.join(" ")} Nothing was changed.`;
  throw new SentinelError("bad_argument", message, `Correct ${file}, then call again.`);
}

/** Returns a file, or a line of it, in the form used in messages. */
export function placeIn(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}, line ${line}`;
}

/** Describes an unknown key. Reports go to a model and a key may be any text, so only a plain one is quoted. @param consequence the end of the message. */
export function unknownKey(
  { key, line }: PolicyReport["unknown"][number],
  consequence = "; it is ignored",
): PolicyProblem {
  const what = PLAIN_KEY.test(key) ? `${key} is not a key of this file` : "a key of it is unknown";
  return { line, message: `${what}${consequence}.`, fix: "Correct its name, or delete that line." };
}
