/** A git repository in a scratch folder, with a home folder of its own, and the built command line to run in it. */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Ended, runProcess } from "./run-process.ts";

const BIN = resolve("dist/cli.mjs");

export class Repository {
  readonly folder: string;
  readonly #home: string;

  private constructor(home: string, folder: string) {
    this.#home = home;
    this.folder = folder;
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<Repository> {
    const home = await realpath(await mkdtemp(join(tmpdir(), "sentinel-setup-")));
    const repository = new Repository(home, join(home, "app"));
    await mkdir(repository.folder);
    await repository.git("init", "--quiet", "--initial-branch=main");
    await repository.write(".gitignore", "node_modules/\n");
    for (const [path, text] of Object.entries(files)) await repository.write(path, text);
    await repository.commit("start");
    return repository;
  }

  /** A clone with a home folder of its own. */
  static async cloneOf(remote: string): Promise<Repository> {
    const home = await realpath(await mkdtemp(join(tmpdir(), "sentinel-setup-")));
    const clone = new Repository(home, join(home, "app"));
    await mkdir(clone.folder);
    await clone.git("clone", "--quiet", remote, ".");
    return clone;
  }

  /** What a teammate gets, in a folder of its own. */
  async clone(...options: string[]): Promise<Repository> {
    const folder = join(this.#home, "clone");
    await this.git("clone", "--quiet", ...options, ".", folder);
    return new Repository(this.#home, folder);
  }

  async worktree(name: string): Promise<Repository> {
    const folder = join(this.#home, name);
    await this.git("worktree", "add", "--quiet", folder);
    return new Repository(this.#home, folder);
  }

  /** Has the package as npm install would leave it there. */
  async install(below = "."): Promise<void> {
    const modules = this.path(`${below}/node_modules`);
    await mkdir(modules, { recursive: true });
    await symlink(resolve("."), join(modules, "sentinel-memory"), "junction");
  }

  path(name: string): string {
    return resolve(this.folder, name);
  }

  get env(): Record<string, string> {
    const { PATH = "", SystemRoot = "" } = process.env;
    return { PATH, HOME: this.#home, USERPROFILE: this.#home, SystemRoot, GIT_CONFIG_NOSYSTEM: "1" };
  }

  async sentinel(args: readonly string[], below = "."): Promise<Ended> {
    return runProcess(process.execPath, [BIN, ...args], { env: this.env, cwd: this.path(below) });
  }

  /** @returns what git printed, and fails when it does. */
  async git(...args: string[]): Promise<string> {
    const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"];
    const { exit, stdout, stderr } = await runProcess("git", [...who, ...args], { env: this.env, cwd: this.folder });
    if (exit !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  async commit(message: string): Promise<void> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", message);
  }

  async push(message: string): Promise<void> {
    await this.commit(message);
    await this.git("push", "--quiet");
  }

  async pull(): Promise<void> {
    await this.git("pull", "--quiet", "--ff-only");
  }

  /** What git sees changed, a path a line; empty when nothing is. */
  async changes(): Promise<string> {
    return this.git("status", "--short", "--untracked-files=all");
  }

  async read(path: string): Promise<string> {
    return readFile(this.path(path), "utf8");
  }

  async write(path: string, text: string | Buffer): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  async remove(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}
