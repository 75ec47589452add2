/**
 * The architecture as tables: five wings, each of which may import those before it, through the files that are named here; and in each
 * wing its folders in one order. A wing or a folder that no table names fails, so a new one is a decision. Every import is read from
 * the source, types and dynamic imports included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";

/** A folder of a wing may import those above it in this list, and those beside it. */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ground: [
    ["core"],
    ["files"],
    ["redaction"],
    ["project"],
    ["clients"],
    ["search"],
    ["terminal"],
    ["tool"],
  ],
  lessons: [
    ["format"],
    ["merge"],
    ["queries"],
    ["changes", "health"],
    ["policy.ts"],
    ["answers"],
    ["jsonl", "store.ts"],
    ["history"],
    ["hooks"],
    ["terminal"],
    ["commands"],
    ["for-bundles.ts"],
    ["tools"],
  ],
  sessions: [
    ["kinds"],
    ["store.ts"],
    ["storing", "statements", "projections"],
    ["candidates"],
    ["answers"],
    ["resume"],
    ["bundle"],
    ["consent"],
    ["remote"],
    ["transcripts"],
    ["files"],
    ["capture"],
    ["notes"],
    ["terminal"],
    ["commands"],
    ["hooks"],
    ["tools"],
  ],
  daemon: [
    ["worker-thread.ts"],
    ["http"],
    ["tenant-redactor.ts"],
    ["postgres"],
    ["database-callers.ts"],
    ["owners-acts.ts"],
    ["terminal"],
    ["commands"],
  ],
  app: [
    ["setup"],
    ["digest"],
    ["stores.ts"],
    ["findings"],
    ["review"],
    ["viewer"],
    ["cli"],
    ["hooks"],
    ["server"],
    ["bin"],
  ],
};

/** Which wings a wing may import, and of each the files, or the folders whose files, it may name. */
const MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ground: {},
  lessons: { ground: [""] },
  sessions: {
    ground: [""],
    lessons: ["store.ts", "policy.ts", "for-bundles.ts", "hooks/limits.ts", "terminal/lessons.ts"],
  },
  daemon: {
    ground: [""],
    lessons: ["changes/import.ts", "format/file-lines.ts", "merge/versions.ts"],
    sessions: [
      "bundle/settings/",
      "store.ts",
      "kinds/",
      "storing/",
      "tools/",
      "remote/batches.ts",
      "remote/call-daemon.ts",
      "resume/recent.ts",
    ],
  },
  app: {
    ground: [""],
    lessons: [
      "store.ts",
      "policy.ts",
      "jsonl/",
      "history/",
      "merge/versions.ts",
      "tools/",
      "hooks/",
      "commands/",
      "terminal/",
      "answers/answer.ts",
      "answers/digest.ts",
      "answers/file-report.ts",
      "changes/draft.ts",
      "changes/losses.ts",
      "format/",
      "health/",
      "history/gone-names.ts",
      "queries/",
    ],
    sessions: [
      "store.ts",
      "candidates/",
      "kinds/",
      "projections/",
      "files/",
      "remote/call-daemon.ts",
      "remote/store.ts",
      "storing/redactor.ts",
      "tools/",
      "hooks/",
      "commands/",
      "terminal/",
      "consent/",
      "capture/",
      "notes/",
      "transcripts/",
      "answers/render.ts",
      "bundle/",
    ],
    daemon: [
      "commands/",
      "terminal/",
      "http/",
      "postgres/",
      "database-callers.ts",
      "owners-acts.ts",
      "tenant-redactor.ts",
      "worker-thread.ts",
    ],
  },
};

/** Folders that touch nothing outside the process; from Node they may take what computes. */
const PURE = [
  "ground/core",
  "ground/search",
  "ground/redaction",
  "lessons/format",
  "lessons/merge",
  "lessons/changes",
  "lessons/queries",
  "sessions/kinds",
  "sessions/answers",
  "sessions/projections",
  "sessions/statements",
];
const COMPUTES = ["node:buffer", "node:crypto", "node:util"];

/** Packages and platform modules that stay in the places made for them. */
const CONFINED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^@modelcontextprotocol\//,
    /^(?:app\/server\/|app\/findings\/servers\.ts$|daemon\/http\/answer-mcp\.ts$)/,
  ],
  [
    /^zod$/,
    /^(?:app\/findings\/cursor-files\.ts$|(?:ground\/tool|lessons\/tools|sessions\/(?:tools|notes|statements|storing)|daemon\/http)\/)/,
  ],
  [/^pg$/, /^daemon\/postgres\//],
  [/^proper-lockfile$/, /^ground\/files\/lock\.ts$/],
  [/^commander$/, /^(?:app\/cli|ground\/terminal|\w+\/(?:commands|terminal))\//],
  [/^re2js$/, /^ground\/redaction\/own-patterns\.ts$/],
  [/^preact(?:\/|$)/, /^app\/viewer\/page\//],
  [/^env-paths$/, /^ground\/project\/config-folders\.ts$/],
  [/^node:(?:net|http|https|http2|tls|dgram|dns)/, /^(?:daemon\/http|app\/viewer)\//],
  [
    /^node:child_process$/,
    /^(?:ground\/project\/git|sessions\/hooks\/start-capture\.ts|sessions\/notes\/extractor\.ts|app\/viewer\/serve-viewer\.ts)/,
  ],
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
  .filter((path) => /\.tsx?$/.test(path));
const shipped = sources.filter((path) => !path.endsWith(".test.ts"));
const imports = shipped.flatMap((path) => importsOf(path, readFileSync(`src/${path}`, "utf8")));

describe("the wings", () => {
  it("are all in the tables with their folders, and the tables name no other", () => {
    const folders = (wing: string) => sources.filter((path) => wingOf(path) === wing).map(floorOf);
    expect([...new Set(sources.map(wingOf))].sort()).toEqual(Object.keys(FLOORS).sort());
    for (const [wing, floors] of Object.entries(FLOORS)) {
      expect([...new Set(folders(wing))].sort(), wing).toEqual(floors.flat().sort());
    }
    expect(Object.keys(MAY_IMPORT)).toEqual(Object.keys(FLOORS));
  });

  it.each(Object.keys(MAY_IMPORT))("%s imports other wings only through what they show", (wing) => {
    const ofOthers = imports.filter(
      ({ from, to, isOurs }) => isOurs && wingOf(from) === wing && wingOf(to) !== wing,
    );
    const isShown = (to: string) =>
      MAY_IMPORT[wing]?.[wingOf(to)]?.some((entry) =>
        entry.endsWith(".ts")
          ? to === `${wingOf(to)}/${entry}`
          : to.startsWith(`${wingOf(to)}/${entry}`),
      ) ?? false;
    expect(ofOthers.filter(({ to }) => !isShown(to)).map(arrow)).toEqual([]);
  });

  it.each(Object.keys(FLOORS))("%s has its folders in one order", (wing) => {
    const floors = FLOORS[wing] ?? [];
    const height = (path: string) => floors.findIndex((floor) => floor.includes(floorOf(path)));
    const own = imports.filter(
      ({ from, to, isOurs }) => isOurs && wingOf(from) === wing && wingOf(to) === wing,
    );
    expect(own.filter(({ from, to }) => height(to) > height(from)).map(arrow)).toEqual([]);
  });

  it("show nothing that nobody imports", () => {
    const unused = Object.entries(MAY_IMPORT).flatMap(([wing, others]) =>
      Object.entries(others).flatMap(([other, entries]) =>
        entries
          .filter(
            (entry) =>
              !imports.some(
                ({ from, to }) => wingOf(from) === wing && to.startsWith(`${other}/${entry}`),
              ),
          )
          .map((entry) => `${wing} -> ${other}/${entry}`),
      ),
    );
    expect(unused).toEqual([]);
  });

  it("hold no circle of files", () => {
    expect(circles()).toEqual([]);
  });

  it("keep what is pure away from files, processes and the network", () => {
    const pure = imports.filter(
      ({ from, isOurs }) => !isOurs && PURE.some((folder) => from.startsWith(`${folder}/`)),
    );
    expect(
      pure.filter(({ to }) => to.startsWith("node:") && !COMPUTES.includes(to)).map(arrow),
    ).toEqual([]);
  });

  it("keep packages and platform modules where they belong", () => {
    const strays = imports.filter(({ from, to }) =>
      CONFINED.some(([name, home]) => name.test(to) && !home.test(from)),
    );
    expect(strays.map(arrow)).toEqual([]);
  });

  it("know in one file what tells the eras of the protocol apart, and nothing private of the SDK", () => {
    const naming = (words: RegExp) =>
      shipped.filter((path) => words.test(readFileSync(`src/${path}`, "utf8")));
    expect(naming(/io\.modelcontextprotocol|2026-07-28|resultType/)).toEqual([
      "ground/tool/eras.ts",
    ]);
    expect(naming(/\b_(?:oninitialize|requestHandlers|clientVersion|capabilities)\b/)).toEqual([]);
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

function wingOf(path: string): string {
  return path.split("/")[0] as string;
}

/** The folder or file below the wing. */
function floorOf(path: string): string {
  return path.split("/")[1] as string;
}

function importsOf(from: string, text: string): Import[] {
  const found = text.matchAll(/(?:^|[\s;}])(?:import|from)\s*\(?\s*"([^"\n]+)"/g);
  return [...found].map(([, specifier = ""]) => {
    const isOurs = specifier.startsWith(".") && /\.tsx?$/.test(specifier);
    return { from, to: isOurs ? posix.join(posix.dirname(from), specifier) : specifier, isOurs };
  });
}

function arrow({ from, to }: Import): string {
  return `${from} -> ${to}`;
}

/** Files that reach themselves, each circle once, by depth-first search. */
function circles(): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, isOurs } of imports) {
    if (isOurs) {
      next.set(from, [...(next.get(from) ?? []), to]);
    }
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    } else if (!done.has(file)) {
      for (const to of next.get(file) ?? []) {
        visit(to, [...path, file]);
      }
      done.add(file);
    }
  };
  for (const file of next.keys()) {
    visit(file, []);
  }
  return found;
}
