/**
 * Where a story happens: a home folder of its own with a project in it, in the system's temporary folder. No process of a
 * story sees the real home or the environment of whoever runs it.
 */
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Ended, runProcess } from "../support/run-process.ts";
import type { Place, Scenario } from "./scenario.ts";

/** The built server; stories never run the source. */
export const BIN = resolve("dist/cli.mjs");

export class World {
  readonly root: string;
  readonly home: string;
  readonly project: string;

  constructor(root: string, projectName: string) {
    this.root = root;
    this.home = join(root, "home");
    this.project = join(this.home, projectName);
  }

  static async make(project: string): Promise<World> {
    return new World(await realpath(await mkdtemp(join(tmpdir(), "sentinel-story-"))), project);
  }

  async furnish({ git, files }: Scenario["setup"]): Promise<void> {
    await mkdir(this.project, { recursive: true });
    for (const [path, text] of Object.entries(files)) await this.write(path, text);
    if (git) await this.git(["init", "--quiet", "--initial-branch=main"]);
  }

  /** A path as stories write it: `~/x` is in the home folder, everything else relative to the project. */
  path(name: string): string {
    return name.startsWith("~") ? join(this.home, name.slice(1)) : resolve(this.project, name);
  }

  /** How to start a process of the story there. */
  surroundings({ env = {}, cwd = "." }: Place): { env: Record<string, string>; cwd: string } {
    const { PATH = "", SystemRoot = "" } = process.env;
    const identity = { GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_DATE: "2026-11-01T09:00:00Z" };
    return {
      env: { PATH, HOME: this.home, USERPROFILE: this.home, ...(SystemRoot && { SystemRoot }), ...identity, ...env },
      cwd: this.path(cwd),
    };
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  async append(name: string, text: string): Promise<void> {
    await appendFile(this.path(name), text);
  }

  async git(args: readonly string[], folder = "."): Promise<Ended> {
    const who = ["-c", "user.name=Story", "-c", "user.email=story@example.com", "-c", "commit.gpgsign=false"];
    return runProcess("git", [...who, ...args], this.surroundings({ cwd: folder }));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
