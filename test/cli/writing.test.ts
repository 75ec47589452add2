/** Lessons that people write, correct and move at the command line. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testProject } from "../support/in-test.ts";
import { log, principleLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";

const VAT = log({ ask_next_time: "Which country?", when: { paths: ["src/billing/**"] } });
const MET = log({
  topic: "auth",
  missing_context: "Tokens rotate",
  meta: { created: "2026-02-01T00:00:00.000Z", count: 7 },
});

const only = async (project: Project): Promise<Lesson> => {
  const [record, ...others] = await project.lessons();
  expect(others).toEqual([]);
  return record as Lesson;
};
const add = (project: Project, texts: Record<string, string>, ...more: string[]) =>
  project.run(
    "add",
    ...Object.entries(texts).flatMap(([name, text]) => [`--${name}`, text]),
    ...more,
  );

const GAP = {
  topic: "deploy",
  missing: "Deploys are frozen on Fridays",
  lesson: "Ask the release manager",
};

describe("add", () => {
  it("logs a lesson, and updates the one that there is", async () => {
    const project = await testProject();
    const first = await add(
      project,
      { ...GAP, ask: "Which day?" },
      "--path",
      "ci/**",
      "--path",
      "*.yml",
      "--word",
      "release",
      "--block",
    );
    expect(first.stderr, "where the memory was empty").toBe("");
    expect(first).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Added: [0-9a-f]{8} {2}deploy: Ask the/),
    });
    expect(await only(project)).toMatchObject({
      type: "log",
      topic: "deploy",
      missing_context: "Deploys are frozen on Fridays",
      lesson: "Ask the release manager",
      ask_next_time: "Which day?",
      when: { paths: ["*.yml", "ci/**"], words: ["release"], hold: true },
    });
    const again = await add(project, {
      ...GAP,
      missing: "deploys are frozen on Fridays.",
      lesson: "Ask Kim",
    });
    expect(again.stdout).toMatch(/^Updated: /);
    expect(await only(project)).toMatchObject({ lesson: "Ask Kim", meta: { count: 2 } });
    expect((await add(project, { ...GAP, lesson: "Ask Kim" })).stdout).toMatch(/^Unchanged: /);
  });

  it("goes through the door of log_memory: secrets, private passages, limits", async () => {
    const project = await testProject();
    const told = await add(project, {
      ...GAP,
      lesson: `Use ${SECRET_TOKEN} <private>for Acme</private>`,
    });
    expect(told.stderr).toMatch(/Redacted .*private passage in lesson/);
    expect((await only(project)).lesson).toBe("Use [REDACTED] [PRIVATE]");
    expect((await add(project, { ...GAP, lesson: "x".repeat(1_025) })).stderr).toMatch(
      /over_limit: lesson is 1,025 bytes/,
    );
    expect((await add(project, { ...GAP, topic: SECRET_TOKEN })).stderr).toContain(
      "secret_refused",
    );
    expect((await add(project, { topic: "deploy", missing: "No lesson" })).stderr).toContain(
      "--lesson",
    );
    expect(readFileSync(project.file, "utf8")).not.toContain(SECRET_TOKEN);
    expect(await project.lessons()).toHaveLength(1);
  });

  it("says what it is close to", async () => {
    const project = await testProject({ lines: [VAT] });
    const { stderr } = await add(project, {
      topic: "payments",
      missing: "VAT differs by state",
      lesson: "Look it up",
    });
    expect(stderr).toContain('looks like "payment" (1 lesson)');
    const { stderr: near } = await add(project, {
      topic: "payment",
      missing: `${VAT.missing_context} now`,
      lesson: VAT.lesson,
    });
    const [, forget = ""] =
      /says nearly the same: .*remove that one: node .* (forget \S+)$/m.exec(near) ?? [];
    expect((await project.run(...forget.split(" "))).stdout).toContain(
      `Forgotten: ${VAT.id.slice(0, 8)}`,
    );
  });
});

const EDITED = "Read the tax table of the country";

describe("edit", () => {
  it("changes the lesson alone, and the old one can be restored", async () => {
    const project = await testProject({ lines: [VAT] });
    const { stdout } = await project.run("edit", VAT.id.slice(0, 6), "--lesson", EDITED);
    expect(stdout).toMatch(
      /^Was: .*Read the tax table first\nNow: .*of the country\nrestore brings/,
    );
    const edited = await only(project);
    const { meta, ...texts } = edited;
    expect(texts).toEqual({ ...VAT, lesson: EDITED, meta: undefined });
    // It was corrected, not met again.
    expect(meta.count).toBeUndefined();
    expect(meta.created).toBe(VAT.meta.created);
    expect((await project.run("restore", VAT.id, "--yes")).stdout).toContain("Restored");
    expect((await only(project)).lesson).toBe(VAT.lesson);
  });

  it("keeps what a newer version wrote into when", async () => {
    const when = { paths: ["src/billing/**"], hosts: ["ci"], hold: true };
    const project = await testProject({ lines: [log({ when })] });
    const { id } = await only(project);
    await project.run("edit", id, "--lesson", EDITED);
    const { lesson, when: kept } = await only(project);
    expect([lesson, kept]).toEqual([EDITED, when]);
  });

  it("lets a lesson block calls until it is told otherwise", async () => {
    const when = { commands: ["npm publish"] };
    const project = await testProject({ lines: [log({ when })] });
    const { id } = await only(project);
    expect((await project.run("edit", id, "--block")).exit).toBe(0);
    expect((await only(project)).when).toEqual({ ...when, hold: true });
    await project.run("edit", id, "--lesson", EDITED);
    const edited = await only(project);
    expect([edited.lesson, edited.when]).toEqual([EDITED, { ...when, hold: true }]);
    await project.run("edit", id, "--no-block");
    expect((await only(project)).when).toEqual(when);
  });

  it("lets a lesson with another gap or topic block calls too, unless it no longer could", async () => {
    const commands = ["npm publish"];
    const project = await testProject({ lines: [log({ when: { commands, hold: true } })] });
    const { id } = await only(project);
    const refused = await project.run("edit", id, "--when", "word: vat");
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining("Give it when")]);
    await project.run("edit", id, "--missing", "Prereleases need a tag");
    const moved = await only(project);
    expect(moved).toMatchObject({ when: { commands, hold: true } });
    await project.run("edit", moved.id, "--topic", "release", "--when", "command: npm pack");
    const again = await only(project);
    expect(again).toMatchObject({ topic: "release", when: { commands: ["npm pack"], hold: true } });
    await project.run("edit", again.id, "--topic", "tags", "--no-when");
    expect((await only(project)).when).toBeUndefined();
  });

  it("puts a lesson with another gap in the place of the old one, and show tells the chain", async () => {
    const project = await testProject({ lines: [MET] });
    await project.run("edit", MET.id, "--missing", "Tokens rotate daily");
    const second = await only(project);
    expect(second).toMatchObject({ missing_context: "Tokens rotate daily", meta: { count: 7 } });
    await project.run("edit", second.id, "--missing", "tokens rotate daily.");
    const third = await only(project);
    expect(third.missing_context).toBe("tokens rotate daily.");
    const shown = (await project.run("show", third.id)).stdout;
    expect(shown).toContain("in place of");
    for (const { id } of [MET, second]) {
      expect(shown).toContain(id.slice(0, 8));
    }
    expect((await project.run("show", MET.id)).stdout).toContain(
      `replaced by ${second.id.slice(0, 8)}`,
    );
    expect((await project.run("show", second.id)).stdout).toContain(
      `replaced by ${third.id.slice(0, 8)}`,
    );
  });

  it("can be taken back by another edit", async () => {
    const project = await testProject({ lines: [MET] });
    await project.run("edit", MET.id, "--missing", "Tokens rotate daily");
    await project.run("edit", (await only(project)).id, "--missing", "Tokens rotate");
    expect(await only(project)).toMatchObject({
      id: MET.id,
      missing_context: "Tokens rotate",
      meta: { count: 7 },
    });
  });

  it("takes the question and the work of a record away, and changes parts of the work", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("edit", VAT.id, "--word", "vat");
    expect((await only(project)).when).toEqual({ paths: ["src/billing/**"], words: ["vat"] });
    await project.run("edit", VAT.id, "--ask", "none", "--no-when");
    const edited = await only(project);
    expect([edited.ask_next_time, edited.when]).toEqual([undefined, undefined]);
    expect((await project.run("edit", VAT.id, "--lesson", edited.lesson)).stdout).toMatch(
      /^Unchanged: /,
    );
  });

  it("takes the work as one text, and shows it so", async () => {
    const project = await testProject();
    const work = 'command: npm publish; error: "a; b"; not branch: main; until: 2026-12-31';
    await add(project, { ...GAP, when: work });
    const { id, when } = await only(project);
    expect(when).toEqual({
      commands: ["npm publish"],
      errors: ["a; b"],
      not: { branches: ["main"] },
      until: "2026-12-31",
    });
    expect((await project.run("show", id)).stdout).toContain(`when       ${work}`);
    await project.run("edit", id, "--path", "src/**");
    expect((await only(project)).when).toEqual({ ...(when as object), paths: ["src/**"] });
    await project.run("edit", id, "--when", "word: deploy");
    expect((await only(project)).when).toEqual({ words: ["deploy"] });
    const both = await project.run("edit", id, "--when", "word: a", "--word", "b");
    expect([both.exit, both.stderr]).toEqual([1, expect.stringContaining("cannot be used with")]);
    const wrong = await project.run("edit", id, "--when", "npm publish");
    expect([wrong.exit, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("has no name before a colon"),
    ]);
    await project.run("edit", id, "--when", "none");
    expect((await only(project)).when).toBeUndefined();
  });

  it("shows what differs where that is not the lesson, as do show and restore", async () => {
    const project = await testProject({ lines: [VAT] });
    const was = "  when       path: src/billing/**";
    const asked = await project.run("edit", VAT.id, "--no-when", "--ask", "For which country?");
    expect(asked.stdout).toMatch(
      /^Was: .*\n {2}ask .*\n {2}when .*\nNow: .*\n {2}ask +For which country\?\nrestore/,
    );
    expect(asked.stdout).toContain(was);
    expect((await project.run("show", VAT.id)).stdout.split("older versions")[1]).toContain(was);
    expect(
      (await project.run("restore", VAT.id, "--yes")).stdout.split("Text to restore")[1],
    ).toContain(was);
    expect((await only(project)).when).toEqual(VAT.when);
    expect(
      (await project.run("show", VAT.id)).stdout.split("older versions")[0]?.match(/when /g),
    ).toHaveLength(1);
  });

  it("takes no blank word or question for one, and says how to take a question away", async () => {
    const project = await testProject({ lines: [VAT] });
    for (const [args, said] of [
      [["--word", ""], /^error .*--word .*is blank/],
      [["--word", "vat", "--word", " "], /^error .*--word .*is blank/],
      [["--ask", " "], /^error blank_field: --ask is blank.*\nfix: .*"none"/],
    ] as const) {
      expect(await project.run("edit", VAT.id, ...args), args.join(" ")).toMatchObject({
        exit: 1,
        stdout: "",
        stderr: expect.stringMatching(said),
      });
    }
    expect(await only(project)).toEqual(VAT);
  });

  it("corrects a principle, which keeps what it was made from and is found by", async () => {
    const principle = JSON.parse(
      principleLine("payment", "Read the table", { [VAT.id]: VAT.meta.created }),
    );
    principle.meta.cues = ["surcharge"];
    const project = await testProject({ lines: [VAT, principle] });
    await project.run("edit", principle.id, "--lesson", "Read the tax table of the country");
    const { type, meta } = await only(project);
    expect([type, meta.cues, Object.keys(meta.sources ?? {}).sort()]).toEqual([
      "principle",
      ["payment", "surcharge"],
      [VAT.id, principle.id].sort(),
    ]);
  });

  it("changes nothing without an option, a record, or the lesson as the reference says", async () => {
    const project = await testProject({ lines: [VAT, MET] });
    expect((await project.run("edit", VAT.id)).stderr).toContain("Nothing was said to change");
    expect((await project.run("edit", "ffffffff", "--lesson", "x")).stderr).toContain("not_found");
    const stale = await project.run("edit", `${VAT.id.slice(0, 8)}@0000`, "--lesson", "x");
    expect(stale.stderr).toMatch(/stale_reference: .*\n[\s\S]*Read the tax table first/);
    const tooLong = await project.run("edit", VAT.id, "--topic", "x".repeat(65));
    expect(tooLong).toMatchObject({ exit: 1, stderr: expect.stringContaining("over_limit") });
    expect(new Set(await project.lessons())).toEqual(new Set([VAT, MET]));
  });
});

describe("another topic", () => {
  it("gives a record a topic as it is spelt there, and restore the old one back", async () => {
    const project = await testProject({ lines: [VAT, MET] });
    const { stdout } = await project.run("edit", VAT.id, "--topic", "Auth");
    expect(stdout).toMatch(/Was: .*payment: [\s\S]*Now: .*auth: /);
    const moved = (await project.lessons()).find(({ lesson }) => lesson === VAT.lesson);
    expect(moved).toMatchObject({
      topic: "auth",
      ask_next_time: VAT.ask_next_time,
      when: VAT.when,
    });
    const refused = await project.run("restore", VAT.id);
    expect(refused).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("This replaces the present text"),
    });
    expect(refused.stdout).toMatch(
      /^Present text\n {2}auth, [\s\S]*\nText to restore\n {2}payment, /,
    );
    const restored = await project.run("restore", VAT.id, "--yes");
    expect(restored.stdout).toMatch(/^Restored: .*payment: .*\nTaken out: .*auth: /m);
    expect((await project.lessons()).map(({ topic }) => topic).sort()).toEqual(["auth", "payment"]);
    expect((await project.run("restore", VAT.id)).stdout).toContain("the memory has this already");
    const again = await project.run("restore", moved?.id ?? "");
    expect(again.stdout).toMatch(
      /^Retired again by the correction: .*payment: .*\nRestored: .*auth: /,
    );
    expect((await project.lessons()).map(({ topic }) => topic)).toEqual(["auth", "auth"]);
  });

  it("twice is undone by one restore, to either step, and leaves one lesson", async () => {
    const project = await testProject({ lines: [VAT] });
    const ids = [VAT.id];
    for (const topic of ["taxes", "customs"]) {
      await project.run("edit", ids.at(-1) ?? "", "--topic", topic);
      ids.push((await only(project)).id);
    }
    await project.run("restore", VAT.id, "--yes");
    expect(await only(project)).toMatchObject({ id: VAT.id, topic: VAT.topic });
    await project.run("restore", ids[2] ?? "", "--yes");
    expect(await only(project)).toMatchObject({ topic: "customs" });
    await project.run("restore", ids[1] ?? "", "--yes");
    expect(await only(project)).toMatchObject({ topic: "taxes" });
  });

  it("stays where it took the place of two lessons and one comes back, and is called a record", async () => {
    const project = await testProject({ lines: [VAT, MET] });
    await project.run("edit", VAT.id, "--topic", "auth");
    const moved = (await project.lessons()).find(({ lesson }) => lesson === VAT.lesson);
    const both = {
      ...moved,
      meta: { ...moved?.meta, sources: { ...moved?.meta.sources, [MET.id]: MET.meta.created } },
    };
    await project.write(".context/memory_log.jsonl", `${JSON.stringify(both)}\n`);
    const { stdout } = await project.run("restore", VAT.id);
    expect(stdout).toMatch(
      /^The lesson that took its place stays too: .*\nTo remove it: node .* forget \w+\nIt was also made from 1 lesson that/,
    );
    expect(await project.lessons()).toHaveLength(2);
  });

  it("is refused where another lesson is about the same already, and nothing is lost", async () => {
    const other = log({ topic: "auth", lesson: "Ask the tax office." });
    const project = await testProject({ lines: [VAT, other] });
    for (const change of [
      ["edit", VAT.id, "--topic", "auth"],
      ["edit", other.id, "--topic", "payment"],
    ]) {
      const { exit, stderr } = await project.run(...change);
      expect([exit, stderr]).toEqual([
        1,
        expect.stringMatching(/^error id_taken: .*nothing was changed: [\s\S]*forget /),
      ]);
    }
    expect((await project.lessons()).map(({ id }) => id).sort()).toEqual([VAT.id, other.id].sort());
  });

  it("spells the topic as it is given where no other lesson has it", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("edit", VAT.id, "--topic", "Payment");
    expect(await only(project)).toMatchObject({ topic: "Payment" });
  });
});
