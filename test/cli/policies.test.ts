import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const BUDGETS = ".context/policies/budgets.yaml";
const PRIVACY = ".context/policies/privacy.yaml";
const IDENTITY = ".context/views/identity.md";
const OWN = "~/.config/sentinel-memory";

interface Found {
  readonly policies: readonly { name: string; file?: string; values: object; defaults: object }[];
  readonly privacy: readonly { file: string; words: number; patterns: number }[];
  readonly views: readonly { name: string; file: string; tokens: number }[];
  readonly problems: readonly { what: string; fix: string }[];
  readonly version: string;
}
const inForce = async (project: Project) => (await project.json("policies")) as Found;

describe("policies", () => {
  it("shows the defaults where there is no file, and makes none", async () => {
    const project = await testProject();
    const { exit, stdout } = await project.run("policies");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^budgets +the defaults, without a file\n {2}max_tokens +65000$/m);
    expect(stdout).toMatch(/^ {2}sections\.retrieved_evidence\.max_tokens +28000$/m);
    expect(stdout).toMatch(/^ {2}public\.views +identity, rules\.project, glossary$/m);
    expect(stdout).toMatch(/^problems +none$/m);
    expect(readdirSync(project.folder)).toEqual([]);
  });

  it("shows what each file changes, never a word that must not be stored, and every problem with its line", async () => {
    const project = await testProject();
    await project.write(
      BUDGETS,
      "version: 1\nmax_tokens: 9000\nsections:\n  rules: {max_tokens: many}\na: 1\nb: 1\nc: 1\n",
    );
    await project.write(PRIVACY, "version: 1\nnever_store: {words: [고객 이름, xy], patterns: ['cust-\\d+']}\n");
    await project.write(`${OWN}/record.yaml`, "version: 1\nartifacts_days: none\n");
    await project.write(`${OWN}/preferences.md`, "한국어로 답한다.\n");
    await project.write(IDENTITY, Buffer.from([0xff]));
    const { stdout } = await project.run("policies");
    expect(stdout).toMatch(/^budgets +\.context\/policies\/budgets\.yaml\n {2}max_tokens +9000 \(default 65000\)$/m);
    expect(stdout).toMatch(/^ {2}\.context\/policies\/privacy\.yaml +1 word and 1 pattern that are never stored$/m);
    expect(stdout).toMatch(/^ {2}preferences +\/.*sentinel-memory\/preferences\.md, about \d+ tokens$/m);
    expect(stdout).not.toMatch(/고객|xy|cust|한국어/);
    const places = (await inForce(project)).problems.map(({ what }) => what.replace(project.home, "~").split(": ")[0]);
    expect(places).toEqual([
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
    const { exit, stdout, stderr } = await project.run("policies");
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/^problems$[\s\S]*privacy\.yaml, line 2/m)]);
    expect(stderr).toMatch(/^error privacy_unreadable: .*privacy\.yaml, line 2: .*\nfix: .*\n$/);
    await project.write(PRIVACY, "version: 1\n");
    await project.write(BUDGETS, "version: 1\nmax_tokens: 10\n");
    expect((await project.run("policies")).exit, "of the others the defaults are in force").toBe(0);
  });

  it("follows no link of a shared file out of the repository, and says so", async () => {
    const project = await testRepository();
    await project.write("~/mine.yaml", "version: 1\n");
    mkdirSync(project.path(".context/policies"), { recursive: true });
    for (const name of ["memory", "budgets", "channels", "privacy"])
      symlinkSync(project.path("~/mine.yaml"), project.path(`.context/policies/${name}.yaml`));
    const { problems } = await inForce(project);
    expect(problems).toHaveLength(4);
    for (const { what } of problems) expect(what).toContain("a link leads out of the repository");
    const inside = await testRepository();
    await inside.write("settings/budgets.yaml", "version: 1\nmax_tokens: 9000\n");
    mkdirSync(inside.path(".context/policies"), { recursive: true });
    symlinkSync(inside.path("settings/budgets.yaml"), inside.path(BUDGETS));
    expect(await inForce(inside)).toMatchObject({ problems: [], policies: { 1: { values: { max_tokens: 9000 } } } });
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

describe("init --views", () => {
  it("lays out examples of all that is missing, and changes nothing that is in force", async () => {
    const repository = await testRepository({ [IDENTITY]: "간결하게 답한다.\n" });
    const before = await inForce(repository);
    const { stdout, exit } = await repository.sentinel(["init", "--views", "--agents", "vscode"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^\.context\/policies\/budgets\.yaml +created +example$/m);
    expect(stdout).toContain("policies shows what is in force.");
    expect(await repository.read(IDENTITY)).toBe("간결하게 답한다.\n");
    const after = await inForce(repository);
    expect(after.policies.map(({ values }) => values)).toEqual(before.policies.map(({ values }) => values));
    expect(after).toMatchObject({ views: before.views, problems: [], version: before.version });
    expect(after.privacy).toEqual([{ file: PRIVACY, words: 0, patterns: 0 }]);
  });

  it("is taken back by uninstall, which keeps what somebody edited, beside a memory too", async () => {
    const repository = await testRepository({ "README.md": "# Ours\n" });
    await repository.sentinel(["init", "--views", "--agents", "vscode"]);
    await repository.sentinel(["uninstall"]);
    expect(await repository.changes()).toBe("");
    expect(existsSync(repository.context)).toBe(false);

    await repository.sentinel(["init", "--views", "--agents", "vscode"]);
    await repository.write(IDENTITY, "You are careful.\n");
    await repository.write(PRIVACY, (await repository.read(PRIVACY)).replace(/^# (?= |never)/gm, ""));
    expect(await inForce(repository)).toMatchObject({ problems: [], privacy: [{ words: 1, patterns: 1 }] });
    await repository.sentinel(["add", "--topic", "t", "--missing-context", "m", "--lesson", "l"]);
    await repository.sentinel(["uninstall"]);
    expect(readdirSync(repository.path(".context/policies"))).toEqual(["privacy.yaml"]);
    expect(readdirSync(repository.path(".context/views"))).toEqual(["identity.md"]);
  });
});
