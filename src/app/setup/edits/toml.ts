/** Adds and removes our table in TOML, line by line. The parser then checks that nothing else changed. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { unreadable } from "./edit.ts";
import { lineEnd } from "./marked-block.ts";

/** The keys of a table, such as mcp_servers.NAME. */
type TablePath = readonly [string, string];
type Table = Readonly<Record<string, unknown>>;

/** The table at a path, or undefined. @throws SentinelError `config_unreadable`. */
export function tableAt(text: string, [outer, name]: TablePath): Table | undefined {
  const tables = read(text)[outer] as Record<string, Table> | undefined;
  return tables?.[name];
}

/** The text with a new table at its end, below an empty line. */
export function addTable(text: string, path: TablePath, table: Table): string {
  const eol = lineEnd(text);
  const [outer, name] = path;
  const lines = stringify({ [outer]: { [name]: table } }).trimEnd();
  const above = text === "" ? "" : text + eol;
  return checked(text, above + lines.replaceAll("\n", eol) + eol, path, table);
}

/** The text without the table, the tables below it, and the empty line above it. */
export function removeTable(text: string, path: TablePath): string {
  if (tableAt(text, path) === undefined) {
    return text;
  }
  const [outer, name] = path;
  const ourHeader = new RegExp(`^\\s*\\[${outer}\\.["']?${name}["']?[\\].]`);
  let kept = "";
  let isOurs = false;
  // Blank lines and comments below our values may belong to the next table.
  let trailing = "";
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*\[/.test(line)) {
      kept += trailing;
      trailing = "";
      const wasOurs = isOurs;
      isOurs = ourHeader.test(line);
      if (isOurs && !wasOurs) {
        kept = kept.replace(/(^|\n)\r?\n$/, "$1");
      }
    }
    if (!isOurs) {
      kept += line;
    } else if (/^\s*(?:#|$)/.test(line)) {
      trailing += line;
    } else {
      trailing = "";
    }
  }
  return checked(text, kept + trailing, path);
}

/**
 * The changed text. @param table ours, or undefined if it was removed.
 * @throws SentinelError `config_unreadable` if something else changed, too.
 */
function checked(before: string, after: string, path: TablePath, table?: Table): string {
  const othersStay = isDeepStrictEqual(withoutTable(after, path), withoutTable(before, path));
  if (othersStay && isDeepStrictEqual(tableAt(after, path), table)) {
    return after;
  }
  throw unreadable("its table could not be changed without changing something else");
}

function withoutTable(text: string, [outer, name]: TablePath): Table {
  const all = read(text);
  const others = Object.entries(all[outer] ?? {}).filter(([key]) => key !== name);
  return { ...all, [outer]: Object.fromEntries(others) };
}

function read(text: string): Record<string, unknown> {
  try {
    // Without the parser's classes and prototypes, which would compare as different.
    return JSON.parse(JSON.stringify(parse(text)));
  } catch (cause) {
    throw unreadable("it cannot be read as TOML", cause);
  }
}
