/** Reads and writes the files of a project for setup. Nothing else in setup does. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, parse, posix, relative, sep } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { fileError, hasCode, patiently } from "../../ground/files/file-errors.ts";
import { canonicalPath } from "../../ground/files/paths.ts";
import { isHomeOrRoot } from "../../ground/project/find-project.ts";
import { EXCLUDE, excludeFileOf } from "../../ground/project/git-files.ts";
import { gitRootOf } from "../../ground/project/repository.ts";
import { LEADS_OUT } from "../../ground/project/small-text.ts";
import { INCLUDES_AGENTS } from "../../lessons/hooks/digested.ts";

/** The files of one project, by their paths from its folder, with forward slashes. */
export class ProjectFiles {
  readonly folder: string;
  /** The git root, or the project's folder without a repository. Nothing is written outside. */
  readonly root: string;

  /** @throws SentinelError `bad_place` for a folder that cannot be a project. */
  constructor(folder: string) {
    this.folder = canonicalPath(folder);
    this.root = gitRootOf(this.folder) ?? this.folder;
    if (isHomeOrRoot(this.folder)) {
      throw badPlace(`${this.folder} is the home folder or a root, not a project`);
    }
    if (this.folder.split(sep).includes(".git")) {
      throw badPlace(`${this.folder} belongs to git`);
    }
  }

  exists(path: string): boolean {
    return isThere(join(this.folder, path), path);
  }

  /** The names of the files in a folder, without links. */
  list(path: string): string[] {
    if (!this.exists(path)) {
      return [];
    }
    const entries = readdirSync(this.realPath(path), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** Whether a name is the only one in a folder. */
  holdsOnly(folder: string, name: string): boolean {
    const names = tryOr(() => readdirSync(this.realPath(folder)), []);
    return names.length === 1 && names[0] === name;
  }

  /** Whether a client that reads a file also gets AGENTS.md, by a link or an include. */
  includesAgents(path: string): boolean {
    if (path === "AGENTS.md" || !this.exists("AGENTS.md") || !this.exists(path)) {
      return false;
    }
    if (this.isSame(path, "AGENTS.md")) {
      return true;
    }
    // The plan reads the file again, and reports its error.
    return tryOr(() => INCLUDES_AGENTS.test(this.read(path) ?? ""), false);
  }

  /** Whether two paths lead to the same file, for example through a link. */
  isSame(one: string, other: string): boolean {
    const real = (path: string): string => canonicalPath(join(this.folder, path));
    return tryOr(() => real(one) === real(other), false);
  }

  /** Whether a path leads through a link, also through one to nowhere. */
  isLinked(path: string): boolean {
    return tryOr(() => this.realPath(path), undefined) !== join(this.folder, path);
  }

  /**
   * The real place of a path, through links.
   * @throws SentinelError `bad_place` if it's outside the project's repository.
   */
  realPath(path: string): string {
    // The only file of git itself that may be written.
    if (path === EXCLUDE) {
      return excludeFileOf(this.folder);
    }
    let existing = join(this.folder, path);
    let rest = "";
    while (!existsSync(existing)) {
      if (isThere(existing, path)) {
        throw badLink(path, "it is a link to nowhere");
      }
      rest = join(parse(existing).base, rest);
      existing = dirname(existing);
    }
    const real = join(canonicalPath(existing), rest).replace(/[/\\]$/, "");
    const inside = relative(this.root, real).split(sep);
    if (inside[0] === ".." || inside.includes(".git")) {
      throw badLink(path, LEADS_OUT.why);
    }
    return real;
  }

  /**
   * The text of a file without a byte-order mark, or undefined.
   * @throws SentinelError `bad_place` for a link out, `config_unreadable`, `read_failed`.
   */
  read(path: string): string | undefined {
    const bytes = this.#bytesOf(path);
    if (!bytes) {
      return undefined;
    }
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (cause) {
      const what = "It was left alone: it cannot be read as text.";
      const fix = "Make it a text file in UTF-8, then run this again.";
      throw new SentinelError("config_unreadable", what, fix, { cause });
    }
  }

  /** Like `read`, for a file that may be damaged: invalid bytes become U+FFFD. */
  readAsItIs(path: string): string | undefined {
    return this.#bytesOf(path)?.toString("utf8");
  }

  #bytesOf(path: string): Buffer | undefined {
    const target = this.realPath(path);
    try {
      return existsSync(target) ? readFileSync(target) : undefined;
    } catch (error) {
      throw fileError(error, "read_failed", `${path} was left alone`);
    }
  }

  /** Creates or replaces a file, also through a link. It keeps its mode. A new script is executable. */
  async write(path: string, text: string): Promise<void> {
    const target = this.realPath(path);
    const options = text.startsWith("#!") ? { mode: 0o755 } : {};
    try {
      mkdirSync(dirname(target), { recursive: true });
      patiently(() => writeFileAtomic.sync(target, text, options));
    } catch (error) {
      throw fileError(error, "write_failed", `${path} was left alone`);
    }
  }

  /** Removes a file, or a folder and everything in it. */
  remove(path: string): void {
    try {
      const target = this.realPath(path);
      if (existsSync(target)) {
        rmSync(target, { recursive: true, force: true });
      }
    } catch (error) {
      throw fileError(error, "write_failed", `${path} was left alone`);
    }
  }

  /** Removes the empty folders above a path, if this user may. Git's own folders stay. */
  removeEmptyAbove(path: string): void {
    const folder = posix.dirname(path);
    if (folder === "." || path === EXCLUDE) {
      return;
    }
    try {
      rmdirSync(this.realPath(folder));
    } catch {
      return;
    }
    this.removeEmptyAbove(folder);
  }
}

/** Whether anything has that name, even a broken link. @param named the path for an error. */
function isThere(path: string, named: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) {
      return false;
    }
    throw fileError(error, "read_failed", `${named} was left alone`);
  }
}

const badLink = (path: string, why: string): SentinelError =>
  new SentinelError("bad_place", `${path} was left alone: ${why}.`, LEADS_OUT.fix);

const badPlace = (why: string): SentinelError =>
  new SentinelError(
    "bad_place",
    `Nothing was written: ${why}.`,
    "Name the project's folder with --project DIR.",
  );
