/** What doctor finds in lessons: those that an old branch brings back. */
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { at, logId, logLine, principleLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const MEMORY = ".context/memory_log.jsonl";
const TEXT = "Pools: ask the database team";
const SOURCE = logLine("db", "Pool sizes", 9);
const ID = logId("db", "Pool sizes");
const COVERING = principleLine("db", TEXT, { [ID]: at(9) });
const DAYS = 24 * 181;
/** A save 181 days later drops the cover. */
const YOUNG = logLine("ui", "Colours", 9 + DAYS);

interface Found {
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly what: string;
  readonly fix: string;
}

const returned = async (project: Project): Promise<Found[]> =>
  ((await project.json("doctor")) as Found[]).filter(({ id }) => id === "returned");

it("explains a lesson that an old branch brings back, with the command that hides it", async () => {
  const project = await testRepository();
  await project.write(".context/.gitattributes", "memory_log.jsonl merge=union text\n");
  await project.write(MEMORY, `${SOURCE}\n`);
  await project.commit("a lesson");
  await project.git("branch", "old");
  await project.write(MEMORY, `${COVERING}\n`);
  await project.commit("a principle");
  await project.write(MEMORY, `${COVERING}\n${YOUNG}\n`);
  await project.run("add", "--topic", "ui", "--missing", "Fonts", "--lesson", "Use the system's");
  expect(await project.read(MEMORY)).not.toContain(ID);
  await project.commit("half a year later");
  expect(await returned(project)).toEqual([]);

  await project.git("checkout", "--quiet", "old");
  await project.write(MEMORY, `${SOURCE}\n${logLine("api", "Limits", 10)}\n`);
  await project.commit("an old branch");
  await project.git("checkout", "--quiet", "main");
  await project.git("merge", "--quiet", "-m", "merge", "old");
  const principle = (JSON.parse(COVERING) as { id: string }).id.slice(0, 8);
  expect((await project.run("diff", "HEAD^")).stdout).toContain(ID.slice(0, 8));
  const found = await returned(project);
  expect(found).toMatchObject([
    {
      area: "lessons",
      level: "note",
      what: expect.stringContaining(
        `${MEMORY}: ${principle} was made from ${ID.slice(0, 8)}, which an old branch brought back`,
      ),
      fix: expect.stringContaining(`forget ${ID.slice(0, 8)}`),
    },
  ]);
  expect(await project.run("check")).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("note returned: "),
  });

  await project.run("forget", ID);
  expect(await returned(project)).toEqual([]);
});
