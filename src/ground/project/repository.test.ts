import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { git, LAYOUTS, type Layout } from "../../../test/support/git-layouts.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { branchOf, refusalOf } from "./git.ts";
import { excludeFileOf } from "./git-files.ts";
import {
  namesProject,
  projectPath,
  type Repository,
  repositoryAround,
  workingFolders,
} from "./repository.ts";

const around = (folder: string) => repositoryAround(folder) as Repository;
const sorted = (folder: string) => workingFolders(around(folder)).sort();
const layouts = Object.entries<(home: string) => Layout>(LAYOUTS);

it.each(layouts)(
  "%s: the working folders, the name and the identity are the same from everywhere",
  async (_, make) => {
    const { folder, folders, project = folder } = make(realpathSync(testFolder()));
    const all = [...folders].sort();
    expect(projectPath(around(folder))).toBe(project);
    for (const other of folders) {
      expect(sorted(other), other).toEqual(all);
      expect(namesProject(project, other), other).toBe(true);
    }
    const ask = (...args: string[]) =>
      git(folder, "rev-parse", "--path-format=absolute", ...args).trim();
    expect(around(folder)).toMatchObject({
      own: ask("--git-dir"),
      common: ask("--git-common-dir"),
    });
    expect(excludeFileOf(folder)).toBe(ask("--git-path", "info/exclude"));
    expect(await branchOf(folder)).toBe(git(folder, "branch", "--show-current").trim());
    expect(await refusalOf(folder)).toBeUndefined();
    process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = "1";
    onTestFinished(() => {
      delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER;
    });
    expect(sorted(folder)).toEqual(all);
    expect(await refusalOf(folder)).toMatchObject({
      code: "git_refused",
      message: expect.stringContaining("dubious ownership"),
      fix: expect.stringMatching(/^git config --global --add safe\.directory \S+$/),
    });
  },
);

it("a copy with its repository is another project, and so is the repository above a submodule", () => {
  const home = realpathSync(testFolder());
  const { folder } = LAYOUTS.submodule(home);
  const above = dirname(dirname(folder));
  cpSync(above, join(home, "copy"), { recursive: true, verbatimSymlinks: true });
  expect(namesProject(folder, join(home, "copy", "libs", "lib"))).toBe(false);
  expect(namesProject(folder, above)).toBe(false);
  expect(workingFolders(around(above))).toEqual([above]);
});

it("keeps a worktree that is gone until git forgets it", () => {
  const { folder, folders } = LAYOUTS["linked worktree"](realpathSync(testFolder()));
  rmSync(folder, { recursive: true });
  const [main = ""] = folders;
  expect(workingFolders(around(main))).toEqual(folders);
  git(main, "worktree", "prune");
  expect(workingFolders(around(main))).toEqual([main]);
});

it("is not where .git is empty or leads nowhere, and only the second is refused", async () => {
  const [empty, broken] = [join(testFolder(), "a"), join(testFolder(), "b")];
  mkdirSync(join(empty, ".git"), { recursive: true });
  mkdirSync(broken);
  writeFileSync(join(broken, ".git"), "gitdir: ../.git/modules/lib\n");
  for (const folder of [empty, broken]) {
    expect(repositoryAround(folder)).toBeUndefined();
  }
  expect(await refusalOf(empty)).toBeUndefined();
  expect(await refusalOf(broken)).toMatchObject({
    code: "git_refused",
    fix: expect.stringContaining("git status"),
  });
});

it("with a configuration that git cannot read is refused, and not taken for a folder without git", async () => {
  const { folder } = LAYOUTS.plain(realpathSync(testFolder()));
  writeFileSync(join(folder, ".git", "config"), "[core\n");
  expect(await refusalOf(folder)).toMatchObject({
    code: "git_refused",
    message: expect.stringContaining("config"),
  });
});
