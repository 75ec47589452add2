/** The only place where setup reads and writes the files of a project. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, parse, relative, sep } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { canonicalPath } from "../../ground/files/canonical-path.ts";
import { fileError, hasCode } from "../../ground/files/file-errors.ts";
import { nameBelow } from "../../ground/files/named-file.ts";
import { patiently } from "../../ground/files/patiently.ts";
import { isHomeOrRoot } from "../../ground/project/find-project.ts";
import { EXCLUDE, excludeFileOf } from "../../ground/project/git-exclude.ts";
import { gitRootOf } from "../../ground/project/git-root.ts";
import { LEADS_OUT } from "../../ground/project/leads-out.ts";
import { INCLUDES_AGENTS } from "../../lessons/hooks/digested.ts";

/** The files of one project, by their paths from its folder, with forward slashes. */
export class ProjectFiles {
  readonly folder: string;
  /** The git root, or the project's folder where there is no repository: nothing is written outside. */
  readonly root: string;

  /** @throws SentinelError `bad_place` for a folder that cannot be a project. */
  constructor(folder: string) {
    this.folder = canonicalPath(folder);
    this.root = gitRootOf(this.folder) ?? this.folder;
    if (isHomeOrRoot(this.folder))
      throw badPlace(`${this.folder} is the home folder or a root, not a project`);
    if (this.folder.split(sep).includes(".git")) throw badPlace(`${this.folder} belongs to git`);
  }

  exists(path: string): boolean {
    return isThere(join(this.folder, path));
  }

  /** The names of the files in a folder, no links; none where there is no such folder. */
  list(path: string): string[] {
    const all = this.exists(path) ? readdirSync(this.realPath(path), { withFileTypes: true }) : [];
    return all.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** Whether a name is the only one in a folder. */
  holdsOnly(folder: string, name: string): boolean {
    const names = tryOr(() => readdirSync(this.realPath(folder)), []);
    return names.length === 1 && names[0] === name;
  }

  isLink(path: string): boolean {
    return this.exists(path) && lstatSync(join(this.folder, path)).isSymbolicLink();
  }

  /** Whether a reader of a file also gets what stands in AGENTS.md, to which it may be a link. */
  includesAgents(path: string): boolean {
    if (path === "AGENTS.md" || !this.exists("AGENTS.md") || !this.exists(path)) return false;
    // The plan reads the file again, and reports what is wrong with it.
    return tryOr(
      () => this.isSame(path, "AGENTS.md") || INCLUDES_AGENTS.test(this.read(path) ?? ""),
      false,
    );
  }

  /** Whether two paths lead to the same file, for example through a link. */
  isSame(one: string, other: string): boolean {
    const real = (name: string) => canonicalPath(join(this.folder, name));
    return tryOr(() => real(one) === real(other), false);
  }

  /** The real place of a path, through links. @throws SentinelError `bad_place` when it lies outside the project's repository. */
  realPath(path: string): string {
    // The only file of git's own that may be written.
    if (path === EXCLUDE) return excludeFileOf(this.folder);
    let folder = join(this.folder, path);
    let rest = "";
    while (!existsSync(folder)) {
      if (isThere(folder)) throw badLink(path, "it is a link to nowhere");
      rest = join(parse(folder).base, rest);
      folder = dirname(folder);
    }
    const real = join(canonicalPath(folder), rest).replace(/[/\\]$/, "");
    const inside = relative(this.root, real).split(sep);
    if (inside[0] === ".." || inside.includes(".git")) throw badLink(path, LEADS_OUT.why);
    return real;
  }

  /** The text of a file; undefined when there is none. @throws SentinelError `bad_place` for a link out, `config_unreadable`. */
  read(path: string): string | undefined {
    const bytes = this.#bytesOf(path);
    try {
      return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      const fix = "Make it a text file in UTF-8, then run this again.";
      throw new SentinelError(
        "config_unreadable",
        "It was left alone: it cannot be read as text.",
        fix,
        { cause },
      );
    }
  }

  /** Like `read`, of a file that may be broken: what is not UTF-8 becomes U+FFFD. */
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

  /** Replaces a file through a link, keeping its mode, or makes it; a script can be run. @returns the folders that were made for it. */
  async write(path: string, text: string): Promise<string[]> {
    const target = this.realPath(path);
    const made: string[] = [];
    for (
      let folder = dirname(target);
      path !== EXCLUDE && !existsSync(folder);
      folder = dirname(folder)
    )
      made.push(nameBelow(this.folder, folder));
    try {
      mkdirSync(dirname(target), { recursive: true });
      const options = text.startsWith("#!") ? { mode: 0o755 } : {};
      await patiently(() => writeFileAtomic(target, text, options));
    } catch (error) {
      throw fileError(error, "write_failed", `${path} was left alone`);
    }
    return made;
  }

  /** Removes a file, or a folder and everything in it. */
  remove(path: string): void {
    try {
      const target = this.realPath(path);
      if (existsSync(target)) rmSync(target, { recursive: true, force: true });
    } catch (error) {
      throw fileError(error, "write_failed", `${path} was left alone`);
    }
  }

  /** Removes a folder that is empty and not git's, if this user may. */
  removeIfEmpty(path: string): void {
    if (path === "." || EXCLUDE.startsWith(`${path}/`)) return;
    const folder = this.realPath(path);
    if (existsSync(folder) && readdirSync(folder).length === 0)
      tryOr(() => rmdirSync(folder), undefined);
  }
}

/** Whether anything has that name, a broken link included; below a file nothing has. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    throw fileError(error, "read_failed", `${path} was left alone`);
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
