/** Lessons that name what left the working tree. */
import { expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { typing } from "../support/typing.ts";

const WHEN_WRITTEN = "2026-11-02T09:00:00Z";

const lesson = (text: string, at = WHEN_WRITTEN, more: object = {}): Lesson =>
  log({
    topic: "build",
    missing_context: `About: ${text}`,
    lesson: text,
    meta: { created: at },
    ...more,
  });

const GONE = lesson("Read `src/old.ts` first");
const SCRIPT = lesson("Call npm run gen:old before a release");
const WORD = lesson("Ask `makeOldThing` for it");
const PLACE = lesson("Look twice", WHEN_WRITTEN, { when: { paths: ["src/old.ts"] } });
const STAYS = [
  lesson("Read `src/new.ts`, and `docs/moved.md` too"),
  lesson("Never make a `src/example.ts`, as `makeExample` would in npm run example"),
  lesson("There was a `src/older.ts`, long ago", "2026-11-04T09:00:00Z"),
];

const commit = async (project: Project, day: string) => {
  await project.git("add", "--all");
  const env = { ...project.env, GIT_COMMITTER_DATE: `2026-11-${day}T08:00:00Z` };
  const { runProcess } = await import("../support/run-process.ts");
  const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
  await runProcess("git", [...who, "commit", "-qm", day], { cwd: project.folder, env });
};

/** Files that were there on the first day, and are not there on the third. */
async function agedProject(): Promise<Project> {
  const project = await testRepository();
  await project.git("update-ref", "-d", "HEAD");
  await project.write("package.json", JSON.stringify({ scripts: { "gen:old": "x", test: "y" } }));
  for (const path of ["src/old.ts", "src/older.ts", "src/new.ts", "docs/moved.md"]) {
    await project.write(path, "");
  }
  await project.write("src/use.ts", "makeOldThing();\n");
  await commit(project, "01");
  await project.git("rm", "-q", "src/old.ts", "src/older.ts", "src/use.ts");
  await project.write("package.json", JSON.stringify({ scripts: { test: "y" } }));
  await commit(project, "03");
  await project.write(".context/memory_log.jsonl", toFile([GONE, SCRIPT, WORD, PLACE, ...STAYS]));
  return project;
}

it("are marked in check and show, and offered in review, where git had it when they were written", async () => {
  const project = await agedProject();
  const { exit, stdout } = await project.run("check");
  expect(exit).toBe(0);
  const marked = [...stdout.matchAll(/note aged: (\w{8}) names (.*), which is gone/g)].map(
    ([, id, name]) => [id, name],
  );
  const short = ({ id }: Lesson) => id.slice(0, 8);
  expect(marked.sort()).toEqual(
    [
      [short(GONE), "src/old.ts"],
      [short(SCRIPT), "gen:old"],
      [short(WORD), "makeOldThing"],
      [short(PLACE), "src/old.ts"],
    ].sort(),
  );
  expect((await project.run("show", GONE.id)).stdout).toMatch(
    /aged +names src\/old\.ts, which is gone/,
  );
  expect((await project.run("show", STAYS[0]?.id ?? "")).stdout).not.toContain("aged");
  const offered = (await project.json("review")) as { id: string; of: string }[];
  expect(offered.map(({ of }) => of).sort()).toEqual(
    [GONE, SCRIPT, WORD, PLACE].map(({ id }) => id).sort(),
  );

  const [first] = offered;
  expect((await project.run("review", "--keep", first?.id ?? "")).stderr).toMatch(
    /^error bad_argument: .*\nfix: .*edit/,
  );
  await project.run("review", "--never", first?.id ?? "");
  expect(await project.json("review")).toHaveLength(3);
});

it.each(["NFC", "NFD"] as const)(
  "are marked in any script, with names in %s on the disk and in git",
  async (form) => {
    const project = await testRepository();
    await project.git("update-ref", "-d", "HEAD");
    await project.git("config", "core.quotePath", "true");
    const gone = ["src/결제/환불.ts", "文档/退款说明.md", "docs/café/résumé.md", "src/mixed/à.ts"];
    const stays = ["src/결제/영수증.ts", "docs/naïve.md"];
    for (const path of [...gone, ...stays]) {
      await project.write(path.normalize(form), "");
    }
    await project.write("src/use.ts", "calculerDéjàPayé(); 환불금액계산(); 환불_처리();\n");
    await project.write("src/still.ts", "환불_유지();\n");
    await commit(project, "01");
    for (const path of [...gone.map((one) => one.normalize(form)), "src/use.ts"]) {
      await project.git("rm", "-q", path);
    }
    await commit(project, "03");
    const named = [...gone, "calculerDéjàPayé", "환불금액계산", "환불_처리"];
    const texts = [
      `${gone[0]}를 먼저 본다`,
      `先看文档，\`${gone[1]}\`里有说明`,
      `Lire ${gone[2]} d'abord`,
      `Lire ${gone[3]?.normalize("NFD")} d'abord`,
      "Appeler `calculerDéjàPayé()`",
      "`환불금액계산()`을 부른다",
      "`환불_처리`를 부른다",
      ...stays.map((path) => `Voir ${path}`),
      "`환불_유지`를 부른다",
    ];
    await project.write(".context/memory_log.jsonl", toFile(texts.map((text) => lesson(text))));
    const { stdout } = await project.run("check");
    const marked = [...stdout.matchAll(/note aged: \w{8} names (.*), which is gone/g)].map(
      ([, name]) => name,
    );
    expect(marked.sort()).toEqual(named.map((name) => name.normalize("NFC")).sort());
  },
);

it("are corrected or forgotten by a person, and nothing is marked without a repository", async () => {
  const project = await agedProject();
  const shown = await typing(project, ["review"], {
    asked: /(?:q stop|The rule|u to undo):/g,
    answers: ["f", "e", "Look at it.", "n", "", "q"],
  });
  expect(shown).toContain("f forget it");
  const left = await project.lessons();
  expect(left).toHaveLength(6);
  expect(left.map(({ lesson: text }) => text)).toContain("Look at it.");
  await project.git("update-ref", "-d", "HEAD");
  expect((await project.run("check")).stdout).not.toContain("aged");
});
