/** A server of the test build, where faults can be set. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Answer, Server } from "../../support/server.ts";
import { until } from "../../support/wait.ts";
import type { FaultPoint } from "../fault-points.ts";

export const BUNDLE = resolve("dist-test");

/** Far above what any call takes, also with a hundred thousand lessons on a machine that does much else; a call that takes longer hangs. */
const HANGS_MS = 300_000;

type Fault = "kill" | "stop" | "EBUSY" | "ENOSPC" | "EIO";

export interface Conditions {
  /** A fault at a point of the write path: `kill staged 2`, `stop locked`, `EBUSY renaming 3`. */
  readonly fault?: `${Fault} ${FaultPoint}` | `${Fault} ${FaultPoint} ${number}`;
  readonly patience?: number;
  /** By how many ms its clock is off. */
  readonly clock?: number;
  /** A file that gets the names of the points it reaches. */
  readonly trace?: string;
  /** A command that the server is started through, e.g. to take rights or space from it. */
  readonly through?: readonly string[];
  /** The folder of its bundle, where it cannot read the usual one. */
  readonly bundle?: string;
  /** The home folder that it sees, where it is another user. */
  readonly home?: string;
}

export class FaultServer extends Server {
  static #calls = 0;

  /** Starts a server on a project; it is ended with the test. */
  static async start(project: string, conditions: Conditions = {}): Promise<FaultServer> {
    const { through = [], bundle = BUNDLE } = conditions;
    const [command = "", ...args] = [
      ...through,
      process.execPath,
      join(bundle, "cli.mjs"),
      "--project",
      project,
    ];
    const server = new FaultServer({
      command,
      args,
      env: environment(conditions),
      deadlineMs: HANGS_MS,
    });
    await server.connect();
    onTestFinished(() => server.end());
    return server;
  }

  /** Logs a gap, which its text tells from every other. */
  log(gap: string, more: Record<string, unknown> = {}): Promise<Answer> {
    const { lesson, ...texts } = gapNamed(gap);
    // An identical call within ten minutes changes nothing, so each one says a little more.
    FaultServer.#calls++;
    return this.call("log_memory", {
      ...texts,
      lesson: `${lesson} Call ${FaultServer.#calls}.`,
      ...more,
    });
  }

  /** Logs a gap, and fails unless it was saved. */
  async mustLog(gap: string, more?: Record<string, unknown>): Promise<void> {
    expect(await this.log(gap, more)).toMatchObject({ code: undefined });
  }

  /** Saves a principle over the lessons of these references. */
  compact(principle: string, references: readonly string[]): Promise<Answer> {
    return this.call("log_memory", {
      type: "principle",
      topic: "faults",
      lesson: principle,
      // A principle has to share a word with its sources.
      ask_next_time: "Which gap or lesson?",
      source_ids: references,
    });
  }

  search(query?: string): Promise<Answer> {
    return this.call("search_memory", query === undefined ? {} : { query });
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.exited;
  }

  override async end(): Promise<void> {
    if (isRunning(this.pid)) {
      this.signal("SIGCONT");
    }
    await super.end();
  }
}

/** What is logged for a gap. */
export function gapNamed(gap: string): Record<string, string> {
  return { topic: "faults", missing_context: gap, lesson: `Ask about ${gap}.` };
}

/** Whether a process still runs; one that is dead but not yet reaped does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when a process has stopped itself at a point of the write path. */
export function stopped({ pid }: { readonly pid: number }): Promise<void> {
  return until(async () =>
    / T /.test((await readFile(`/proc/${pid}/stat`, "utf8")).replace(/.*\)/, "")),
  );
}

export function environment({
  fault,
  patience,
  clock,
  trace,
  home,
}: Conditions): Record<string, string> {
  const values = {
    SENTINEL_TEST_FAULT: fault,
    SENTINEL_TEST_PATIENCE: patience,
    SENTINEL_TEST_CLOCK: clock,
    SENTINEL_TEST_TRACE: trace,
    HOME: home,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
