/** One repository in each of the layouts that git knows, made with real git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Layout {
  /** The working folder in which people and agents work. */
  readonly folder: string;
  /** All working folders of the project. */
  readonly folders: readonly string[];
  /** What people call the project; absent if it is the working folder. */
  readonly project?: string;
}

const WHO = [
  "-c",
  "user.name=Dev",
  "-c",
  "user.email=dev@example.com",
  "-c",
  "protocol.file.allow=always",
];

/** By name: each makes its layout in an empty folder without links in its path. */
export const LAYOUTS = {
  plain: (home) => {
    const folder = repository(home, "app");
    return { folder, folders: [folder] };
  },
  "linked worktree": (home) => {
    const [main, folder] = [repository(home, "app"), join(home, "linked")];
    git(main, "worktree", "add", "-q", folder);
    return { folder, folders: [main, folder], project: main };
  },
  submodule: (home) => {
    const folder = submodule(home);
    return { folder, folders: [folder] };
  },
  "worktree of a submodule": (home) => {
    const [main, folder] = [submodule(home), join(home, "linked")];
    git(main, "worktree", "add", "-q", folder);
    return { folder, folders: [main, folder], project: main };
  },
  "sparse submodule": (home) => {
    const folder = submodule(home);
    git(folder, "sparse-checkout", "set", "src");
    git(folder, "worktree", "add", "-q", join(home, "linked"));
    return { folder, folders: [folder, join(home, "linked")] };
  },
  "sparse checkout": (home) => {
    const folder = repository(home, "app");
    git(folder, "sparse-checkout", "set", "src");
    return { folder, folders: [folder] };
  },
  "separate git folder": (home) => {
    const folder = join(home, "app");
    git(home, "init", "-q", "--separate-git-dir", join(home, "app.git"), folder);
    commit(folder);
    return { folder, folders: [folder] };
  },
  "separate git folder named .git": (home) => {
    const folder = join(home, "app");
    mkdirSync(join(home, "kept"));
    git(home, "init", "-q", "--separate-git-dir", join(home, "kept", ".git"), folder);
    commit(folder);
    return { folder, folders: [folder] };
  },
  "bare repository in the folder of its worktrees": (home) => {
    const container = bare(home, ".bare");
    writeFileSync(join(container, ".git"), "gitdir: ./.bare\n");
    const folder = join(container, "feature");
    return { folder, folders: [container, folder, join(container, "main")], project: container };
  },
  "bare repository without a .git beside it": (home) => {
    const container = bare(home, ".bare");
    const folder = join(container, "feature");
    return { folder, folders: [folder, join(container, "main")], project: container };
  },
  "bare repository of another name": (home) => {
    const container = bare(home, "shop.git");
    const folder = join(container, "feature");
    return {
      folder,
      folders: [folder, join(container, "main")],
      project: join(container, "shop.git"),
    };
  },
  "core.worktree": (home) => {
    const folder = repository(home, "app");
    mkdirSync(join(folder, "tree"));
    git(folder, "config", "core.worktree", "../tree");
    return { folder, folders: [folder, join(folder, "tree")] };
  },
} satisfies Record<string, (home: string) => Layout>;

export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", [...WHO, ...args], { cwd: folder, stdio: "pipe", encoding: "utf8" });
}

function commit(folder: string): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src", "a.ts"), "");
  git(folder, "add", "--all");
  git(folder, "commit", "-q", "-m", "start");
}

function repository(home: string, name: string): string {
  const folder = join(home, name);
  git(home, "init", "-q", "--initial-branch=main", folder);
  commit(folder);
  return folder;
}

function submodule(home: string): string {
  const [library, above] = [repository(home, "library"), repository(home, "above")];
  git(above, "submodule", "add", "-q", library, "libs/lib");
  git(above, "commit", "-q", "-m", "library");
  return join(above, "libs", "lib");
}

/** @returns the folder around the bare repository, which has two worktrees. */
function bare(home: string, name: string): string {
  const container = join(home, "shop");
  mkdirSync(container);
  git(home, "clone", "-q", "--bare", repository(home, "origin"), join(container, name));
  git(join(container, name), "worktree", "add", "-q", join(container, "main"), "main");
  git(join(container, name), "worktree", "add", "-q", join(container, "feature"));
  return container;
}
