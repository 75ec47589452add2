/** What agents remembered by themselves and what the project says: found when asked, offered, and a lesson only after a yes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../support/files-below.ts";
import { testRepository } from "../support/in-test.ts";
import { CODE, claudeMemory, nativeMemories, RULES } from "../support/noted.ts";
import type { Project } from "../support/project.ts";
import { recordFromTheStart } from "../support/recorded.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { typing } from "../support/typing.ts";

interface Offered {
  readonly id: string;
  readonly from: string;
  readonly file: string;
  readonly line: number;
  readonly lesson: string;
  readonly when?: string;
}

const SOURCES = ["claude", "codex", "gemini", "vscode", "rules"] as const;
const QUESTIONS = /(?:q stop|The rule|u to undo):/g;

/** A repository with code and rules, and what four clients remember of it. */
async function notedShop(): Promise<Project> {
  const shop = await testRepository({ ...CODE, ...RULES });
  for (const [path, text] of Object.entries(nativeMemories(shop))) {
    await shop.write(path, text);
  }
  return shop;
}

const offered = async (shop: Project) => (await shop.json("review", "--json")) as Offered[];
const isSource = (path: string) =>
  /\.(?:claude|codex|gemini|config)\//.test(path) || !/sentinel-memory|\.local|\.git\//.test(path);

async function contents({ home }: Project, isMeant: (path: string) => boolean = () => true) {
  const paths = filesBelow(home).filter(isMeant).sort();
  return Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const));
}

describe("import --from", () => {
  it("finds notes of this project alone, each with its place, without a secret, and changes nothing else", async () => {
    const shop = await notedShop();
    const before = await contents(shop, isSource);
    const said = new Map<string, string>();
    for (const source of SOURCES) {
      const { exit, stdout, stderr } = await shop.run("import", "--from", source);
      expect([source, exit]).toEqual([source, 0]);
      said.set(source, stdout + stderr);
    }
    expect(await contents(shop, isSource)).toEqual(before);
    expect(await shop.changes()).toBe("");

    const notes = await offered(shop);
    const of = (source: string) => notes.filter(({ from }) => from === source);
    const short = (source: string) =>
      of(source).map(({ lesson, when = "" }) => [lesson.slice(0, 40), when]);
    expect(short("claude")).toEqual([
      ["Refunds go through `src/refunds.ts`, nev", "path: src/refunds.ts"],
    ]);
    expect(short("codex")).toEqual([
      ["Tags are signed on the release machine a", ""],
      ["Symptom: the upload stops with `error: t", ""],
    ]);
    expect(short("gemini").map(([lesson]) => lesson)).toEqual([
      "The staging database is reset every nigh",
      "The password of staging is password=[RED",
    ]);
    expect(short("vscode").map(([lesson]) => lesson)).toEqual([
      "Node 22 is needed for the integration te",
      "Sign in with [REDACTED] before you start",
    ]);
    expect(
      of("rules")
        .map(({ when }) => when)
        .sort(),
    ).toEqual(
      [
        "command: npm publish",
        'error: "error: lock is held by another"',
        "path: db/schema.sql",
        "path: src/api/**/*.ts; path: test/api/**",
        "path: src/jobs.ts",
        "path: src/refunds.ts",
      ].map((when) => when.replaceAll('"', "")),
    );
    for (const { file, line, lesson } of notes) {
      const text = (await readFile(shop.path(file), "utf8")).split("\n");
      const start = lesson.split(/[\s:]*(?:\S*\[REDACTED)/)[0]?.split("\n")[0] ?? "";
      const there = line === 1 ? text.join("\n") : (text[line - 1] ?? "");
      expect(there, `${file}:${line}`).toContain(start.slice(0, 30));
    }
    const kept = (await contents(shop, (path) => !isSource(path)))
      .map(([, text]) => text)
      .join("\n");
    expect(kept).toContain("Refunds go through");
    for (const secret of [SECRET_TOKEN, "Globex"]) {
      expect(kept).not.toContain(secret);
    }
    expect([...said.values()].join("\n")).not.toContain(SECRET_TOKEN);
  });

  it("names the line of a rule that a private passage begins", async () => {
    const rules =
      "# Rules\n\n- Keep it short, in all of it\n- <private>For Globex</private> never touch `src/refunds.ts`\n";
    const shop = await testRepository({ ...CODE, "AGENTS.md": rules });
    await shop.run("import", "--from", "rules");
    expect(await offered(shop)).toMatchObject([
      { line: 4, lesson: "[PRIVATE] never touch `src/refunds.ts`" },
    ]);
  });

  it("shows comments in code, pairs code spans with them, and says how much it left", async () => {
    const shop = await testRepository({
      ...CODE,
      "AGENTS.md": `# For agents

<!-- Never edit \`src/jobs.ts\` -->
- A finished job keeps its \`<!-- done -->\` mark; an unknown error must not clear it. Clearing needs \`JOB_TOKEN\`, so it never happens by itself.
- Keep \`<!-- generated -->\` in \`src/jobs.ts\`, and never its neighbour \`<!-- end -->\`
- ALWAYS add a test for changed behaviour
- PREFER one focused test over the entire suite
- AVOID \`unwrap()\`, \`panic!\` and allow attributes
- Two services share the queue

\`\`\`md
<!-- an example that never ends
\`\`\`

After a change of \`db/schema.sql\`, run \`npm run types\`.
`,
      ".cursor/rules/money.mdc": `---\ndescription: Money\nglobs: src/**/*.{ts,tsx}, !src/gen/**\nalwaysApply: false\n---\n\nUse the money type for all amounts.\n`,
    });
    const { stdout, stderr } = await shop.run("import", "--from", "rules");
    expect(stdout).toMatch(/^3 notes wait/m);
    expect((await offered(shop)).map(({ when }) => when).sort()).toEqual([
      "path: db/schema.sql",
      "path: src/**/*.ts; path: src/**/*.tsx",
      "path: src/jobs.ts",
    ]);
    expect(stderr).toContain("Looked in .cursor/rules/money.mdc, AGENTS.md.\n");
    expect(stderr).toContain("Left out: 5 (");
  });

  it("says that there is nothing to read", async () => {
    const shop = await testRepository();
    const { stdout, stderr } = await shop.run("import", "--from", "rules");
    expect(stdout).toMatch(/^0 notes wait/);
    expect(stderr).toBe("Found nothing to read.\n");
  });

  it("leaves notes where a transcript beside them began in another project", async () => {
    const shop = await notedShop();
    const other = join(shop.home, "other");
    const begun = `${JSON.stringify({ type: "user", cwd: other })}\n`;
    await shop.write(`${claudeMemory(shop)}/../5e55.jsonl`, begun);
    await shop.write("~/other/.keep", "");
    expect((await shop.run("import", "--from", "claude")).stdout).toMatch(/^0 notes wait/);
  });

  it("is nothing to review, which is no error; failures need a session log", async () => {
    const shop = await testRepository({});
    const nothing = {
      exit: 0,
      stdout: "",
      stderr: expect.stringMatching(/^Nothing to review \(.*sessions on\)\.\n$/),
    };
    expect(await shop.run("review")).toMatchObject(nothing);
    expect(await shop.run("review", "--json")).toMatchObject({
      exit: 0,
      stdout: "[]\n",
      stderr: "",
    });
    expect((await shop.run("review", "--keep", "c_00000000")).stderr).toMatch(
      /^error not_recorded/,
    );
    await shop.run("sessions", "on");
    expect(await shop.run("review")).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: "Nothing to review.\n",
    });
    await shop.run("sessions", "off");
    expect(await shop.run("review")).toMatchObject(nothing);
  });

  it("shows without keeping, and takes a file or a name", async () => {
    const shop = await notedShop();
    const { stdout } = await shop.run("import", "--from", "rules", "--dry-run");
    expect(stdout).toContain("[command: npm publish]");
    expect((await shop.run("review", "--list")).stdout).toBe("");
    for (const args of [["--from", "rules", "x.jsonl"], []]) {
      expect((await shop.run("import", ...args)).stderr).toMatch(
        /^error bad_argument: .*\nfix: .*claude\|codex/,
      );
    }
  });
});

describe("a note", () => {
  const publish = async (shop: Project) =>
    (await offered(shop)).find(({ when }) => when === "command: npm publish");

  it("becomes a lesson by a yes, comes up by its trigger, and is not offered again", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "rules");
    const note = await publish(shop);
    expect((await shop.run("review", "--keep", note?.id ?? "")).stdout).toContain("Kept:");
    const lessons = await shop.lessons();
    expect(lessons).toMatchObject([
      {
        topic: "commands",
        when: { commands: ["npm publish"] },
        meta: { created: expect.anything() },
      },
    ]);
    expect(lessons[0]?.meta.from).toBeUndefined();
    await shop.run("forget", lessons[0]?.id ?? "", "--yes");
    await shop.run("import", "--from", "rules");
    expect(await publish(shop)).toBeUndefined();
  });

  it("that a person words says nothing in the words that it had", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "rules");
    const note = await publish(shop);
    const lesson = "Push a tag, and the release machine takes it from there.";
    await shop.run("review", "--keep", note?.id ?? "", "--lesson", lesson);
    const [kept] = await shop.lessons();
    expect(kept).toMatchObject({ lesson, missing_context: expect.stringContaining(lesson) });
    expect(JSON.stringify(kept?.missing_context)).not.toContain("npm publish");
  });

  it("that was refused does not come back, and its words are gone", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "rules");
    await shop.run("review", "--never", (await publish(shop))?.id ?? "");
    await shop.write("AGENTS.md", "-   never RUN `npm   publish`; the release machine does it\n");
    const counted = async (...args: string[]) =>
      /(\d+) notes? (?:would )?waits?/.exec(
        (await shop.run("import", "--from", "rules", ...args)).stdout,
      )?.[1];
    expect(await counted("--dry-run")).toBe(await counted());
    expect(await publish(shop)).toBeUndefined();
    for (const [path, text] of await contents(shop, (one) => one.includes(".local"))) {
      expect(text, path).not.toContain("npm publish");
    }
  });

  it("waits beside the session log where there is one, and a purge of a text takes it along", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "rules");
    await recordFromTheStart(shop);
    await shop.run("import", "--from", "gemini");
    const local = (await contents(shop, (path) => path.includes(".local/share")))
      .map(([, text]) => text)
      .join();
    expect(local).toContain("The staging database");
    expect(await publish(shop)).toBeDefined();
    const { stdout } = await shop.run("sessions", "purge", "--text", "staging database", "--yes");
    expect(stdout).toContain("1 note waiting for a review");
    expect((await offered(shop)).map(({ lesson }) => lesson).join()).not.toContain(
      "staging database",
    );
    expect(await publish(shop)).toBeDefined();
  });

  it("is asked about in a terminal, and an answer can be taken back", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "vscode");
    const shown = await typing(shop, ["review"], {
      asked: QUESTIONS,
      answers: ["n", "u", "y", "u", "e", "Use Node 22.", "", "q"],
    });
    expect(shown).toMatch(/note +vscode, .*environment\.md:3/);
    expect((await shop.lessons()).map(({ lesson }) => lesson)).toEqual(["Use Node 22."]);
    expect(await offered(shop)).toHaveLength(1);
  });

  it("that was not found for 60 days goes, and the next import finds it again", async () => {
    const shop = await notedShop();
    await shop.run("import", "--from", "vscode");
    const path = ".context/.local/candidate-notes.json";
    const [first, second] = JSON.parse(await shop.read(path)).notes;
    const aged = (note: object, days: number) => ({
      ...note,
      at: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
    await shop.write(path, JSON.stringify({ notes: [aged(first, 61), aged(second, 59)] }));
    expect((await offered(shop)).map(({ id }) => id)).toEqual([second.id]);
    await shop.run("import", "--from", "gemini");
    expect(await shop.read(path)).not.toContain("Node 22");
    await shop.run("import", "--from", "vscode");
    expect((await offered(shop)).filter(({ from }) => from === "vscode")).toHaveLength(2);
  });
});
