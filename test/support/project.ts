/** A project in a scratch folder, in a home folder of its own, and the built command line to run in it. */
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseFile } from "../../src/lessons/format/file-lines.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { WorkingCopy } from "../../src/lessons/merge/versions.ts";
import { newestFirst } from "../../src/lessons/queries/lesson-ranking.ts";
import { toFile } from "./lines.ts";
import { type Ended, runProcess } from "./run-process.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

/** The built server and command line. */
export const BIN = resolve("dist/cli.mjs");

const MEMORY = ".context/memory_log.jsonl";

/** What is there from the start. */
export interface Furniture {
  /** Whether it is a git repository, with nothing committed. */
  readonly git?: boolean;
  /** The lines of its memory; without, it has none. */
  readonly lines?: readonly (Lesson | string)[];
  readonly files?: Readonly<Record<string, string>>;
}

/** How a process is started. */
export interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export class Project {
  readonly home: string;
  readonly folder: string;

  /** @param name the project's folder in the home folder. */
  constructor(home: string, name = "app") {
    this.home = home;
    this.folder = join(home, name);
  }

  /** One that its caller removes; tests have `testProject`, which does that by itself. */
  static async make(furniture: Furniture = {}): Promise<Project> {
    const project = new Project(scratchFolder());
    await project.furnish(furniture);
    return project;
  }

  async furnish({ git = false, lines, files = {} }: Furniture): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await this.write(path, text);
    }
    if (lines) {
      await this.write(MEMORY, toFile(lines));
    }
    if (git) {
      await this.git("init", "--quiet", "--initial-branch=main");
    }
  }

  async furnishRepository(files: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.furnish({ git: true, files: { ".gitignore": "node_modules/\n", ...files } });
    await this.commit("start");
  }

  /** A git repository whose files are committed, that its caller removes. */
  static async repository(files?: Readonly<Record<string, string>>): Promise<Project> {
    const project = new Project(scratchFolder());
    await project.furnishRepository(files);
    return project;
  }

  /** What a teammate gets, in a folder beside this one. */
  async clone(...options: string[]): Promise<Project> {
    const clone = new Project(this.home, "clone");
    await this.git("clone", "--quiet", ...options, ".", clone.folder);
    return clone;
  }

  async worktree(name: string): Promise<Project> {
    const worktree = new Project(this.home, name);
    await this.git("worktree", "add", "--quiet", worktree.folder);
    return worktree;
  }

  /** The same again in another home folder, with all that is in this one. */
  async copyTo(home: string): Promise<Project> {
    await cp(this.home, home, { recursive: true, verbatimSymlinks: true });
    return new Project(home, basename(this.folder));
  }

  /** Has the package as npm install would leave it there. */
  async install(below = "."): Promise<void> {
    const modules = this.path(`${below}/node_modules`);
    await mkdir(modules, { recursive: true });
    await symlink(resolve("."), join(modules, "sentinel-memory"), "junction");
  }

  get context(): string {
    return this.path(".context");
  }

  /** The memory file. */
  get file(): string {
    return this.path(MEMORY);
  }

  /** `~/x` is in the home folder, everything else relative to the project. */
  path(name: string): string {
    return name.startsWith("~") ? join(this.home, name.slice(1)) : resolve(this.folder, name);
  }

  async read(path: string): Promise<string> {
    return readFile(this.path(path), "utf8");
  }

  /** The text of the memory file. */
  async memory(): Promise<string> {
    return this.read(MEMORY);
  }

  /** The lessons that the memory file tells, the last written first, without starting the program. */
  async lessons(): Promise<Lesson[]> {
    const { versions } = parseFile(await readFile(this.file));
    const lines = [...new WorkingCopy(versions).lessons()];
    return lines.sort(newestFirst).map(({ version }) => version);
  }

  async write(path: string, text: string | Buffer): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  async append(path: string, text: string): Promise<void> {
    await appendFile(this.path(path), text);
  }

  /** What a process sees of the surroundings: neither the real home nor the environment of the person who runs it. */
  get env(): Record<string, string> {
    const { PATH = "", SystemRoot = "" } = process.env;
    const home = { HOME: this.home, USERPROFILE: this.home, ...(SystemRoot && { SystemRoot }) };
    return { PATH, ...home, GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_DATE: "2026-11-01T09:00:00Z" };
  }

  /** Where a process starts that is started below. */
  place(below = "."): Place {
    return { cwd: this.path(below), env: this.env };
  }

  /** How an agent starts the server of this project. @param client the name that it gives itself. */
  server(client = "test"): { client: string; args: string[]; env: Record<string, string> } {
    return { client, args: [BIN, "--project", this.folder], env: this.env };
  }

  /** Runs the command line in a folder below, as a person would. */
  async sentinel(args: readonly string[], below = "."): Promise<Ended> {
    return runProcess(process.execPath, [BIN, ...args], this.place(below));
  }

  /** Runs a command on this project, by its name. */
  async run(...args: readonly string[]): Promise<Ended> {
    return this.sentinel(["--project", this.folder, ...args]);
  }

  /** Runs a command on this project that reads its standard input. */
  async runWith(stdin: string, ...args: readonly string[]): Promise<Ended> {
    const all = [BIN, "--project", this.folder, ...args];
    return runProcess(process.execPath, all, { ...this.place(), stdin });
  }

  /** Runs a command that prints JSON. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse((await this.run(...args, "--json")).stdout);
  }

  /** @returns what git printed; fails when git does. */
  async git(...args: string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.tryGit(args);
    if (exit !== 0) {
      throw new Error(`git ${args.join(" ")}: ${stderr}`);
    }
    return stdout;
  }

  async tryGit(args: readonly string[], below = "."): Promise<Ended> {
    const who = [
      "-c",
      "user.name=Dev",
      "-c",
      "user.email=dev@example.com",
      "-c",
      "commit.gpgsign=false",
    ];
    return runProcess("git", [...who, ...args], this.place(below));
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

  /** Removes the home folder with everything in it. */
  remove(): void {
    removeFolder(this.home);
  }
}
