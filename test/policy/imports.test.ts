/**
 * The architecture as a table: which room may import which. A room that the table does not name fails, so a new folder is a
 * decision. Every import is read from the source, types and dynamic imports included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";

const BASE = ["core"];
const SHARED = [...BASE, "search", "redaction", "files", "project", "clients"];
const DOMAINS = [...SHARED, "lessons", "events"];

/** Folder of `src/` -> the folders it may import, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  search: BASE,
  redaction: BASE,
  files: BASE,
  project: [...BASE, "redaction", "files"],
  clients: [...BASE, "files", "project"],
  lessons: [...BASE, "search", "redaction", "files", "project"],
  events: [...BASE, "search", "redaction", "files"],
  "active-context": [...BASE, "search", "redaction", "files", "project", "lessons", "events"],
  postgres: [...BASE, "search", "redaction", "events"],
  capture: [...BASE, "redaction", "files", "project", "clients", "events"],
  mcp: [...DOMAINS, "active-context", "capture"],
  hooks: [...DOMAINS, "active-context"],
  setup: DOMAINS,
  doctor: [...DOMAINS, "active-context", "capture", "setup"],
  cli: [...DOMAINS, "active-context", "capture", "setup", "doctor", "hooks"],
  bin: [...DOMAINS, "postgres", "mcp", "hooks", "cli"],
};

/** Rooms that touch nothing outside the process; from Node they may take what computes. */
const PURE = [
  "core",
  "search",
  "redaction",
  "lessons/format",
  "lessons/merge",
  "lessons/changes",
  "lessons/queries",
  "events/answers",
  "events/kinds",
  "events/projections",
  "events/statements",
];
const COMPUTES = ["node:buffer", "node:crypto", "node:util"];

/** Packages and platform modules that stay in the rooms made for them. */
const CONFINED: readonly (readonly [RegExp, RegExp])[] = [
  [/^@modelcontextprotocol\//, /^mcp\//],
  [/^zod$/, /^mcp\//],
  [/^pg$/, /^postgres\//],
  [/^proper-lockfile$/, /^files\/lock\.ts$/],
  [/^commander$/, /^cli\//],
  [/^re2js$/, /^redaction\/own-patterns\.ts$/],
  [/^env-paths$/, /^project\/config-folders\.ts$/],
  [/^node:(?:net|http|https|http2|tls|dgram|dns)/, /^mcp\/http\//],
  [/^node:child_process$/, /^(?:project\/git|doctor\/|hooks\/start-capture\.ts)/],
];

interface Import {
  /** Relative to `src/`. */
  readonly from: string;
  /** Relative to `src/` for our own files, else the package. */
  readonly to: string;
  readonly isOurs: boolean;
}

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"));
const shipped = sources.filter((path) => !path.endsWith(".test.ts"));
const imports = shipped.flatMap((path) => importsOf(path, readFileSync(`src/${path}`, "utf8")));

describe("the rooms", () => {
  it("are all in the table, and the table names no other", () => {
    expect([...new Set(sources.map(roomOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it("are described in DESIGN.md as in the table", () => {
    const [, table = ""] =
      /<!-- rooms -->\n([\s\S]*?)<!-- end of rooms -->/.exec(readFileSync("DESIGN.md", "utf8")) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)` \|.*\|([^|]*)\|$/gm)];
    const described = rows.map(([, room, allowed = ""]) => [room, allowed.match(/[\w-]+/g) ?? []]);
    expect(Object.fromEntries(described)).toEqual(MAY_IMPORT);
  });

  it.each(Object.keys(MAY_IMPORT))("%s imports only what it may", (room) => {
    const allowed = [room, ...(MAY_IMPORT[room] ?? [])];
    const own = imports.filter(({ from, isOurs }) => isOurs && roomOf(from) === room);
    expect(own.filter(({ to }) => !allowed.includes(roomOf(to))).map(arrow)).toEqual([]);
  });

  it("hold no circle of files", () => {
    expect(circles()).toEqual([]);
  });

  it("keep what is pure away from files, processes and the network", () => {
    const pure = imports.filter(({ from, isOurs }) => !isOurs && PURE.some((room) => from.startsWith(`${room}/`)));
    expect(pure.filter(({ to }) => to.startsWith("node:") && !COMPUTES.includes(to)).map(arrow)).toEqual([]);
  });

  it("keep packages and platform modules where they belong", () => {
    const strays = imports.filter(({ from, to }) => CONFINED.some(([name, home]) => name.test(to) && !home.test(from)));
    expect(strays.map(arrow)).toEqual([]);
  });

  it("hold at most a third of the code each", () => {
    const lines = new Map<string, number>();
    for (const path of shipped) {
      const count = readFileSync(`src/${path}`, "utf8").split("\n").length;
      lines.set(roomOf(path), (lines.get(roomOf(path)) ?? 0) + count);
    }
    const all = [...lines.values()].reduce((sum, count) => sum + count, 0);
    expect([...lines].filter(([, count]) => count > all / 3)).toEqual([]);
  });
});

describe("the reading of imports", () => {
  it.each([
    ['import { a } from "../core/a.ts";', "core/a.ts"],
    ['import "../core/a.ts";', "core/a.ts"],
    ['import type { A } from "../core/a.ts";', "core/a.ts"],
    ['import {\n  type A,\n  b,\n} from "../core/a.ts";', "core/a.ts"],
    ['export * from "../core/a.ts";', "core/a.ts"],
    ['const { a } = await import("../core/a.ts");', "core/a.ts"],
    ['import * as z from "zod";', "zod"],
  ])("sees %s", (text, to) => {
    expect(importsOf("room/file.ts", text).map((found) => found.to)).toEqual([to]);
  });
});

function roomOf(path: string): string {
  return path.split("/")[0] as string;
}

function importsOf(from: string, text: string): Import[] {
  const found = text.matchAll(/(?:^|[\s;}])(?:import|from)\s*\(?\s*"([^"\n]+)"/g);
  return [...found].map(([, specifier = ""]) => {
    const isOurs = specifier.startsWith(".") && specifier.endsWith(".ts");
    return { from, to: isOurs ? posix.join(posix.dirname(from), specifier) : specifier, isOurs };
  });
}

function arrow({ from, to }: Import): string {
  return `${from} -> ${to}`;
}

/** Files that reach themselves, each circle once, by depth-first search. */
function circles(): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, isOurs } of imports) if (isOurs) next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    else if (!done.has(file)) {
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
