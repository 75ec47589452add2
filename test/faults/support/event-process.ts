/** Processes of the test build that append to a record, purge it or drop what is over its time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { jsonlEventStore } from "../../../src/sessions/files/store.ts";
import type { Event } from "../../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../../src/sessions/store.ts";
import { UNREDACTED } from "../../support/unredacted.ts";
import { type Job, markIn, markOf, NIGHT } from "./marked-events.ts";
import { BUNDLE, type Conditions, environment } from "./server.ts";

interface Said {
  readonly numbers?: readonly number[];
  /** What a search found, and the days of which it had not searched everything. */
  readonly did?: { readonly marks: readonly string[]; readonly missing: readonly string[] };
  readonly error?: { readonly code: string; readonly fix: string };
}

export class EventProcess {
  readonly said: Said[] = [];
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(folder: string, job: Job, conditions: Conditions = {}) {
    const { through = [], bundle = BUNDLE } = conditions;
    const line = [
      ...through,
      process.execPath,
      join(bundle, "event-worker.mjs"),
      folder,
      JSON.stringify(job),
    ];
    const [command = "", ...args] = line;
    const env = { ...process.env, ...environment(conditions) };
    this.#child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#name = job.do === "append" ? job.name : "";
    let text = "";
    this.#child.stdout?.on("data", (part: Buffer) => {
      const lines = (text + part).split("\n");
      text = lines.pop() ?? "";
      for (const whole of lines) {
        this.said.push(JSON.parse(whole));
      }
    });
    this.#closed = once(this.#child, "close");
    onTestFinished(() => this.kill());
  }

  /** The marks of the events that were acknowledged so far. */
  get acknowledged(): string[] {
    return this.said.flatMap(({ numbers = [] }) =>
      numbers.map((number) => markOf(this.#name, number)),
    );
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Goes on after it has stopped itself at a point, to its end. */
  async goOn(): Promise<void> {
    this.#child.kill("SIGCONT");
    await this.#closed;
  }

  /** Resolves when it has come to its end, or was killed. */
  async ended(): Promise<void> {
    await this.#closed;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }
}

/** Redacts nothing, which takes time and has tests of its own. */
export function openLog(folder: string): EventStore {
  return jsonlEventStore({ folder, redactor: UNREDACTED, now: () => NIGHT });
}

/** How often each mark is read; of a long text the artifact has to hold it as well. */
export async function marksIn(folder: string): Promise<Map<string, number>> {
  const store = openLog(folder);
  const counts = new Map<string, number>();
  for await (const event of store.read()) {
    const mark = markIn(event);
    if (!(await isWhole(store, event, mark))) {
      continue;
    }
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}

async function isWhole(store: EventStore, { content }: Event, mark: string): Promise<boolean> {
  if (content.truncated !== true) {
    return content.excerpt_text === mark;
  }
  return (
    (await store.artifact(String(content.artifact_id)))?.startsWith(
      `${mark}\nprinted by ${mark}\n`,
    ) ?? false
  );
}

/** The files of a session log in which a text stands, decompressed. One by one: all together may be longer than a string can be. */
export function filesWith(text: string, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name),
  );
  return files.filter((file) => {
    if (!statSync(file).isFile()) {
      return false;
    }
    const bytes = readFileSync(file);
    return (file.includes(".gz") ? gunzipSync(bytes) : bytes).includes(text);
  });
}
