/** Notes that wait for a review, while eight processes find, refuse and keep them and some are killed. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { BUNDLE } from "./support/server.ts";

interface Offered {
  readonly id: string;
  readonly lesson: string;
}

const WRITERS = 8;
const EACH = 5;
const PLACES = Array.from({ length: WRITERS }, (_, at) => `part${at}`);
const RULE = (place: string, at: number) => `Never edit \`src/${place}/f${at}.ts\` by hand`;

/** A repository whose parts have rules each. */
async function projectWithRules(): Promise<Project> {
  const files = PLACES.flatMap((place) => [
    ...Array.from({ length: EACH }, (_, at) => [`src/${place}/f${at}.ts`, ""]),
    [
      `src/${place}/AGENTS.md`,
      Array.from({ length: EACH }, (_, at) => `- ${RULE(place, at)}\n`).join(""),
    ],
  ]);
  return testRepository(Object.fromEntries(files));
}

const run = (project: Project, args: readonly string[], fault = "") => {
  const { cwd, env } = project.place();
  return runProcess(process.execPath, [join(BUNDLE, "cli.mjs"), ...args], {
    cwd,
    env: { ...env, ...(fault && { SENTINEL_TEST_FAULT: fault }) },
  });
};
const offered = async (project: Project) => (await project.json("review", "--json")) as Offered[];

describe("eight processes, some of them killed", () => {
  it("lose no note that was acknowledged, and bring back none that was refused", async () => {
    const project = await projectWithRules();
    const killed = await run(project, ["import", "--from", "rules"], "kill renamed");
    expect(killed.exit).toBe("SIGKILL");
    // It was flushed before the kill; its lock belongs to a dead process.
    await Promise.all(
      Array.from({ length: WRITERS }, () => run(project, ["import", "--from", "rules"])),
    );
    const all = await offered(project);
    expect(all.map(({ lesson }) => lesson).sort()).toEqual(
      PLACES.flatMap((place) => Array.from({ length: EACH }, (_, at) => RULE(place, at))).sort(),
    );

    const mine = all.filter((_, at) => at < WRITERS * 2);
    const refusals = await Promise.all(
      mine.map(async ({ id }, at) => {
        if (at >= WRITERS) {
          return run(project, ["import", "--from", "rules"]);
        }
        const fault = at % 4 === 3 ? "kill renamed" : "";
        return { id, ...(await run(project, ["review", "--never", id], fault)) };
      }),
    );
    const decided = refusals.flatMap((ended) =>
      "id" in ended && ended.exit === 0 ? [ended.id] : [],
    );
    expect(decided).toHaveLength(6);
    await run(project, ["import", "--from", "rules"]);
    const left = (await offered(project)).map(({ id }) => id);
    expect(left.filter((id) => decided.includes(id))).toEqual([]);
    // A refusal that was killed may count; every other note is there.
    const unclear = refusals.flatMap((ended) =>
      "id" in ended && ended.exit !== 0 ? [ended.id] : [],
    );
    for (const { id } of all) {
      if (![...decided, ...unclear].includes(id)) {
        expect(left).toContain(id);
      }
    }
  });

  it("keep each as one lesson, also where a process is killed between the lesson and its note", async () => {
    const project = await projectWithRules();
    await run(project, ["import", "--from", "rules"]);
    const all = (await offered(project)).slice(0, WRITERS);
    const ended = await Promise.all(
      all.map(({ id }, at) =>
        run(project, ["review", "--keep", id], at % 4 === 3 ? "kill unlocking" : ""),
      ),
    );
    expect(ended.filter(({ exit }) => exit === "SIGKILL")).toHaveLength(2);
    const lessons = (await project.json("list")) as Lesson[];
    expect(lessons.map(({ lesson }) => lesson).sort()).toEqual(
      all.map(({ lesson }) => lesson).sort(),
    );
    const left = (await offered(project)).map(({ id }) => id);
    expect(left.filter((id) => all.some((one) => one.id === id))).toEqual([]);
  });
});
