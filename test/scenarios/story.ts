/** A scenario under way: its project, its agents, and the values it has gathered. */
import { dirname, resolve } from "node:path";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { Project } from "../support/project.ts";
import { manifestOf, recordFromTheStart } from "../support/recorded.ts";
import { scratchFolder } from "../support/scratch.ts";
import { type Server, startServer } from "../support/server.ts";
import type { BundleMeasures } from "./bundle-step.ts";
import type { Place, Row, Scenario } from "./scenario.ts";
import { Values } from "./values.ts";

interface Start extends Place {
  readonly client?: string | undefined;
}

/** Where the clock of a project with a lesson stands when its story begins. */
const BEGINS = Date.parse("2026-11-20T12:00:00.000Z");
const CLOCK = resolve("test/support/clock.cjs");

export class Story {
  readonly bundles: BundleMeasures[] = [];
  readonly project: Project;
  readonly values: Values;
  readonly bin: string;
  readonly #setup: Scenario["setup"];
  readonly #agents = new Map<string, { agent: Server; start: Start }>();
  readonly #noise: string[] = [];
  #now = BEGINS;
  /** How much earlier it is in the story than outside of it, in ms. */
  #behind = Date.now() - BEGINS;
  /** Of the session log. */
  #folder: string | undefined;

  private constructor(project: Project, values: Values, setup: Scenario["setup"], bin: string) {
    this.project = project;
    this.values = values;
    this.bin = bin;
    this.#setup = setup;
  }

  static async begin({ setup, make }: Scenario, row: Row, bin: string): Promise<Story> {
    const project = new Project(scratchFolder(), setup.project);
    const values = new Values({ ...row, home: project.home, project: project.folder, bin }, make);
    await project.furnish(values.fill({ ...setup, args: [], env: {} }));
    const story = new Story(project, values, values.fill(setup), bin);
    if (setup.recorded) {
      await recordFromTheStart(project);
      values.set("record", dirname(await manifestOf(project)));
    }
    return story;
  }

  /** The agent of that name; one that has not been connected yet starts as the setup says. */
  async agent(name: string): Promise<Server> {
    return this.#agents.get(name)?.agent ?? this.connect(name, {});
  }

  async connect(name: string, start: Start): Promise<Server> {
    await this.#close(name);
    const client = start.client ?? this.#setup.client;
    const place = this.place(start);
    const agent = await startServer({ client, ...place, args: [this.bin, ...place.args] });
    this.#agents.set(name, { agent, start });
    return agent;
  }

  async restart(name: string): Promise<Server> {
    return this.connect(name, this.#agents.get(name)?.start ?? {});
  }

  /** In ms since 1970: the instant from which ages are reckoned. Processes run on from it. */
  get now(): number {
    return this.#now;
  }

  async later(ms: number): Promise<void> {
    this.#now += ms;
    this.#behind -= ms;
  }

  /** The session log of the project. */
  async record(redactor = eventRedactor()): Promise<EventStore> {
    this.#folder ??= dirname(await manifestOf(this.project));
    return jsonlEventStore({ folder: this.#folder, redactor, now: () => this.#now });
  }

  /** Where a process starts: as the setup says, but for what is said here. */
  place({ args, env, cwd }: Place): { args: string[]; env: Record<string, string>; cwd: string } {
    const usual = this.#setup;
    const surroundings = this.project.place(cwd ?? usual.cwd);
    return {
      args: args ?? usual.args ?? [],
      cwd: surroundings.cwd,
      env: { ...surroundings.env, ...(usual.recorded && this.#clock()), ...usual.env, ...env },
    };
  }

  /** Sends everyone home; returns what servers wrote to standard output besides messages. */
  async end(): Promise<readonly string[]> {
    await Promise.all([...this.#agents.keys()].map((name) => this.#close(name)));
    return this.#noise;
  }

  #clock(): Record<string, string> {
    return { NODE_OPTIONS: `--require ${CLOCK}`, STORY_CLOCK_BEHIND_MS: String(this.#behind) };
  }

  async #close(name: string): Promise<void> {
    const entry = this.#agents.get(name);
    if (!entry) {
      return;
    }
    this.#agents.delete(name);
    await entry.agent.end();
    this.#noise.push(...entry.agent.noise);
  }
}
