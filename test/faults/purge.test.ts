/** A purge that is killed: no other lesson is lost, and the same command again removes the rest. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testProject } from "../support/in-test.ts";
import { at, log, toFile } from "../support/lines.ts";
import { runProcess } from "../support/run-process.ts";
import { WRITE_POINTS } from "./fault-points.ts";
import { BUNDLE } from "./support/server.ts";

const TRASH = ".context/.local/trash.jsonl";
const SECRET = log({ missing_context: "Who pays late", lesson: "It is Globex Holdings" });
const KEPT = log({ missing_context: "How the export starts", lesson: "Start it by hand" });
const MADE = log({
  type: "principle",
  missing_context: "",
  lesson: "A customer has terms of its own, exports start by hand",
  meta: {
    created: at(9),
    compacted_at: at(9),
    source_count: 2,
    sources: { [SECRET.id]: at(9), [KEPT.id]: at(9) },
    cues: ["late", "who"],
  },
});

describe("a purge that is killed", () => {
  it.each(WRITE_POINTS)(
    "at %s keeps the other lessons, and the same purge again removes the rest",
    async (point) => {
      const project = await testProject({ lines: [SECRET, KEPT] });
      await project.write("later.jsonl", toFile([MADE]));
      await project.run("import", "later.jsonl");
      const command = ["purge", SECRET.id, "--yes"];
      const env = { ...project.env, SENTINEL_TEST_FAULT: `kill ${point}` };
      const args = [join(BUNDLE, "cli.mjs"), "--project", project.folder, ...command];
      expect((await runProcess(process.execPath, args, { ...project.place(), env })).exit).toBe(
        "SIGKILL",
      );
      expect((await project.memory()) + (await project.read(TRASH))).toContain(KEPT.lesson);

      expect((await project.run(...command)).exit).toBe(0);
      expect(((await project.json("list")) as Lesson[]).map(({ id }) => id)).toEqual([MADE.id]);
      const left = (await project.memory()) + (await project.read(TRASH));
      expect(left).not.toMatch(/globex|late/i);
      expect(left).toContain(KEPT.lesson);
    },
  );
});
