/** Adds and removes our table of a TOML file as lines; a parser checks that nothing else differs. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import type { Entry } from "../../../ground/clients/client.ts";
import { unreadable } from "./edit.ts";
import { lineEnd } from "./line-end.ts";

/** The table at a path such as mcp_servers.NAME; undefined when there is none. */
export function tableAt(text: string, path: readonly [string, string]): unknown {
  const outer = plain(read(text))[path[0]];
  return typeof outer === "object" && outer !== null
    ? (outer as Record<string, unknown>)[path[1]]
    : undefined;
}

/** The text with the new table at its end, below an empty line; by having none, taking it out knows that the last line had no end. */
export function addTable(text: string, path: readonly [string, string], table: Entry): string {
  const eol = lineEnd(text);
  const lines = [
    `[${path.join(".")}]`,
    ...Object.entries(table).map(([key, value]) => `${key} = ${render(value)}`),
  ];
  const start = text === "" ? "" : text + eol;
  const added = start + lines.join(eol) + eol;
  const before = read(text);
  const after = {
    ...before,
    [path[0]]: { ...(before[path[0]] as object | undefined), [path[1]]: table },
  };
  return checked(added, after);
}

/** The text without the table, the tables below it, and what was put before it: an empty line, or the end of the last line. */
export function removeTable(text: string, path: readonly [string, string]): string {
  const before = read(text);
  const outer = before[path[0]] as Record<string, unknown> | undefined;
  if (outer?.[path[1]] === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  const kept = withoutLines(lines, path).join("");
  const header = lines.findIndex((line) => isHeaderOf(line, path));
  const above = lines.slice(0, header).join("");
  const { [path[1]]: _, ...others } = outer;
  const { [path[0]]: __, ...rest } = before;
  const after = Object.keys(others).length > 0 ? { ...rest, [path[0]]: others } : rest;
  return checked(kept === above ? kept.replace(/\r?\n$/, "") : kept, after);
}

/** The lines but those from a header of the table to the last one with content below it, and the empty line before the header. */
function withoutLines(lines: readonly string[], path: readonly [string, string]): string[] {
  const kept: string[] = [];
  let isOurs = false;
  let trailing: string[] = []; // behind the last content of ours
  for (const line of lines) {
    if (HEADER.test(line.trimEnd())) {
      kept.push(...trailing.splice(0));
      isOurs = isHeaderOf(line, path);
      if (isOurs && kept.at(-1)?.trim() === "") kept.pop();
    }
    if (!isOurs) kept.push(line);
    else if (/^\s*(?:#|$)/.test(line)) trailing.push(line);
    else trailing = [];
  }
  return [...kept, ...trailing];
}

const KEY = String.raw`[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'`;
const HEADER = new RegExp(
  String.raw`^\s*\[\[?\s*((?:${KEY})(?:\s*\.\s*(?:${KEY}))*)\s*\]\]?\s*(?:#.*)?$`,
);

function isHeaderOf(line: string, path: readonly [string, string]): boolean {
  const keys = HEADER.exec(line.trimEnd())?.[1]?.match(new RegExp(KEY, "g")) ?? [];
  return path.every((name, index) => keys[index]?.replace(/^(["'])(.*)\1$/, "$2") === name);
}

function render(value: string | readonly string[]): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}

function checked(text: string, expected: unknown): string {
  if (isDeepStrictEqual(plain(read(text)), plain(expected))) return text;
  throw unreadable("its table could not be changed without changing something else");
}

function read(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    throw unreadable("it cannot be read as TOML", cause);
  }
}

/** Without the classes and prototypes of the parser, which compare as different. */
const plain = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));
