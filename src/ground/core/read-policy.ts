/**
 * Reads the text of a policy. It is strict: a value that is not exactly as described is replaced by its default and reported
 * with its line and a fix. It never throws because of a text, and never quotes its values.
 *
 * The parser is loaded with this file, so only a project that has a policy pays for it.
 */
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
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
} from "./policy.ts";

/** @param text YAML 1.2: a mapping of the schema's keys, and `version`. */
export function readPolicy<Schema extends PolicySchema>(text: string, schema: Schema): Policy<Schema> {
  const lines = new LineCounter();
  const { contents, errors, warnings } = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const defaults = defaultsOf(schema);
  const invalid = (problem: PolicyProblem) => ({ values: defaults, problems: [problem], unknown: [] });
  const instead = consequenceOf(schema);
  const fault = [...errors, ...warnings][0];
  if (fault) return invalid(notYaml(fault, lineAt(fault.pos[0]), instead));
  if (contents === null) return { values: defaults, problems: [], unknown: [] };
  if (!isMap(contents)) return invalid(notAMapping("the file", lineAt(startOf(contents)), instead));

  const version: unknown = contents.get("version");
  if (version !== schema.version) {
    return invalid(otherVersion(version, schema.version, lineAt(startOf(keyNode(contents, "version"))), instead));
  }
  const reading: Reading = { lineOf: (node) => lineAt(startOf(node)), schema, problems: [], unknown: [] };
  const values = readFields(contents, schema.fields, reading, ["version"]);
  return { values: values as PolicyValues<Schema>, problems: reading.problems, unknown: reading.unknown };
}

interface Reading {
  readonly lineOf: (node: unknown) => number;
  readonly schema: PolicySchema;
  readonly problems: PolicyProblem[];
  readonly unknown: { key: string; line: number }[];
}

/** The values of a mapping's keys, each valid; what is wrong is added to the reading. */
function readFields(map: YAMLMap, fields: PolicySchema["fields"], reading: Reading, known: readonly string[]): object {
  const values: Record<string, unknown> = { ...defaultsOf({ version: 0, fields }) };
  for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
    const line = reading.lineOf(key);
    const name = isScalar(key) ? String(key.value) : "";
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field?.kind === "section") values[name] = readSection(name, field.fields, key, value, reading);
    else if (field?.kind === "placed texts") values[name] = readPlacedTexts(name, key, value, reading);
    else if (field?.kind === "choices" && isSeq(value)) values[name] = readChoices(name, field, value, reading);
    else if (field) {
      const read = readValue(field, value);
      if (read === undefined) reading.problems.push(wrongValue(name, field, line, reading.schema));
      else values[name] = read;
    } else if (!known.includes(name)) reading.unknown.push({ key: name, line });
  }
  return values;
}

/** A key without a value says nothing. */
function readSection(
  name: string,
  fields: PolicySchema["fields"],
  key: Node,
  value: Node | null,
  reading: Reading,
): object {
  if (isMap(value)) return readFields(value, fields, reading, []);
  if (!isNothing(value)) reading.problems.push(notAMapping(name, reading.lineOf(key), consequenceOf(reading.schema)));
  return defaultsOf({ version: 0, fields });
}

function readPlacedTexts(name: string, key: Node, value: Node | null, reading: Reading): PlacedText[] {
  const instead = consequenceOf(reading.schema);
  if (!isSeq(value)) {
    const message = `${name} is not a list of texts, so ${instead}.`;
    if (!isNothing(value))
      reading.problems.push({ line: reading.lineOf(key), message, fix: "Write one `- text` a line." });
    return [];
  }
  return value.items.flatMap((item): PlacedText[] => {
    const line = reading.lineOf(item);
    if (isScalar(item) && typeof item.value === "string") return [{ text: item.value, line }];
    const message = `an entry of ${name} is not a text, so ${instead}.`;
    reading.problems.push({ line, message, fix: "Put it between quotes, or delete that line." });
    return [];
  });
}

/** An entry that is none of the choices is left out: the others are what somebody asked for. */
function readChoices(name: string, { of }: Choices, list: YAMLSeq, reading: Reading): string[] {
  const chosen = list.items.flatMap((item) => {
    const choice = of.find((known) => isScalar(item) && item.value === known);
    if (choice !== undefined) return [choice];
    const message = `an entry of ${name} is not one of ${of.join(", ")}, so ${reading.schema.consequence ?? "it is left out"}.`;
    reading.problems.push({ line: reading.lineOf(item), message, fix: "Correct that entry, or delete it." });
    return [];
  });
  return [...new Set(chosen)];
}

const isNothing = (value: Node | null): boolean => value === null || (isScalar(value) && value.value === null);

/** Undefined when the node does not fit the field. */
function readValue(field: SimpleField, node: Node | null): unknown {
  if (field.kind === "choices") return undefined; // It is not a list, see `readFields`.
  const value = isScalar(node) ? node.value : undefined;
  const fits =
    field.kind === "integer"
      ? typeof value === "number" && Number.isInteger(value) && value >= field.min && value <= field.max
      : field.kind === "boolean"
        ? typeof value === "boolean"
        : typeof value === "string" && field.of.includes(value);
  return fits ? value : undefined;
}

type Choices = Extract<PolicyField, { kind: "choices" }>;
type SimpleField = Exclude<PolicyField, { kind: "section" | "placed texts" }>;

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

function wrongValue(name: string, field: SimpleField, line: number, { consequence }: PolicySchema): PolicyProblem {
  const { default: value } = field;
  const instead = Array.isArray(value) ? value.join(", ") || "an empty list" : value.toLocaleString("en");
  return {
    line,
    message: `${name} is not ${asked(field)}, so ${consequence ?? `${instead} holds`}.`,
    fix: "Correct that line, or delete it.",
  };
}

function otherVersion(version: unknown, known: number, line: number, instead: string): PolicyProblem {
  if (typeof version === "number" && version > known) {
    const message = `the file is of version ${version}, which is newer than version ${known}, so ${instead}.`;
    return { line, message, fix: "Update sentinel-memory in this project." };
  }
  return {
    line,
    message: `the file has no version that is known, so ${instead}.`,
    fix: `Let it hold: version: ${known}`,
  };
}

function notYaml({ code }: YAMLError, line: number, instead: string): PolicyProblem {
  const reason = code.toLowerCase().replaceAll("_", " ");
  return { line, message: `this is not valid YAML (${reason}), so ${instead}.`, fix: "Correct that line." };
}

function notAMapping(what: string, line: number, instead: string): PolicyProblem {
  return {
    line,
    message: `${what} is not a list of keys with values, so ${instead}.`,
    fix: "Write one `key: value` a line.",
  };
}

function keyNode(map: YAMLMap, name: string): unknown {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
}

const startOf = (node: unknown): number | undefined => (node as Node | undefined)?.range?.[0];
