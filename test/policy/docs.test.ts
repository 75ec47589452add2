/** What the documents promise is there: their links, the commands they name, and a page for each client that says what init writes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../src/ground/clients/clients.ts";
import { READERS } from "../../src/sessions/transcripts/readers.ts";
import { CLIENT_PAGES } from "../support/client-facts.ts";
import { commandLine } from "../support/command-line.ts";
import { testRepository } from "../support/in-test.ts";

const PAGES = pagesIn("docs");
const DESIGN = pagesIn("docs/design");
const DOCUMENTS = [
  "README.md",
  "README.ko.md",
  "README.zh.md",
  "SECURITY.md",
  "AGENTS.md",
  ...PAGES,
  ...DESIGN,
];

/** The parts of every client's page, in this order. Other parts may follow. */
const PARTS = ["Set up", "What init writes", "Hooks"];

const INDEX = "docs/README.md";
const MAP = "docs/design/map.md";

const read = (path: string) => readFileSync(path, "utf8");

describe.each(CLIENTS)("the page of $name", ({ id, name, hooks }) => {
  const page = CLIENT_PAGES[id] ?? "";

  it("has its name for a title, and is linked from the README", () => {
    expect(read(page).split("\n")[0]).toBe(`# ${name}`);
    expect(linksOf(read("README.md"))).toContain(page);
  });

  it("has the parts that all have, in one order", () => {
    expect(headingsOf(read(page), 2).slice(0, PARTS.length)).toEqual(PARTS);
  });

  it("names each file that init writes for it, and no other", async () => {
    const repository = await testRepository();
    await repository.sentinel(["init", "--agents", id]);
    const written = (await repository.changes()).trimEnd().split("\n");
    const paths = written.map((line) => line.slice(3));
    const shared = paths.filter((path) => path.startsWith(".context/"));
    const others = paths.filter((path) => !shared.includes(path));
    const named = firstCells(partOf(read(page), "What init writes"));
    expect(named.sort()).toEqual([".context/", ...others].sort());
    const listed = firstCells(partOf(read("docs/team.md"), "Set up"));
    const isListed = (path: string) => listed.some((one) => path === one || isFolderOf(one, path));
    expect(shared.filter((path) => !isListed(path))).toEqual([]);
  });

  it("says of each hook what it does, or that there is none", () => {
    const part = partOf(read(page), "Hooks");
    if (hooks) {
      expect(firstCells(part)).toEqual(
        Object.keys(hooks.table?.("") ?? { "tool.execute.after": "" }),
      );
    } else {
      expect(part.trimStart()).toMatch(/^None: /);
    }
  });

  it("says whether its sessions are recorded, and the page of the session log says the same", () => {
    const isRecorded = READERS.some((reader) => reader.name === name);
    const part = partOf(read(page), "Hooks");
    expect(part).toMatch(/\[(?:recorded|session log)\]\(session-log\.md/);
    expect(part.includes(`Sessions of ${name} are not [recorded]`)).toBe(!isRecorded);
    expect(read("docs/session-log.md").includes(`| ${name} | nothing: not recorded |`)).toBe(
      !isRecorded,
    );
  });
});

describe("the links of the documents", () => {
  it.each(DOCUMENTS)("in %s lead to files and headings that exist", (path) => {
    expect(brokenLinksOf(path, read(path))).toEqual([]);
  });

  it("reach every page from the README's index, and those of the design from its map", () => {
    expect(linksOf(read("README.md"))).toContain(INDEX);
    const fromIndex = linksOf(read(INDEX)).map((link) => join("docs", link));
    expect([INDEX, ...fromIndex]).toEqual(expect.arrayContaining([...PAGES, MAP]));
    const fromMap = linksOf(read(MAP)).map((link) => join("docs/design", link));
    expect([MAP, ...fromMap]).toEqual(expect.arrayContaining(DESIGN));
  });

  it("would be found broken", () => {
    const text =
      "# One\n[a](docs/none.md) [b](#two) [c](SECURITY.md#none) [d](#one) [e](https://example.com)\n```\n[f](no.md)\n```\n";
    expect(brokenLinksOf("README.md", text)).toEqual(["docs/none.md", "#two", "SECURITY.md#none"]);
  });
});

describe("the commands have no comment behind them, because cmd would read it as arguments", () => {
  it.each(DOCUMENTS)("in %s", (path) => {
    const commands = read(path).match(/^(?:\$ )?(?:npm|node|git|sm|sentinel-memory) .*$/gm) ?? [];
    expect(commands.filter((line) => line.includes(" #"))).toEqual([]);
  });
});

describe("the README", () => {
  it.each(["README.ko.md", "README.zh.md"])(
    "has the same install commands and pages of agents as %s",
    (path) => {
      const commandsIn = (text: string) =>
        text.match(/^(?:npm|node) [^#\n]*[^#\s]/gm)?.map((line) => line.trim()) ?? [];
      expect(commandsIn(read(path))).toEqual(commandsIn(read("README.md")));
      expect(linksOf(read(path))).toEqual(expect.arrayContaining(Object.values(CLIENT_PAGES)));
      expect(Buffer.byteLength(read(path))).toBeLessThan(3_000);
    },
  );

  it("is short: longer texts belong to a page", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThan(6_500);
  });
});

describe("the paths that developers' pages name", () => {
  /** In code, from the root; `NAME` in one stands for any name. */
  const pathsIn = (text: string) =>
    [
      ...text
        .replace(FENCED, "")
        .matchAll(/`((?:src|test|docs|scenarios|scripts|bench)\/[^`\s*]*)`/g),
    ]
      .map(([, path = ""]) => path)
      .filter((path) => !/\b[A-Z]{3,}\b/.test(path.replace(/[\w-]+\.md$/, "")));

  it.each(["AGENTS.md", ...DESIGN])("in %s exist", (page) => {
    expect(pathsIn(read(page)).filter((path) => !existsSync(path))).toEqual([]);
  });

  it("are found, and would be found missing", () => {
    const named = pathsIn(read("docs/design/recipes.md"));
    expect(named.length).toBeGreaterThan(40);
    expect(pathsIn("`src/lessons/none.ts` and `src/NAME/x`")).toEqual(["src/lessons/none.ts"]);
  });
});

describe("the glossary", () => {
  it("explains words that the code uses", () => {
    const source = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => read(join("src", name)))
      .join("\n");
    const rows = partOf(read(MAP), "Glossary").match(/^\| [^|]+(?= \|)/gm) ?? [];
    const words = rows.slice(1).flatMap((row) => row.slice(2).split(", "));
    expect(words.length).toBeGreaterThan(20);
    // As a word of a sentence, or as a part of a name: "write queue" is WriteQueue or write-queue, too.
    const isUsed = (word: string) =>
      new RegExp(`\\b${word.replace(" ", "[ -]?\\n?[ */]*")}`, "i").test(source);
    expect(words.filter((word) => !isUsed(word))).toEqual([]);
  });
});

describe("the picture of the demo", () => {
  const picture = read("docs/demo.svg");

  it("shows parts that the demo has, and asks for nothing from elsewhere", () => {
    const titles = [...picture.matchAll(/class="title">([^<]+)</g)].map(([, title = ""]) => title);
    const demo = read("scripts/demo.ts");
    expect(titles.length).toBeGreaterThan(2);
    expect(titles.filter((title) => !demo.includes(title))).toEqual([]);
    expect(picture).not.toMatch(/<script|<image|href|url\(|sentinel-demo|ghp_/);
  });
});

describe("the commands of the documents", () => {
  /** The options of each command, by its name. */
  const options = new Map<string, readonly string[]>();
  note(commandLine());

  function note(command: Command, ...names: readonly string[]): void {
    const flags = command.helpInformation().match(/--[a-z-]+/g);
    if (names.length > 0) {
      options.set(names.join(" "), flags ?? []);
    }
    const inner = command.commands.filter((one) => one.name() !== "help");
    for (const one of inner) {
      note(one, ...names, one.name());
    }
  }

  it.each(DOCUMENTS)("in %s exist, with their options", (path) => {
    const isWrong = ({ words, flags }: Call) => {
      const paths = words.map((_, at) => words.slice(0, at + 1).join(" "));
      const name = paths.findLast((known) => options.has(known)) ?? "";
      const nested = [...options.keys()].some((other) => other.startsWith(`${name} `));
      // A word behind a command that only groups others is meant as one of them.
      const isUnknown = !options.has(name) || (nested && name !== paths.at(-1));
      return (
        isUnknown ||
        flags.some((flag) => flag !== "--project" && !options.get(name)?.includes(flag))
      );
    };
    const wrong = callsIn(read(path)).filter(isWrong);
    expect(wrong).toEqual([]);
  });

  it("all have a row in the table of commands", () => {
    const table = partOf(read("docs/cli.md"), "Commands");
    const topLevel = [...options.keys()].filter((name) => !name.includes(" "));
    expect(
      topLevel.filter((name) => !new RegExp(`^\\| .*\`${name}[ \`]`, "m").test(table)),
    ).toEqual([]);
  });

  it("are found at all, and would be found wrong", () => {
    expect(options.size).toBeGreaterThan(10);
    const text =
      "Say `sentinel-memory recall --all`, or:\n```\nnode_modules/.bin/sentinel-memory init --force   # once\n```\n";
    expect(callsIn(text)).toEqual([
      { words: ["recall"], flags: ["--all"] },
      { words: ["init"], flags: ["--force"] },
    ]);
    expect(callsIn("`sentinel-memory sessions sing`")).toEqual([
      { words: ["sessions", "sing"], flags: [] },
    ]);
    expect(["recall", "sessions sing"].map((name) => options.has(name))).toEqual([false, false]);
    expect(options.has("sessions on")).toBe(true);
  });
});

describe("the references from code and stories", () => {
  const FOLDERS = ["src", "test", "bench", "scripts"];
  const stories = readdirSync("scenarios", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join("scenarios", name));
  const code = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ).filter(
    (path) => /\.(?:ts|[cm]js)$/.test(path) && path !== join("test", "policy", "docs.test.ts"),
  );

  it("lead to headings of the design", () => {
    const headings = new Map(DESIGN.map((page) => [page, headingsOf(read(page))]));
    const named = [...code, ...stories].flatMap((path) =>
      referencesIn(read(path)).map((to) => ({ path, ...to })),
    );
    expect(named.length).toBeGreaterThan(stories.length);
    expect(named.filter(({ page, heading }) => !headings.get(page)?.includes(heading))).toEqual([]);
  });

  it("stand in every story", () => {
    const proves = /^proves: docs\/design\/\w+\.md, "[^"]+" - ./m;
    expect(stories.filter((path) => !proves.test(read(path)))).toEqual([]);
  });

  it("name no document outside the repository", () => {
    const outside = /\b(?:seed|issue) \d|\bthe specification\b|\blessons from peers\b/i;
    expect([...code, ...stories, ...DOCUMENTS].filter((path) => outside.test(read(path)))).toEqual(
      [],
    );
  });

  it("name no place of the machine that they were written on", () => {
    const place = /(?<![\w~.-])\/(?:tmp|work|root)\/\w/;
    expect([...code, ...stories, ...DOCUMENTS].filter((path) => place.test(read(path)))).toEqual(
      [],
    );
  });

  it("are found, also two at once", () => {
    expect(referencesIn('see docs/design/a.md, "The file" and "Redaction"; "Other"')).toEqual([
      { page: "docs/design/a.md", heading: "The file" },
      { page: "docs/design/a.md", heading: "Redaction" },
    ]);
  });
});

/** The headings that a text names after the page they stand in. */
function referencesIn(text: string): { page: string; heading: string }[] {
  const places = text.matchAll(/(docs\/design\/\w+\.md), ("[^"\n]+"(?: and "[^"\n]+")*)/g);
  return [...places].flatMap(([, page = "", names = ""]) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, heading = ""]) => ({ page, heading })),
  );
}

/** The Markdown files of a folder, and of no folder in it. */
function pagesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith(".md") ? `${folder}/${name}` : []));
}

const FENCED = /^```.*\n([\s\S]*?)^```$/gm;

/** Where the links of a text lead, as they are written, but for other sites. */
function linksOf(text: string): string[] {
  const prose = text.replace(FENCED, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, to = ""]) =>
    /^[a-z]+:/.test(to) ? [] : [to],
  );
}

function brokenLinksOf(from: string, text: string): string[] {
  return linksOf(text).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? from : join(dirname(from), path);
    if (!existsSync(target)) {
      return true;
    }
    return (
      anchor !== undefined &&
      !headingsOf(path === "" ? text : read(target))
        .map(anchorOf)
        .includes(anchor)
    );
  });
}

/** The headings of a text, of one level or of all. */
function headingsOf(text: string, level?: number): string[] {
  return [...text.replace(FENCED, "").matchAll(/^(#+) (.+)$/gm)].flatMap(
    ([, marks = "", title = ""]) => (level === undefined || marks.length === level ? [title] : []),
  );
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** What stands below a heading of the second level. */
function partOf(text: string, heading: string): string {
  const [, below = ""] = text.split(`\n## ${heading}\n`);
  return below.split("\n## ")[0] ?? "";
}

/** The code in the first cells of a table. */
function firstCells(part: string): string[] {
  const cells = part
    .split("\n")
    .flatMap((line) => (line.startsWith("| `") ? [line.split("|")[1] ?? ""] : []));
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
}

const isFolderOf = (folder: string, path: string): boolean =>
  folder.endsWith("/") && path.startsWith(folder);

interface Call {
  /** Lower-case words behind the program: the command, those below it, and perhaps arguments. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

/** The calls of our command line: in code, a line that begins with the program and goes on with a word. */
function callsIn(text: string): Call[] {
  const blocks = [...text.matchAll(FENCED)].map(([, code = ""]) => code);
  const spans = [...text.replace(FENCED, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) =>
    code.replaceAll("\n", " "),
  );
  const lines = [...spans, ...blocks].flatMap((code) => code.split("\n"));
  return lines.flatMap((line) => {
    const call =
      /^(?:\$ )?(?:\S*\/)?(?:sentinel-memory|sm)(?: --project \S+)?((?: [a-z]+(?:-[a-z]+)*\b)+)([^#]*)/.exec(
        line,
      );
    const [, words = "", rest = ""] = call ?? [];
    return call ? [{ words: words.trim().split(" "), flags: rest.match(/--[a-z-]+/g) ?? [] }] : [];
  });
}
