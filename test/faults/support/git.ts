/** A repository and its clones, each with a server on it; real git, with the `.gitattributes` that the server wrote. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { parseFile } from "../../../src/lessons/format/file-lines.ts";
import { fold, headsOf, type Snapshot } from "../../../src/lessons/merge/versions.ts";
import { References } from "../../../src/lessons/queries/references.ts";
import { testFolder } from "../../support/in-test.ts";
import { Project } from "../../support/project.ts";
import { removeFolder, scratchFolder } from "../../support/scratch.ts";
import { withServer } from "../../support/server.ts";
import { gapsOf } from "./memory.ts";
import { BUNDLE, type Conditions, FaultServer, gapNamed } from "./server.ts";

export interface Repository {
  /** What every clone begins with. */
  readonly gaps?: readonly string[];
  /** `union` is what the server sets up; `default` is git's own driver, which marks conflicts. */
  readonly driver?: "union" | "default";
  /** Lines end in CRLF wherever git may choose. */
  readonly crlf?: boolean;
}

export class Clone {
  readonly project: Project;
  readonly server: FaultServer;

  private constructor(project: Project, server: FaultServer) {
    this.project = project;
    this.server = server;
  }

  static async of(
    origin: string,
    name: string,
    conditions?: Conditions,
    crlf = false,
  ): Promise<Clone> {
    const project = new Project(testFolder(), name);
    execFileSync("git", ["clone", "-q", origin, project.folder], { stdio: "ignore" });
    const clone = new Clone(project, await FaultServer.start(project.folder, conditions));
    clone.git("config", "user.name", name);
    clone.git("config", "user.email", `${name}@example.org`);
    clone.git("config", "core.autocrlf", String(crlf));
    return clone;
  }

  /** Runs git; throws when it fails. */
  git(...args: readonly string[]): string {
    return execFileSync("git", ["-C", this.project.folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Runs git; says whether it went through. */
  tryGit(...args: readonly string[]): boolean {
    try {
      this.git(...args);
      return true;
    } catch {
      return false;
    }
  }

  async log(...gaps: readonly string[]): Promise<void> {
    for (const gap of gaps) {
      await this.server.mustLog(gap);
    }
  }

  /** Summarises what shows under these texts; those that do not show are passed over. */
  async compact(principle: string, ...gaps: readonly string[]): Promise<void> {
    const snapshot = await this.snapshot();
    const references = new References(snapshot);
    const lines = snapshot
      .lessons()
      .filter(({ version }) => gaps.includes(version.missing_context || version.lesson));
    expect(
      await this.server.compact(
        principle,
        lines.map((line) => references.full(line)),
      ),
    ).toMatchObject({ code: undefined });
  }

  /** Forgets what shows under a text, as a person does on the command line. */
  async forget(gap: string): Promise<void> {
    const snapshot = await this.snapshot();
    const line = snapshot
      .lessons()
      .find(({ version }) => (version.missing_context || version.lesson) === gap);
    const cli = [join(BUNDLE, "cli.mjs"), "--project", this.project.folder];
    if (line) {
      execFileSync(process.execPath, [...cli, "forget", "--yes", line.version.id], {
        stdio: "ignore",
      });
    }
  }

  commit(message = "memory"): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  /** Commits, and merges another clone's branch into this one's; says whether there was no conflict. */
  merge(other: Clone): boolean {
    this.fetch(other);
    return this.tryGit("merge", "-q", "--no-edit", "FETCH_HEAD");
  }

  /** Makes another clone's last commit known here, as FETCH_HEAD. */
  fetch(other: Clone): void {
    this.git("fetch", "-q", other.project.folder, "HEAD");
  }

  async snapshot(): Promise<Snapshot> {
    return fold(parseFile(await readFile(this.project.file)).versions);
  }

  /** The texts that show. */
  async shown(): Promise<string[]> {
    return gapsOf(await this.snapshot()).toSorted();
  }

  /** Whether the file is as a write leaves it: no marker, no blemish, no version that is not needed. */
  /** @param inTwo how many lessons are there in two versions, because neither knew the other; any number unless it says. */
  async expectClean(inTwo?: number): Promise<void> {
    const text = await readFile(this.project.file, "utf8");
    expect(text).not.toMatch(/^[<=>|]{7}|\r|^\ufeff|^\s*$\n/m);
    const ids = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id as string);
    expect(ids).toEqual(ids.toSorted());
    if (inTwo !== undefined) {
      expect(ids.length - new Set(ids).size).toBe(inTwo);
    }
    for (const [, versions] of (await this.snapshot()).groups()) {
      expect(headsOf(versions)).toHaveLength(versions.length);
    }
    expect(this.git("status", "--porcelain", "-uall")).not.toMatch(/lock|staging|\.local/);
  }
}

/** A bare repository that has a memory already, made once for the tests of a file or of a `describe` block. */
export function useOrigin(repository: Repository): Origin {
  const origin = new Origin(repository);
  beforeAll(() => origin.fill());
  afterAll(() => origin.remove());
  return origin;
}

export class Origin {
  readonly driver: "union" | "default";
  readonly #repository: Repository;
  readonly #home = scratchFolder();

  constructor(repository: Repository) {
    this.#repository = repository;
    this.driver = repository.driver ?? "union";
  }

  get #path(): string {
    return join(this.#home, "origin.git");
  }

  /** Fills it by a clone, with what the server writes there. */
  async fill(): Promise<void> {
    const { gaps = ["base"], crlf = false } = this.#repository;
    const first = new Project(this.#home, "base");
    await first.furnish({});
    await first.git("init", "-q", "--bare", this.#path);
    await first.git("clone", "-q", this.#path, ".");
    await first.git("config", "core.autocrlf", String(crlf));
    await withServer(first.server(), async (server) => {
      for (const gap of gaps) {
        await server.ask("log_memory", gapNamed(gap));
      }
    });
    if (this.driver === "default") {
      await first.write(".context/.gitattributes", crlf ? "* text=auto\n" : "");
    }
    await first.push("base");
  }

  /** Clones of it, each with a server on it; they go with the test. */
  clones(names: readonly string[], conditions: readonly Conditions[] = []): Promise<Clone[]> {
    const { crlf = false } = this.#repository;
    return Promise.all(
      names.map((name, index) => Clone.of(this.#path, name, conditions[index], crlf)),
    );
  }

  remove(): void {
    removeFolder(this.#home);
  }
}
