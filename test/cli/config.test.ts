import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const BUDGETS = ".context/policies/budgets.yaml";
const CHANNELS = ".context/policies/channels.yaml";
const MEMORY = ".context/policies/memory.yaml";
const PRIVACY = ".context/policies/privacy.yaml";
const IDENTITY = ".context/views/identity.md";
const OWN = "~/.config/sentinel-memory";

interface Found {
  readonly memory: object;
  readonly budgets: object;
  readonly channels: object;
  readonly privacy: readonly { file: string; words: number; patterns: number }[];
  readonly views: readonly { name: string; file: string; tokens: number }[];
  readonly findings: readonly { what: string; fix: string }[];
  readonly version: string;
}
const inForce = async (project: Project) => (await project.json("config")) as Found;

describe("policies", () => {
  it("shows the defaults where there is no file, and makes none", async () => {
    const project = await testProject();
    const { exit, stdout } = await project.run("config");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^budgets:\n {2}file: none, so the defaults\n {2}max_tokens: 65000$/m);
    expect(stdout).toMatch(/^ {4}retrieved_evidence:\n {6}max_tokens: 28000$/m);
    expect(stdout).toMatch(
      /^ {2}public:\n(?: {4}.*\n)* {4}views:\n {6}- identity\n {6}- rules\.project\n {6}- glossary$/m,
    );
    expect(stdout).toMatch(/^findings: \[\]$/m);
    expect(readdirSync(project.folder)).toEqual([]);
  });

  it("shows what each file changes, never a word that must not be stored, and every problem with its line", async () => {
    const project = await testProject();
    await project.write(
      BUDGETS,
      "version: 1\nmax_tokens: 9000\nsections:\n  rules: {max_tokens: many}\na: 1\nb: 1\nc: 1\n",
    );
    await project.write(MEMORY, "version: 1\nthreshold: 5\n");
    await project.write(
      PRIVACY,
      "version: 1\nnever_store: {words: [고객 이름, xy], patterns: ['cust-\\d+']}\n",
    );
    await project.write(`${OWN}/record.yaml`, "version: 1\nartifacts_days: none\n");
    await project.write(`${OWN}/preferences.md`, "한국어로 답한다.\n");
    await project.write(IDENTITY, Buffer.from([0xff]));
    const { stdout } = await project.run("config");
    expect(stdout).toMatch(
      /^budgets:\n {2}file: \.context\/policies\/budgets\.yaml\n {2}max_tokens: 9000$/m,
    );
    expect(stdout).toMatch(
      /^privacy:\n {2}- file: \.context\/policies\/privacy\.yaml\n {4}words: 1\n {4}patterns: 1$/m,
    );
    expect(stdout).toMatch(
      /^ {2}- name: preferences\n {4}file: \/.*sentinel-memory\/preferences\.md\n {4}tokens: \d+$/m,
    );
    expect(stdout.replaceAll(project.home, "~")).not.toMatch(/고객|xy|cust|한국어/);
    const places = (await inForce(project)).findings.map(
      ({ what }) => what.replace(project.home, "~").split(": ")[0],
    );
    expect(places).toEqual([
      `${MEMORY}, line 2`,
      `${BUDGETS}, line 4`,
      `${BUDGETS}, line 5`,
      `${BUDGETS}, line 6`,
      `${BUDGETS}, line 7`,
      IDENTITY,
      `${PRIVACY}, line 2`,
      `${OWN}/record.yaml, line 2`,
    ]);
  });

  it("fails after the list where a privacy file has a mistake, because nothing is stored then", async () => {
    const project = await testProject();
    await project.write(PRIVACY, "version: 1\nnever_store: {patterns: ['(']}\n");
    const { exit, stdout, stderr } = await project.run("config");
    expect([exit, stdout]).toEqual([
      1,
      expect.stringMatching(/^findings:$[\s\S]*privacy\.yaml, line 2/m),
    ]);
    expect(stderr).toMatch(/^error privacy_unreadable: .*privacy\.yaml, line 2: .*\nfix: .*\n$/);
    await project.write(PRIVACY, "version: 1\n");
    await project.write(BUDGETS, "version: 1\nmax_tokens: 10\n");
    expect((await project.run("config")).exit, "of the others the defaults are in force").toBe(0);
  });

  it("follows no link of a shared file out of the repository, and says so", async () => {
    const project = await testRepository();
    await project.write("~/mine.yaml", "version: 1\n");
    mkdirSync(project.path(".context/policies"), { recursive: true });
    for (const name of ["memory", "budgets", "channels", "privacy"]) {
      symlinkSync(project.path("~/mine.yaml"), project.path(`.context/policies/${name}.yaml`));
    }
    const { findings } = await inForce(project);
    expect(findings).toHaveLength(4);
    for (const { what } of findings) {
      expect(what).toContain("a link leads out of the repository");
    }
    const inside = await testRepository();
    await inside.write("settings/budgets.yaml", "version: 1\nmax_tokens: 9000\n");
    mkdirSync(inside.path(".context/policies"), { recursive: true });
    symlinkSync(inside.path("settings/budgets.yaml"), inside.path(BUDGETS));
    expect(await inForce(inside)).toMatchObject({
      findings: [],
      budgets: { max_tokens: 9000 },
    });
  });

  it("are part of what doctor checks", async () => {
    const project = await testProject({ lines: [log()] });
    await project.write(BUDGETS, "version: 1\nmax_tokens: 10\n");
    await project.write(IDENTITY, "Be brief.");
    const { stdout } = await project.run("doctor");
    expect(stdout).toMatch(
      /^warning +\.context\/policies\/budgets\.yaml, line 2: max_tokens is not .*\n +fix: Correct that line/m,
    );
    expect(stdout).toMatch(/^ok +\.context\/views\/identity\.md: nothing wrong with it$/m);
  });
});

describe("the examples in the documents", () => {
  const pages = ["docs/active-context.md", "docs/configuration.md"].map((page) =>
    readFileSync(page, "utf8"),
  );
  const examples = [...pages.join("\n").matchAll(/```yaml\n# (\S+):.*\n([\s\S]*?)```/g)].map(
    ([, path = "", text = ""]) => ({
      path,
      text,
    }),
  );

  it("name every key of every file, and say what holds anyway", async () => {
    const project = await testProject();
    const before = await inForce(project);
    for (const { path, text } of examples) {
      await project.write(path, text);
    }
    const after = await inForce(project);
    expect(after.findings).toEqual([]);
    expect(after.privacy).toEqual([{ file: PRIVACY, words: 2, patterns: 3 }]);
    const files = { memory: MEMORY, budgets: BUDGETS, channels: CHANNELS } as const;
    for (const [name, file] of Object.entries(files) as [keyof typeof files, string][]) {
      expect(after[name], name).toEqual({ ...before[name], file });
      expect(keysIn(examples.find(({ path }) => path === file)?.text)).toEqual(
        ["version", ...keysOf({ ...before[name], file: undefined })]
          .filter((key) => key !== "file")
          .sort(),
      );
    }
  });
});

const keysIn = (text = ""): readonly string[] => text.match(/[a-z_]+(?=:)/g)?.sort() ?? [];

function keysOf(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) => [
    key,
    ...(typeof value === "object" && !Array.isArray(value) ? keysOf(value) : []),
  ]);
}
