/** Adds and removes our table in TOML, line by line. The parser then checks that nothing else changed. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import type { Entry } from "../../../ground/clients/client.ts";
import { unreadable } from "./edit.ts";
import { lineEnd } from "./line-end.ts";

/** The keys of a table, such as mcp_servers.NAME. */
type TablePath = readonly [string, string];

/** The table at a path, or undefined. @throws SentinelError `config_unreadable`. */
export function tableAt(text: string, [outer, name]: TablePath): unknown {
  const tables = read(text)[outer];
  if (typeof tables !== "object" || tables === null) return undefined;
  return (tables as Record<string, unknown>)[name];
}

/** The text with a new table at its end, below an empty line. */
export function addTable(text: string, path: TablePath, table: Entry): string {
  const eol = lineEnd(text);
  const values = Object.entries(table).map(([key, value]) => `${key} = ${render(value)}`);
  const lines = [`[${path.join(".")}]`, ...values];
  const added = (text === "" ? "" : text + eol) + lines.join(eol) + eol;
  const [outer, name] = path;
  const expected = read(text);
  const tables = expected[outer] as object | undefined;
  expected[outer] = { ...tables, [name]: table };
  return checked(added, expected);
}

/** The text without the table, the tables below it, and the empty line above it. */
export function removeTable(text: string, path: TablePath): string {
  if (tableAt(text, path) === undefined) return text;
  const [outer, name] = path;
  const expected = read(text);
  const tables = expected[outer] as Record<string, unknown>;
  delete tables[name];
  if (Object.keys(tables).length === 0) delete expected[outer];
  const lines = text.split(/(?<=\n)/);
  return checked(withoutLines(lines, path), expected);
}

/** Leaves out the lines from a header of the table to the last value below it. */
function withoutLines(lines: readonly string[], path: TablePath): string {
  let kept = "";
  let isOurs = false;
  // Blank lines and comments below our values may belong to the next table.
  let trailing = "";
  for (const line of lines) {
    if (HEADER.test(line.trimEnd())) {
      kept += trailing;
      trailing = "";
      const wasOurs = isOurs;
      isOurs = isHeaderOf(line, path);
      if (isOurs && !wasOurs) kept = kept.replace(/(^|\n)\r?\n$/, "$1");
    }
    if (!isOurs) kept += line;
    else if (/^\s*(?:#|$)/.test(line)) trailing += line;
    else trailing = "";
  }
  return kept + trailing;
}

const KEY = String.raw`[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'`;
const HEADER = new RegExp(
  String.raw`^\s*\[\[?\s*((?:${KEY})(?:\s*\.\s*(?:${KEY}))*)\s*\]\]?\s*(?:#.*)?$`,
);

function isHeaderOf(line: string, path: TablePath): boolean {
  const [, header = ""] = HEADER.exec(line.trimEnd()) ?? [];
  const keys = header.match(new RegExp(KEY, "g")) ?? [];
  const names = keys.map((key) => key.replace(/^(["'])(.*)\1$/, "$2"));
  return path.every((name, index) => names[index] === name);
}

function render(value: string | readonly string[]): string {
  if (typeof value === "string") return JSON.stringify(value);
  return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}

function checked(text: string, expected: Record<string, unknown>): string {
  if (isDeepStrictEqual(read(text), plain(expected))) return text;
  throw unreadable("its table could not be changed without changing something else");
}

function read(text: string): Record<string, unknown> {
  try {
    return plain(parse(text));
  } catch (cause) {
    throw unreadable("it cannot be read as TOML", cause);
  }
}

/** Without the parser's classes and prototypes, which would compare as different. */
const plain = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));
