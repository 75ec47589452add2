/** A small YAML file of settings. It's read strictly: an invalid value becomes its default and is reported with line and fix, but never quoted. Its schema is plain data, defined next to the code that uses the values. */
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { SentinelError } from "./errors.ts";

export { parseDocument, stringify } from "yaml";

type PolicyField =
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
  /** The consequence of a problem or an unknown key, appended to its message. Default for a problem: "the defaults hold". Default for an unknown key: empty. */
  readonly consequence?: string;
}

/** A text in a list, and its line in the file, from 1. */
interface PlacedText {
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

/** A fault in a settings file. An invalid value, or an invalid file, is replaced by its default. */
export interface PolicyProblem {
  /** The name of the file in messages. */
  readonly file: string;
  /** Undefined if the file couldn't be read at all. */
  readonly line?: number;
  readonly message: string;
  readonly fix: string;
  /** Set if the faulty part is ignored and harmless, like an unknown key. */
  readonly isIgnored?: true;
}

/** A policy after reading. Every value is set, even if the file is invalid. */
export interface Policy<Schema extends PolicySchema = PolicySchema> {
  readonly values: PolicyValues<Schema>;
  readonly problems: readonly PolicyProblem[];
}

const MOST_NOTES = 3;
const PLAIN_KEY = /^[\w-]{1,40}$/;
const DEFAULTS_HOLD = "the defaults hold";

/** Returns the values used if there's no file. @internal */
export function defaultsOf<Schema extends Pick<PolicySchema, "fields">>({ fields }: Schema) {
  const entries = Object.entries(fields).map(([key, field]) => [key, defaultOf(field)]);
  return Object.fromEntries(entries) as ValuesOf<Schema["fields"]>;
}

function defaultOf(field: PolicyField): unknown {
  if (field.kind === "placed texts") {
    return [];
  }
  return field.kind === "section" ? defaultsOf(field) : field.default;
}

/** Reads a policy. @param text YAML 1.2: a mapping of the schema's keys, and `version`. @param file its name in messages. */
export function readPolicy<Schema extends PolicySchema>(
  text: string,
  schema: Schema,
  file: string,
): Policy<Schema> {
  const reader = new PolicyReader(schema, file);
  const values = reader.read(text) ?? defaultsOf(schema);
  return { values: values as PolicyValues<Schema>, problems: reader.problems };
}

/** Returns the policy used if its file can't be read. @param why the reason, without a period. */
export function unreadablePolicy<Schema extends PolicySchema>(
  schema: Schema,
  file: string,
  why: string,
  fix: string,
): Policy<Schema> {
  const message = `${why}, so ${schema.consequence ?? DEFAULTS_HOLD}.`;
  return { values: defaultsOf(schema), problems: [{ file, message, fix }] };
}

class PolicyReader {
  readonly problems: PolicyProblem[] = [];
  readonly #schema: PolicySchema;
  readonly #file: string;
  readonly #lines = new LineCounter();

  constructor(schema: PolicySchema, file: string) {
    this.#schema = schema;
    this.#file = file;
  }

  /** Returns the values of a text. Undefined if none of it can be used. */
  read(text: string): object | undefined {
    const options = { lineCounter: this.#lines, prettyErrors: false };
    const { contents, errors, warnings } = parseDocument(text, options);
    const [fault] = [...errors, ...warnings];
    if (fault) {
      const reason = fault.code.toLowerCase().replaceAll("_", " ");
      const what = `this is not valid YAML (${reason})`;
      this.#report({ range: fault.pos }, what, "Correct that line.");
      return undefined;
    }
    if (contents === null) {
      return undefined;
    }
    if (!isMap(contents)) {
      return this.#reportNoMapping(contents, "the file");
    }
    if (!this.#isVersionKnown(contents.get("version", true))) {
      return undefined;
    }
    contents.delete("version");
    return this.#readFields(contents, this.#schema.fields);
  }

  #isVersionKnown(node: Scalar | undefined): boolean {
    const known = this.#schema.version;
    const version = node?.value;
    if (version === known) {
      return true;
    }
    if (typeof version === "number" && version > known) {
      const what = `the file is of version ${version}, which is newer than version ${known}`;
      this.#report(node, what, "Update sentinel-memory in this project.");
    } else {
      const fix = `Let it hold: version: ${known}`;
      this.#report(node, "the file has no version that is known", fix);
    }
    return false;
  }

  /** Returns a valid value for each key of a mapping. */
  #readFields(map: YAMLMap, fields: PolicyFields): object {
    const values: Record<string, unknown> = defaultsOf({ fields });
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      const name = isScalar(key) ? String(key.value) : "";
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined) {
        this.#reportUnknownKey(key, name);
      } else {
        values[name] = this.#readField(field, name, key, value) ?? values[name];
      }
    }
    return values;
  }

  /** Returns the value of a field. Undefined if it's missing or invalid. */
  #readField(field: PolicyField, name: string, key: Node, value: Node | null): unknown {
    if (field.kind === "choices" && isSeq(value)) {
      return this.#readChoices(field.of, name, value);
    }
    if (field.kind !== "section" && field.kind !== "placed texts") {
      return this.#readSimple(field, name, key, value);
    }
    if (value === null || (isScalar(value) && value.value === null)) {
      return undefined;
    }
    if (field.kind === "section") {
      return isMap(value)
        ? this.#readFields(value, field.fields)
        : this.#reportNoMapping(key, name);
    }
    if (isSeq(value)) {
      return this.#readTexts(name, value);
    }
    this.#report(key, `${name} is not a list of texts`, "Write one `- text` a line.");
    return undefined;
  }

  #readSimple(field: SimpleField, name: string, key: Node, node: Node | null): unknown {
    const value = isScalar(node) ? node.value : undefined;
    const valid = validValues(field, value);
    if (valid === undefined) {
      return value;
    }
    const instead =
      field.kind === "choices"
        ? field.default.join(", ") || "an empty list"
        : field.default.toLocaleString("en");
    const fix = "Correct that line, or delete it.";
    this.#report(key, `${name} is not ${valid}`, fix, `${instead} holds`);
    return undefined;
  }

  #readTexts(name: string, list: YAMLSeq): PlacedText[] {
    const texts: PlacedText[] = [];
    for (const item of list.items as Node[]) {
      if (isScalar(item) && typeof item.value === "string") {
        texts.push({ text: item.value, line: this.#lineOf(item) });
      } else {
        const fix = "Put it between quotes, or delete that line.";
        this.#report(item, `an entry of ${name} is not a text`, fix);
      }
    }
    return texts;
  }

  /** Drops the entries that aren't allowed choices and keeps the others, because the user asked for them. */
  #readChoices(of: readonly string[], name: string, list: YAMLSeq): string[] {
    const chosen = new Set<string>();
    for (const item of list.items as Node[]) {
      const choice = of.find((known) => isScalar(item) && item.value === known);
      if (choice !== undefined) {
        chosen.add(choice);
      } else {
        const what = `an entry of ${name} is not one of ${of.join(", ")}`;
        this.#report(item, what, "Correct that entry, or delete it.", "it is left out");
      }
    }
    return [...chosen];
  }

  /** Reports an unknown key. The user intended some effect, so it's harmless only if the schema has no consequence. A model reads the report and a key may be any text, so only a plain one is quoted. */
  #reportUnknownKey(key: Node, name: string): void {
    const what = PLAIN_KEY.test(name)
      ? `${name} is not a key of this file`
      : "a key of it is unknown";
    const fix = "Correct its name, or delete that line.";
    if (this.#schema.consequence !== undefined) {
      this.#report(key, what, fix);
      return;
    }
    const message = `${what}; it is ignored.`;
    const line = this.#lineOf(key);
    this.problems.push({ file: this.#file, line, message, fix, isIgnored: true });
  }

  #reportNoMapping(at: Located, what: string): undefined {
    const fix = "Write one `key: value` a line.";
    this.#report(at, `${what} is not a list of keys with values`, fix);
  }

  /** Adds a problem. @param otherwise the consequence, if the schema defines none. */
  #report(at: Located | undefined, what: string, fix: string, otherwise = DEFAULTS_HOLD): void {
    const message = `${what}, so ${this.#schema.consequence ?? otherwise}.`;
    this.problems.push({ file: this.#file, line: this.#lineOf(at), message, fix });
  }

  #lineOf(at: Located | undefined): number {
    return this.#lines.linePos(at?.range?.[0] ?? 0).line;
  }
}

/** A node of a document, or another part of its text. */
type Located = Pick<Node, "range"> | { readonly range: readonly [number, number] };

type SimpleField = Exclude<PolicyField, { kind: "section" | "placed texts" }>;

/** Describes the valid values of a field. Undefined if this value is one of them. */
function validValues(field: SimpleField, value: unknown): string | undefined {
  switch (field.kind) {
    case "integer": {
      const { min, max } = field;
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
        return undefined;
      }
      return `a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
    }
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "choice":
      return field.of.some((choice) => choice === value)
        ? undefined
        : `one of ${field.of.join(", ")}`;
    case "choices":
      return `a list of some of ${field.of.join(", ")}`;
  }
}

/** Describes a problem with its location. */
export function placedMessage({ file, line, message }: PolicyProblem): string {
  return line === undefined ? `${file}: ${message}` : `${file}, line ${line}: ${message}`;
}

/** Returns the problems as lines of an answer, harmless ones last. Empty without problems. */
export function policyNotes(problems: readonly PolicyProblem[]): string[] {
  const harmless = problems.filter(({ isIgnored }) => isIgnored).map(placedMessage);
  const others = problems.filter(({ isIgnored }) => !isIgnored);
  const notes = [
    ...others.map((problem) => `${placedMessage(problem)} ${problem.fix}`),
    ...harmless,
  ];
  const more = notes.length - MOST_NOTES;
  if (more > 0) {
    notes.splice(MOST_NOTES, more, `${more} more like these.`);
  }
  return notes.map((note) => `Note: ${note}`);
}

/** Rejects any problem. Used for files that `doctor` doesn't check later, unlike those of a project. @throws SentinelError `bad_argument` listing all of them. */
export function mustBeFaultless(file: string, problems: readonly PolicyProblem[]): void {
  if (problems.length === 0) {
    return;
  }
  const message = `${problems.map(placedMessage).join(" ")} Nothing was changed.`;
  throw new SentinelError("bad_argument", message, `Correct ${file}, then call again.`);
}
