/**
 * Changes one place of the source at a time and says which tests notice: `npx tsx scripts/mutants.ts [WING]`. It works on a copy of the
 * last commit. The list is test/mutants.json, the result a row of docs/evidence.md.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

interface Mutant {
  readonly wing: string;
  readonly file: string;
  /** The promise that the change breaks. */
  readonly breaks: string;
  readonly was: string;
  readonly is: string;
}

const VITEST = ["npx", "vitest", "run", "--bail", "1"];
const LONG = [...VITEST, "--config", "vitest.long.config.ts"];
/** The tests that see a wing first. The whole of `npm test` follows for those that survive these. */
const FIRST: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lessons: [],
  ground: [],
  app: [[...VITEST, "--project", "cli", "--project", "setup", "--project", "doctor"]],
  sessions: [[...VITEST, "--project", "cli"]],
  daemon: [[...LONG, "test/postgres", "test/daemon"]],
};
/** The unit tests that import a file. */
const unitTestsOf = (file: string) => [
  ...["npx", "vitest", "related", file, "--run", "--bail", "1"],
  ...["--project", "unit", "--passWithNoTests"],
];

const [wanted] = process.argv.slice(2);
const all: readonly Mutant[] = JSON.parse(readFileSync("test/mutants.json", "utf8"));
const copy = mkdtempSync(join(tmpdir(), "sentinel-mutants-"));
run(process.cwd(), ["git", "worktree", "add", "--detach", "--force", copy]);
symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
try {
  for (const mutant of all.filter(({ wing }) => !wanted || wing === wanted)) {
    console.log(`${noticedBy(mutant)}\t${mutant.file}\t${mutant.breaks}`);
  }
} finally {
  run(process.cwd(), ["git", "worktree", "remove", "--force", copy]);
}

/** The command that failed first, or "survived". */
function noticedBy({ wing, file, was, is }: Mutant): string {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(was).length !== 2) {
    return "not found";
  }
  writeFileSync(
    path,
    text.replace(was, () => is),
  );
  try {
    if (!run(copy, unitTestsOf(file))) {
      return "unit";
    }
    if (!run(copy, ["npm", "run", "build"]) || !run(copy, ["npm", "run", "build:test"])) {
      return "build";
    }
    for (const command of [...(FIRST[wing] ?? []), VITEST]) {
      if (!run(copy, command)) {
        return command.slice(VITEST.length).join(" ") || "npm test";
      }
    }
    return "survived";
  } finally {
    writeFileSync(path, text);
  }
}

/** Whether a command succeeds. */
function run(cwd: string, [program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { cwd, stdio: "ignore" }).status === 0;
}
