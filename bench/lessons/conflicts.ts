/**
 * How often two branches of a memory conflict under git's default driver, as on a hosting site that does not know `union`:
 * `npm run bench:conflicts`. Every merge is git's own, over files as the store writes them.
 */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { type Lesson, writeVersion } from "../../src/lessons/format/lesson.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { References } from "../../src/lessons/queries/references.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { sized } from "../support/sized.ts";
import { print, type Row, round } from "../support/table.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const TRIALS = sized(200, 1);
const NOW = Date.UTC(2027, 6, 1);
const COMPACTED = 10;

type Change = (snapshot: WorkingCopy, lessons: readonly Lesson[]) => void;

const folder = scratchFolder();
try {
  const rows: Row[] = [];
  for (const records of [50, 200]) {
    for (const [name, ours, theirs] of [
      ["1 add, 1 add", adds(1), adds(1)],
      ["3 adds, 3 adds", adds(3), adds(3)],
      [`compaction of ${COMPACTED}, 1 add`, compacts, adds(1)],
      [`compaction of ${COMPACTED}, 3 adds`, compacts, adds(3)],
    ] as const) {
      let conflicts = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        if (await conflict(records, trial, ours, theirs)) {
          conflicts++;
        }
      }
      rows.push({ records, branches: name, "conflicts, %": round((100 * conflicts) / TRIALS, 1) });
    }
  }
  print([{ title: `Conflicts of two branches, ${TRIALS} trials each`, rows }], values.json);
} finally {
  removeFolder(folder);
}

function adds(count: number): Change {
  return (snapshot, lessons) => {
    for (const { id: _, meta: __, when: ___, ...draft } of lessons.slice(0, count)) {
      saveLesson(snapshot, draft, {}, NOW);
    }
  };
}

function compacts(snapshot: WorkingCopy): void {
  const references = new References(snapshot);
  const sources = snapshot
    .lessons()
    .slice(0, COMPACTED)
    .map((line) => references.full(line));
  const principle = {
    type: "principle",
    topic: "bench",
    missing_context: "",
    lesson: "What ten lessons say.",
  } as const;
  saveLesson(snapshot, principle, { sources }, NOW);
}

async function conflict(
  records: number,
  trial: number,
  ours: Change,
  theirs: Change,
): Promise<boolean> {
  const { lessons } = realisticMemory(records + 6, trial + 1);
  const base = new WorkingCopy(
    parseFile(
      Buffer.from(
        lessons
          .slice(6)
          .map((lesson) => `${writeVersion(lesson)}\n`)
          .join(""),
      ),
    ).versions,
  );
  const sides = {
    base: () => {},
    ours: branch(ours, lessons.slice(0, 3)),
    theirs: branch(theirs, lessons.slice(3, 6)),
  };
  for (const [name, change] of Object.entries(sides)) {
    const memory = new WorkingCopy(base.lines());
    change(memory);
    const pruned = prune(memory, NOW).snapshot;
    await writeFile(join(folder, name), renderFile(pruned.lines(), []));
  }
  return (
    spawnSync("git", ["merge-file", "-p", "-q", "ours", "base", "theirs"], { cwd: folder })
      .status !== 0
  );
}

function branch(change: Change, lessons: readonly Lesson[]) {
  return (snapshot: WorkingCopy) => change(snapshot, lessons);
}
