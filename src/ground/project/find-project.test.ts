import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { SentinelError } from "../core/errors.ts";
import { findProject } from "./find-project.ts";

let base: string;
const savedHome = process.env.HOME;

beforeEach(() => {
  base = testFolder();
  for (const folder of [
    "home/loose",
    "home/repo/.git",
    "home/repo/packages/shop/src",
    "home/other/.git",
  ]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  process.env.HOME = join(base, "home");
});
afterEach(() => {
  process.env.HOME = savedHome;
});

const at = (folder: string) => join(base, "home", folder);
const find = (cwd: string, env: Record<string, string> = {}, flag?: string) =>
  findProject({ cwd: at(cwd), env, flag }).folder;
const remember = (folder: string) => {
  mkdirSync(join(at(folder), ".context"), { recursive: true });
  writeFileSync(join(at(folder), ".context/memory_log.jsonl"), "");
};

describe("the project is", () => {
  it("what --project says, before all else", () => {
    expect(find("repo", { SENTINEL_PROJECT: at("other") }, at("loose"))).toBe(at("loose"));
  });

  it("what --project says, be it the home folder: only the search passes that over", () => {
    expect(find("repo", {}, at(""))).toBe(join(base, "home"));
  });

  it("what SENTINEL_PROJECT says, when --project came unexpanded or empty", () => {
    expect(find("repo", { SENTINEL_PROJECT: at("other") }, "${workspaceFolder}")).toBe(at("other"));
    expect(find("repo", { SENTINEL_PROJECT: at("other") }, "")).toBe(at("other"));
  });

  it("the git root of where it was started, also from a subfolder", () => {
    expect(find("repo/packages/shop/src")).toBe(at("repo"));
  });

  it("the nearest memory, in a package of a monorepo", () => {
    remember("repo/packages/shop");
    expect(find("repo/packages/shop/src")).toBe(at("repo/packages/shop"));
  });

  it("never a memory beyond the git root", () => {
    remember("");
    expect(find("repo/packages")).toBe(at("repo"));
  });

  it("a worktree's own root", () => {
    mkdirSync(at("tree"));
    writeFileSync(join(at("tree"), ".git"), "gitdir: elsewhere");
    expect(find("tree")).toBe(at("tree"));
  });

  it("where Claude Code was launched, before the working directory", () => {
    expect(find("repo", { CLAUDE_PROJECT_DIR: at("other") })).toBe(at("other"));
    expect(find("repo", { CLAUDE_PROJECT_DIR: at("gone") })).toBe(at("repo"));
  });

  it("a copy's own, for a command that somebody types outside of it", () => {
    const build = join(at("repo"), ".context/server");
    const own = (cwd: string, env: Record<string, string> = {}, flag?: string) =>
      findProject({ cwd: at(cwd), env, flag, build }).folder;
    expect(own("loose")).toBe(at("repo"));
    expect(own("other")).toBe(at("repo"));
    expect(own("")).toBe(at("repo"));
    remember("repo/packages/shop");
    expect(own("repo/packages/shop/src")).toBe(at("repo/packages/shop"));
    expect(own("loose", {}, at("other"))).toBe(at("other"));
    expect(own("loose", { CLAUDE_PROJECT_DIR: at("other") })).toBe(at("other"));
  });

  it("the only workspace folder, when started at home or in no project", () => {
    expect(find("", { WORKSPACE_FOLDER_PATHS: at("repo") })).toBe(at("repo"));
    expect(find("loose", { WORKSPACE_FOLDER_PATHS: at("repo") })).toBe(at("repo"));
    expect(find("other", { WORKSPACE_FOLDER_PATHS: at("repo") })).toBe(at("other"));
    expect(find("loose", { WORKSPACE_FOLDER_PATHS: `${at("repo")},${at("other")}` })).toBe(
      at("loose"),
    );
  });

  it("the folder itself, without a repository or a memory around it", () => {
    expect(find("loose")).toBe(at("loose"));
  });

  it("never the home folder, though it is a repository", () => {
    mkdirSync(at(".git"));
    expect(find("loose")).toBe(at("loose"));
    expect(() => find("")).toThrow(SentinelError);
  });

  it("never the home folder through a link", () => {
    symlinkSync(join(base, "home"), join(base, "link"));
    expect(() => findProject({ cwd: join(base, "link"), env: {} })).toThrow(/home folder/);
  });

  it("an error where the folder that was named does not exist", () => {
    expect(() => find("repo", {}, at("gone"))).toThrow(/not a folder/);
    expect(() => find("repo", { SENTINEL_PROJECT: at("gone") })).toThrow(/SENTINEL_PROJECT/);
  });
});
