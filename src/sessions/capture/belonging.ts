/** Whether a line belongs to the project: its own working directory, which may change half-way, lies in a worktree of the project's repository. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { composed } from "../../ground/core/text.ts";
import { isFolder, isWithin, pathOnDisk } from "../../ground/files/named-file.ts";
import { git, linesOf, worktreesOf } from "../../ground/project/git.ts";
import { type Home, homeOf } from "../consent/log-id.ts";

export interface Belonging {
  readonly isOurs: boolean;
  /** The top of its worktree; without git the project's folder. Of a folder that is not ours, the other project's. */
  readonly worktree: string;
}

export class Folders {
  readonly #home: Home;
  /** Folders that were the project's, as long as anybody remembers: a worktree is removed, a project is moved. */
  readonly #former: readonly string[];
  readonly #nested: Set<string>;
  readonly #known = new Map<string, Promise<Belonging>>();

  constructor(home: Home, former: readonly string[], nested: readonly string[] = []) {
    this.#home = home;
    this.#former = former;
    this.#nested = new Set(nested);
  }

  /** Asks git once for each folder. */
  of(cwd: string): Promise<Belonging> {
    const known = this.#known.get(cwd) ?? this.#look(cwd);
    this.#known.set(cwd, known);
    return known;
  }

  /** The worktrees there are now, and those that were. */
  async worktrees(): Promise<readonly string[]> {
    const listed = this.#home.hasGit ? await worktreesOf(this.#home.folder) : undefined;
    return [...new Set([...(listed ?? [this.#home.path]), ...this.#former])];
  }

  /** What a later capture has to know of repositories inside the project. */
  get nested(): readonly string[] {
    return [...this.#nested];
  }

  async #look(named: string): Promise<Belonging> {
    if (!isAbsolute(named)) return { isOurs: false, worktree: named };
    const cwd = pathOnDisk(named) ?? named;
    if (!isFolder(cwd)) return this.#lookForMissing(cwd);
    const { path, hasGit } = await homeOf(cwd);
    if (!hasGit && !this.#home.hasGit && isWithin(this.#home.path, path))
      return { isOurs: true, worktree: this.#home.path };
    if (!hasGit) return { isOurs: false, worktree: path };
    const { text } = await git(cwd, "rev-parse", "--show-toplevel");
    const isOurs = this.#home.hasGit && composed(path) === composed(this.#home.path);
    const worktree = linesOf(text)[0] ?? path;
    if (!isOurs && [this.#home.folder, ...this.#former].some((root) => isWithin(root, worktree) && root !== worktree))
      this.#nested.add(worktree);
    return { isOurs, worktree };
  }

  /** A folder that is gone was ours if it lay in a folder that is or was, unless another repository stood between. */
  async #lookForMissing(cwd: string): Promise<Belonging> {
    const former = this.#former.filter((folder) => !existsSync(folder) && isWithin(folder, cwd)).sort(byLength)[0];
    if (former !== undefined) return { isOurs: true, worktree: former };
    const nested = this.nested.find((folder) => !existsSync(folder) && isWithin(folder, cwd));
    if (nested !== undefined) return { isOurs: false, worktree: nested };
    const belonging = await this.of(nearestFolder(cwd));
    return belonging.isOurs ? belonging : { ...belonging, worktree: cwd };
  }
}

/** Where two worktrees lie in each other, the inner one counts. */
const byLength = (a: string, b: string): number => b.length - a.length;

function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (!isFolder(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
