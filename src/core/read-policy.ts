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
} from "yaml";
import {
  defaultsOf,
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
  const fault = [...errors, ...warnings][0];
  if (fault) return { values: defaults, problems: [notYaml(fault, lineAt(fault.pos[0]))], unknown: [] };
  if (contents === null) return { values: defaults, problems: [], unknown: [] };
  if (!isMap(contents)) return { values: defaults, problems: [notAMapping(lineAt(startOf(contents)))], unknown: [] };

  const version: unknown = contents.get("version");
  if (version !== schema.version) {
    const line = lineAt(startOf(keyNode(contents, "version")));
    return { values: defaults, problems: [otherVersion(version, schema.version, line)], unknown: [] };
  }
  const values: Record<string, unknown> = { ...defaults };
  const problems: PolicyProblem[] = [];
  const unknown: { key: string; line: number }[] = [];
  for (const { key, value } of contents.items as Pair<Node, Node | null>[]) {
    const line = lineAt(startOf(key));
    const name = isScalar(key) ? String(key.value) : "";
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
    if (field) {
      const read = readValue(field, value);
      if (read === undefined) problems.push(wrongValue(name, field, line));
      else values[name] = read;
    } else if (name !== "version") unknown.push({ key: name, line });
  }
  return { values: values as PolicyValues<Schema>, problems, unknown };
}

/** Undefined when the node does not fit the field. */
function readValue(field: PolicyField, node: Node | null): unknown {
  if (field.kind === "texts") {
    const texts = isSeq(node) ? node.items.map((item) => (isScalar(item) ? item.value : undefined)) : [undefined];
    return texts.every((text) => typeof text === "string") ? texts : undefined;
  }
  const value = isScalar(node) ? node.value : undefined;
  const fits =
    field.kind === "integer"
      ? typeof value === "number" && Number.isInteger(value) && value >= field.min && value <= field.max
      : field.kind === "boolean"
        ? typeof value === "boolean"
        : typeof value === "string" && field.of.includes(value);
  return fits ? value : undefined;
}

function asked(field: PolicyField): string {
  switch (field.kind) {
    case "integer":
      return `a whole number from ${field.min.toLocaleString("en")} to ${field.max.toLocaleString("en")}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `one of ${field.of.join(", ")}`;
    case "texts":
      return "a list of texts";
  }
}

function wrongValue(name: string, field: PolicyField, line: number): PolicyProblem {
  const instead = Array.isArray(field.default) ? field.default.join(", ") || "an empty list" : String(field.default);
  return {
    line,
    message: `${name} is not ${asked(field)}, so ${instead} holds.`,
    fix: "Correct that line, or delete it.",
  };
}

function otherVersion(version: unknown, known: number, line: number): PolicyProblem {
  if (typeof version === "number" && version > known) {
    const message = `the file is of version ${version}, which is newer than version ${known}, so the defaults hold.`;
    return { line, message, fix: "Update sentinel-memory in this project." };
  }
  return {
    line,
    message: "the file has no version that is known, so the defaults hold.",
    fix: `Let it hold: version: ${known}`,
  };
}

function notYaml({ code }: YAMLError, line: number): PolicyProblem {
  const reason = code.toLowerCase().replaceAll("_", " ");
  return { line, message: `this is not valid YAML (${reason}), so the defaults hold.`, fix: "Correct that line." };
}

function notAMapping(line: number): PolicyProblem {
  return {
    line,
    message: "the file is not a list of keys with values, so the defaults hold.",
    fix: "Write one `key: value` a line.",
  };
}

function keyNode(map: YAMLMap, name: string): unknown {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined)?.range?.[0];
}
