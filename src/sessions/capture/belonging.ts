/** Decides whether a line belongs to the project: its working directory must be in a worktree of the project's repository. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { canonicalPath, isFolder, isWithin, pathOnDisk } from "../../ground/files/paths.ts";
import {
  gitRootOf,
  type Repository,
  repositoryAround,
  workingFolders,
} from "../../ground/project/repository.ts";
import type { Home } from "../consent/log-id.ts";

export interface Belonging {
  readonly isOurs: boolean;
  /** The top of the worktree, or the project's folder without git. For a folder of another project, that project's. */
  readonly worktree: string;
}

export class Folders {
  readonly #home: Home;
  readonly #repository: Repository | undefined;
  /** The current working folders. */
  readonly #folders: readonly string[];
  /** Earlier folders of the project, such as removed worktrees, or its folder before a move. */
  readonly #former: readonly string[];
  readonly #nested: Set<string>;
  readonly #known = new Map<string, Belonging>();

  constructor(home: Home, former: readonly string[], nested: readonly string[] = []) {
    this.#home = home;
    this.#repository = home.hasGit ? repositoryAround(home.folder) : undefined;
    this.#folders = this.#repository ? workingFolders(this.#repository) : [home.path];
    this.#former = former;
    this.#nested = new Set(nested);
  }

  /** Decides for a folder, and caches the result. */
  of(cwd: string): Belonging {
    const known = this.#known.get(cwd) ?? this.#look(cwd);
    this.#known.set(cwd, known);
    return known;
  }

  /** The current working folders and the former ones. */
  worktrees(): readonly string[] {
    return [...new Set([...this.#folders, ...this.#former])];
  }

  /** Tops of other repositories inside the project. Later captures need them after their folders are removed. */
  get nested(): readonly string[] {
    return [...this.#nested];
  }

  #look(named: string): Belonging {
    if (!isAbsolute(named)) {
      return { isOurs: false, worktree: named };
    }
    const cwd = pathOnDisk(named) ?? named;
    if (!isFolder(cwd)) {
      return this.#lookForMissing(cwd);
    }
    const path = canonicalPath(cwd);
    const repository = repositoryAround(path);
    if (!repository) {
      return this.#lookOutsideGit(path);
    }
    const isOurs = repository.common === this.#repository?.common;
    const { root: worktree } = repository;
    if (!isOurs && this.#isInside(worktree)) {
      this.#nested.add(worktree);
    }
    return { isOurs, worktree };
  }

  #isInside(worktree: string): boolean {
    const roots = [this.#home.folder, ...this.#former];
    return roots.some((root) => isWithin(root, worktree) && root !== worktree);
  }

  /** A project without git, or a working folder that only the repository's configuration contains. */
  #lookOutsideGit(path: string): Belonging {
    const around = this.#folders.find((folder) => isWithin(folder, path));
    const isBroken = this.#repository !== undefined && gitRootOf(path) !== undefined;
    return around === undefined || isBroken
      ? { isOurs: false, worktree: path }
      : { isOurs: true, worktree: around };
  }

  /** Decides for a removed folder: it belonged to the project if it was in a project folder, unless another repository was in between. */
  #lookForMissing(cwd: string): Belonging {
    const former = this.#former
      .filter((folder) => !existsSync(folder) && isWithin(folder, cwd))
      .sort(byLength)[0];
    if (former !== undefined) {
      return { isOurs: true, worktree: former };
    }
    const nested = this.nested.find((folder) => !existsSync(folder) && isWithin(folder, cwd));
    if (nested !== undefined) {
      return { isOurs: false, worktree: nested };
    }
    const nearest = nearestFolder(cwd);
    // On Windows, even the root can be missing, if the drive isn't connected.
    if (nearest === cwd) {
      return { isOurs: false, worktree: cwd };
    }
    const belonging = this.of(nearest);
    return belonging.isOurs ? belonging : { ...belonging, worktree: cwd };
  }
}

/** If one worktree is inside another, the inner one counts. */
const byLength = (a: string, b: string): number => b.length - a.length;

function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (!isFolder(folder) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
