import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { configFolders } from "./config-folders.ts";

let folder: string;

beforeEach(() => {
  folder = testFolder();
});

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=D", "-c", "user.email=d@e", ...args], { stdio: "pipe" });
const ofProject = (project: string) => configFolders(project, "/config").ofProject;

describe("the folders of a person's own settings", () => {
  it("are one for all projects and one at the project's path", () => {
    expect(configFolders(folder, "/config")).toEqual({
      general: "/config",
      ofProject: join("/config/projects", folder),
    });
  });

  it("are those of the platform unless another is named", () => {
    expect(configFolders(folder).general).toMatch(/sentinel-memory/);
  });

  it("have a drive's letter in place of the drive", () => {
    expect(ofProject("C:/Users/you/shop")).toBe(join("/config/projects", "C/Users/you/shop"));
  });

  it("are the same in every worktree of a repository, and in its packages", () => {
    const [main, other] = [join(folder, "main"), join(folder, "other")];
    git("init", "-q", main);
    git("-C", main, "commit", "-q", "--allow-empty", "-m", "start");
    git("-C", main, "worktree", "add", "-q", other);
    mkdirSync(join(other, "packages/api"), { recursive: true });
    expect(ofProject(main)).toBe(join("/config/projects", main));
    expect(ofProject(other)).toBe(join("/config/projects", main));
    expect(ofProject(join(other, "packages/api"))).toBe(
      join("/config/projects", main, "packages/api"),
    );
  });

  it("are the folder's own where a .git file leads nowhere, as in a submodule", () => {
    writeFileSync(join(folder, ".git"), "gitdir: ../.git/modules/lib\n");
    expect(ofProject(folder)).toBe(join("/config/projects", folder));
  });
});
