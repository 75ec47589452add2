/** A scenario under way: its world, its agents, and the values it has gathered. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Agent, type AgentOptions } from "../support/server.ts";
import type { Place, Scenario } from "./scenario.ts";
import { Values } from "./values.ts";
import { World } from "./world.ts";

interface Start extends Place {
  readonly client?: string | undefined;
  readonly entry?: string | undefined;
}

export class Story {
  readonly world: World;
  readonly values: Values;
  readonly bin: string;
  readonly #setup: Scenario["setup"];
  readonly #agents = new Map<string, { agent: Agent; start: Start }>();
  readonly #noise: string[] = [];

  private constructor(world: World, values: Values, setup: Scenario["setup"], bin: string) {
    this.world = world;
    this.values = values;
    this.bin = bin;
    this.#setup = setup;
  }

  static async begin({ setup, make }: Scenario, bin: string): Promise<Story> {
    const world = await World.make(setup.project);
    const values = new Values({ home: world.home, project: world.project, bin }, make);
    await world.furnish(values.fill({ ...setup, args: [], env: {} }));
    return new Story(world, values, values.fill(setup), bin);
  }

  /** The agent of that name; one that has not been connected yet starts as the setup says. */
  async agent(name: string): Promise<Agent> {
    return this.#agents.get(name)?.agent ?? this.connect(name, {});
  }

  async connect(name: string, start: Start): Promise<Agent> {
    await this.#close(name);
    const client = start.client ?? this.#setup.client;
    const agent = await Agent.connect({ client, ...(await this.#server(start)) });
    this.#agents.set(name, { agent, start });
    return agent;
  }

  async restart(name: string): Promise<Agent> {
    return this.connect(name, this.#agents.get(name)?.start ?? {});
  }

  /** Where a process starts: as the setup says, but for what is said here. */
  place({ args, env, cwd }: Place): { args: string[]; env: Record<string, string>; cwd: string } {
    const usual = this.#setup;
    const surroundings = this.world.surroundings({ env: { ...usual.env, ...env }, cwd: cwd ?? usual.cwd });
    return { args: args ?? usual.args ?? [], ...surroundings };
  }

  /** Sends everyone home; returns what servers wrote to standard output besides messages. */
  async end(): Promise<readonly string[]> {
    await Promise.all([...this.#agents.keys()].map((name) => this.#close(name)));
    return this.#noise;
  }

  async #server({ entry, ...start }: Start): Promise<Omit<AgentOptions, "client">> {
    const place = this.place(start);
    if (entry === undefined) return { ...place, command: process.execPath, args: [this.bin, ...place.args] };
    const { mcpServers } = JSON.parse(await readFile(this.world.path(entry), "utf8"));
    const { command, args, env = {}, cwd = "." } = mcpServers["sentinel-memory"];
    return { command, args, env: { ...place.env, ...env }, cwd: resolve(place.cwd, cwd) };
  }

  async #close(name: string): Promise<void> {
    const entry = this.#agents.get(name);
    if (!entry) return;
    this.#agents.delete(name);
    await entry.agent.close();
    this.#noise.push(...entry.agent.noise);
  }
}
