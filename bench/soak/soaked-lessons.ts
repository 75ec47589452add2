/** A project whose lessons are logged, forgotten, purged and merged for a while, by servers of which some are killed. */
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BIN, type Project } from "../../test/support/project.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { type Server, startServer } from "../../test/support/server.ts";
import { must } from "../support/recorded-sessions.ts";
import { SteppedClock } from "./stepped-clock.ts";

/** With more than this the older half is forgotten. */
const MANY = 200;
const LONGEST_SAVE = 300;

export class SoakedLessons {
  readonly done = {
    logs: 0,
    searches: 0,
    "servers killed": 0,
    "lessons purged": 0,
    "lessons forgotten": 0,
    merges: 0,
    "server's clock set": 0,
  };
  readonly #project: Project;
  readonly #server: Server;
  readonly #clock: SteppedClock;
  readonly #random = seeded("soaked lessons");
  /** By the gap that was acknowledged: the id. */
  readonly #kept = new Map<string, string>();
  /** Gaps of calls that nothing answered: there or not. */
  readonly #open = new Set<string>();
  readonly #gone = new Set<string>();
  #drawn = 0;

  private constructor(project: Project, server: Server, clock: SteppedClock) {
    this.#project = project;
    this.#server = server;
    this.#clock = clock;
  }

  static async start(project: Project): Promise<SoakedLessons> {
    await must(project, "init", "--agents", "vscode");
    await project.commit("set up");
    const clock = await SteppedClock.in(project.home, seeded("clock of the server"));
    return new SoakedLessons(project, await serverOn(project, clock.env), clock);
  }

  get pid(): number {
    return this.#server.pid;
  }

  async step(): Promise<void> {
    const act = pick(this.#random, [
      ...Array<() => Promise<void>>(12).fill(() => this.#log(this.#server)),
      ...Array<() => Promise<void>>(6).fill(() => this.#search()),
      () => this.#killASave(),
      () => this.#killASave(),
      () => this.#purge(),
      () => this.#merge(),
      () => this.#setClock(),
    ]);
    await act();
    if (this.#kept.size > MANY) {
      await this.#forget();
    }
  }

  /** @returns how many lessons that were acknowledged are missing, how many are there twice, how many that went are back. */
  async end() {
    await this.#server.end();
    const lessons: readonly { missing_context: string }[] = JSON.parse(
      await must(this.#project, "list", "--json"),
    );
    const gaps = lessons.map(({ missing_context }) => missing_context);
    const there = new Set(gaps);
    return {
      acknowledged: this.#kept.size + this.#gone.size,
      "to be there": this.#kept.size,
      lost: [...this.#kept.keys()].filter((gap) => !there.has(gap)).length,
      twice: gaps.length - there.size,
      back: [...this.#gone].filter((gap) => there.has(gap)).length,
    };
  }

  async #log(server: Server): Promise<void> {
    const gap = `Gap ${this.#drawn++} of the soak`;
    this.#open.add(gap);
    const topic = `topic ${this.#drawn % 7}`;
    const answer = await server.ask("log_memory", {
      topic,
      missing_context: gap,
      lesson: `Mind what ${gap} says`,
    });
    this.#open.delete(gap);
    this.#kept.set(gap, /\b[0-9a-f]{8}\b/.exec(answer)?.[0] ?? "");
    this.done.logs++;
  }

  async #search(): Promise<void> {
    await this.#server.ask("search_memory", {
      query: `gap ${Math.floor(this.#random() * this.#drawn)}`,
    });
    this.done.searches++;
  }

  /** The clock of this server is off by up to half a day. */
  async #killASave(): Promise<void> {
    const server = await serverOn(this.#project, SteppedClock.off(this.#random));
    const saves = [1, 2, 3].map(() => this.#log(server).catch(() => undefined));
    await sleep(this.#random() * LONGEST_SAVE);
    process.kill(server.pid, "SIGKILL");
    await Promise.all(saves);
    await server.end();
    this.done["servers killed"]++;
  }

  async #setClock(): Promise<void> {
    await this.#clock.step(this.pid);
    this.done["server's clock set"]++;
  }

  async #purge(): Promise<void> {
    const [gap, id] = pick(this.#random, [...this.#kept]) ?? [];
    if (gap === undefined || id === undefined) {
      return;
    }
    await must(this.#project, "purge", id, "--yes");
    this.#went([gap]);
    this.done["lessons purged"]++;
  }

  async #forget(): Promise<void> {
    const older = [...this.#kept].slice(0, MANY / 2);
    await must(this.#project, "forget", ...older.map(([, id]) => id), "--yes");
    this.#went(older.map(([gap]) => gap));
    this.done["lessons forgotten"] += older.length;
  }

  #went(gaps: readonly string[]): void {
    for (const gap of gaps) {
      this.#kept.delete(gap);
      this.#gone.add(gap);
    }
  }

  /** A teammate and this clone each log something, commit, and one pulls from the other. */
  async #merge(): Promise<void> {
    await this.#project.commit("before a branch");
    const clone = await this.#project.clone();
    const gap = `Gap ${this.#drawn++} of a teammate`;
    const added = await must(
      clone,
      "add",
      "--topic",
      "merged",
      "--missing",
      gap,
      "--lesson",
      `Mind what ${gap} says`,
    );
    await clone.commit("a teammate's lesson");
    await this.#log(this.#server);
    await this.#project.commit("a lesson here");
    await this.#project.git("pull", "--quiet", "--no-rebase", "--no-edit", clone.folder, "main");
    this.#kept.set(gap, /\b[0-9a-f]{8}\b/.exec(added)?.[0] ?? "");
    await rm(clone.folder, { recursive: true });
    this.done.merges++;
  }
}

function serverOn({ folder, env }: Project, clock: Record<string, string>): Promise<Server> {
  return startServer({
    args: [BIN, "--project", folder],
    env: { ...env, ...clock },
    client: "soak",
  });
}
