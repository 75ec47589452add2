/** Reads a policy strictly. An invalid value becomes its default and is reported with line and fix, but never quoted. This module loads the YAML parser. */
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
import {
  consequenceOf,
  defaultsOf,
  type PlacedText,
  type Policy,
  type PolicyField,
  type PolicyProblem,
  type PolicySchema,
  type PolicyValues,
  unknownKey,
} from "./policy.ts";

export { stringify } from "yaml";

/** Reads a policy. @param text YAML 1.2: a mapping of the schema's keys, and `version`. */
export function readPolicy<Schema extends PolicySchema>(
  text: string,
  schema: Schema,
): Policy<Schema> {
  const lines = new LineCounter();
  const { contents, errors, warnings } = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
  });
  const reading = new Reading(schema, lines);
  const [fault] = [...errors, ...warnings];
  let values: object = defaultsOf(schema);
  if (fault) {
    const reason = fault.code.toLowerCase().replaceAll("_", " ");
    reading.report(fault.pos[0], `this is not valid YAML (${reason})`, "Correct that line.");
  } else if (isMap(contents)) {
    if (hasVersion(contents, reading))
      values = readFields(contents, schema.fields, reading, ["version"]);
  } else if (contents !== null) reading.notAMapping("the file", contents);
  return {
    values: values as PolicyValues<Schema>,
    problems: reading.problems,
    unknown: reading.unknown,
  };
}

/** Collects the faults found while reading a text. */
class Reading {
  readonly problems: PolicyProblem[] = [];
  readonly unknown: { key: string; line: number }[] = [];
  readonly schema: PolicySchema;
  readonly #lines: LineCounter;

  constructor(schema: PolicySchema, lines: LineCounter) {
    this.schema = schema;
    this.#lines = lines;
  }

  /** Adds a problem. @param at a node, or an offset. @param otherwise the consequence, if the schema defines none. */
  report(
    at: Node | number | undefined,
    what: string,
    fix: string,
    otherwise = consequenceOf(this.schema),
  ): void {
    const message = `${what}, so ${this.schema.consequence ?? otherwise}.`;
    this.problems.push({ line: this.lineOf(at), message, fix });
  }

  /** Reports an unknown key. The user intended some effect, so it's a problem if the schema has a consequence. */
  unknownKey(key: string, at: Node): void {
    const { consequence } = this.schema;
    const unknown = { key, line: this.lineOf(at) };
    if (consequence === undefined) this.unknown.push(unknown);
    else this.problems.push(unknownKey(unknown, `, so ${consequence}`));
  }

  notAMapping(what: string, at: Node): void {
    this.report(at, `${what} is not a list of keys with values`, "Write one `key: value` a line.");
  }

  lineOf(at: Node | number | undefined): number {
    return this.#lines.linePos((typeof at === "number" ? at : at?.range?.[0]) ?? 0).line;
  }
}

function hasVersion(map: YAMLMap, reading: Reading): boolean {
  const version: unknown = map.get("version");
  const known = reading.schema.version;
  if (version === known) return true;
  const key = (map.items as Pair<Node>[]).find(
    ({ key }) => isScalar(key) && key.value === "version",
  )?.key;
  if (typeof version === "number" && version > known) {
    const what = `the file is of version ${version}, which is newer than version ${known}`;
    reading.report(key, what, "Update sentinel-memory in this project.");
  } else
    reading.report(key, "the file has no version that is known", `Let it hold: version: ${known}`);
  return false;
}

/** Returns a valid value for each key of a mapping. Faults are added to the reading. */
function readFields(
  map: YAMLMap,
  fields: PolicySchema["fields"],
  reading: Reading,
  known: readonly string[],
): object {
  const values: Record<string, unknown> = { ...defaultsOf({ version: 0, fields }) };
  for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? String(key.value) : "";
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) {
      if (!known.includes(name)) reading.unknownKey(name, key);
    } else if (field.kind === "section") {
      if (isMap(value)) values[name] = readFields(value, field.fields, reading, []);
      else if (!isNothing(value)) reading.notAMapping(name, key);
    } else if (field.kind === "placed texts") {
      if (isSeq(value)) values[name] = readPlacedTexts(name, value, reading);
      else if (!isNothing(value))
        reading.report(key, `${name} is not a list of texts`, "Write one `- text` a line.");
    } else if (field.kind === "choices" && isSeq(value))
      values[name] = readChoices(name, field.of, value, reading);
    else if (fits(field, value)) values[name] = value.value;
    else {
      const instead = Array.isArray(field.default)
        ? field.default.join(", ") || "an empty list"
        : field.default.toLocaleString("en");
      const fix = "Correct that line, or delete it.";
      reading.report(key, `${name} is not ${asked(field)}`, fix, `${instead} holds`);
    }
  }
  return values;
}

function readPlacedTexts(name: string, list: YAMLSeq, reading: Reading): PlacedText[] {
  return (list.items as Node[]).flatMap((item): PlacedText[] => {
    if (isScalar(item) && typeof item.value === "string")
      return [{ text: item.value, line: reading.lineOf(item) }];
    reading.report(
      item,
      `an entry of ${name} is not a text`,
      "Put it between quotes, or delete that line.",
    );
    return [];
  });
}

/** Drops the entries that aren't allowed choices and keeps the others, because the user asked for them. */
function readChoices(
  name: string,
  of: readonly string[],
  list: YAMLSeq,
  reading: Reading,
): string[] {
  const chosen = (list.items as Node[]).flatMap((item) => {
    const choice = of.find((known) => isScalar(item) && item.value === known);
    if (choice !== undefined) return [choice];
    const fix = "Correct that entry, or delete it.";
    reading.report(
      item,
      `an entry of ${name} is not one of ${of.join(", ")}`,
      fix,
      "it is left out",
    );
    return [];
  });
  return [...new Set(chosen)];
}

/** Whether a key has no value, which means the default. */
const isNothing = (value: Node | null): boolean =>
  value === null || (isScalar(value) && value.value === null);

type SimpleField = Exclude<PolicyField, { kind: "section" | "placed texts" }>;

/** Whether a value is valid for the field. Always false for a list of choices, which `readFields` handles. */
function fits(field: SimpleField, node: Node | null): node is Scalar {
  if (!isScalar(node)) return false;
  const { value } = node;
  if (field.kind === "integer")
    return Number.isInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
  if (field.kind === "boolean") return typeof value === "boolean";
  return field.kind === "choice" && typeof value === "string" && field.of.includes(value);
}

function asked(field: SimpleField): string {
  switch (field.kind) {
    case "integer":
      return `a whole number from ${field.min.toLocaleString("en")} to ${field.max.toLocaleString("en")}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `one of ${field.of.join(", ")}`;
    case "choices":
      return `a list of some of ${field.of.join(", ")}`;
  }
}
