/** A project whose transcript grows and is captured for a while, into a daemon that is killed now and then, as captures are. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon } from "../../src/sessions/remote/call-daemon.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { BIN, type Project } from "../../test/support/project.ts";
import { seeded } from "../../test/support/random.ts";
import { keepTranscript } from "../../test/support/recorded.ts";
import { runProcess } from "../../test/support/run-process.ts";
import { Session } from "../../test/support/transcript.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import type { DaemonOfBench } from "../daemon/daemon-process.ts";
import type { SteppedClock } from "./stepped-clock.ts";

const MESSAGES_AT_A_TIME = 4;
const MESSAGES_OF_A_SESSION = 200;
const LONGEST_CAPTURE = 1_500;
/** One in so many. */
const KILLED = 5;
const DAEMON_KILLED = 12;
const PURGED = 15;
const CLOCK_SET = 10;

export class SoakedSessions {
  readonly done = {
    captures: 0,
    "captures killed": 0,
    "daemons killed": 0,
    "events purged": 0,
    "daemon's clock set": 0,
  };
  readonly #project: Project;
  readonly #daemon: DaemonOfBench;
  readonly #clock: SteppedClock;
  readonly #store: EventStore;
  readonly #env: Record<string, string>;
  readonly #random = seeded("soaked sessions");
  readonly #said: string[] = [];
  readonly #gone = new Set<string>();
  #session: Session;
  #sessions = 0;

  private constructor(
    project: Project,
    daemon: DaemonOfBench,
    clock: SteppedClock,
    address: Daemon,
  ) {
    this.#project = project;
    this.#daemon = daemon;
    this.#clock = clock;
    this.#store = remoteEventStore({ ...address, redactor: UNREDACTED });
    this.#env = { ...project.env, ...clock.env, SENTINEL_TOKEN: address.token };
    this.#session = this.#begin();
  }

  static async start(
    project: Project,
    daemon: DaemonOfBench,
    clock: SteppedClock,
  ): Promise<SoakedSessions> {
    const address = await daemon.as("ann");
    const sessions = new SoakedSessions(project, daemon, clock, address);
    await sessions.#run("sessions", "on", "--url", address.url);
    return sessions;
  }

  async step({ mayKillDaemon }: { mayKillDaemon: boolean }): Promise<void> {
    if (this.#session.lines.length >= MESSAGES_OF_A_SESSION) {
      this.#session = this.#begin();
    }
    for (let count = 0; count < MESSAGES_AT_A_TIME; count++) {
      this.#say(`Message ${this.#said.length} of the soak`);
    }
    await keepTranscript(this.#project, this.#session);
    const capture = this.#capture();
    if (mayKillDaemon && this.#oneIn(DAEMON_KILLED)) {
      await this.#daemon.kill();
      this.done["daemons killed"]++;
    }
    await capture;
    if (this.#oneIn(CLOCK_SET)) {
      await this.#setClock();
    }
    if (this.#oneIn(PURGED)) {
      await this.#purge();
    }
  }

  /** @returns how many messages are missing, how many are there twice, how many that were purged are back. */
  async end() {
    await this.#run("sessions", "capture");
    const found: string[] = [];
    for await (const { kind, content } of this.#store.read()) {
      if (kind === "message") {
        found.push(String(content.text));
      }
    }
    const there = new Set(found);
    return {
      acknowledged: this.#said.length,
      "to be there": this.#said.length - this.#gone.size,
      lost: this.#said.filter((text) => !this.#gone.has(text) && !there.has(text)).length,
      twice: found.length - there.size,
      back: [...this.#gone].filter((text) => there.has(text)).length,
    };
  }

  #begin(): Session {
    // The ids of its lines begin as this does, and what has one id is one message.
    const id = `${String(this.#sessions++).padStart(8, "0")}-0000-4000-8000-000000000000`;
    return new Session({ id, cwd: this.#project.folder });
  }

  #say(text: string): void {
    this.#session.at(new Date().toISOString());
    if (this.#said.length % 2 === 0) {
      this.#session.asks(text);
    } else {
      this.#session.says(text);
    }
    this.#said.push(text);
  }

  async #capture(): Promise<void> {
    const child = spawn(
      process.execPath,
      [BIN, "--project", this.#project.folder, "sessions", "capture"],
      {
        ...this.#project.place(),
        env: this.#env,
        stdio: "ignore",
      },
    );
    const ended = once(child, "exit");
    if (this.#oneIn(KILLED)) {
      await Promise.race([ended, sleep(this.#random() * LONGEST_CAPTURE)]);
      if (child.kill("SIGKILL")) {
        this.done["captures killed"]++;
      }
    } else {
      this.done.captures++;
    }
    await ended;
  }

  /** A message that was captured goes for good: another capture may not bring it back. */
  async #purge(): Promise<void> {
    const text = this.#said[Math.floor(this.#random() * this.#said.length)] ?? "";
    if (this.#gone.has(text)) {
      return;
    }
    await this.#run("sessions", "capture");
    await this.#run("sessions", "purge", "--text", text, "--yes");
    this.#gone.add(text);
    this.done["events purged"]++;
  }

  async #setClock(): Promise<void> {
    await this.#clock.step(this.#daemon.pid);
    this.done["daemon's clock set"]++;
  }

  #oneIn(count: number): boolean {
    return this.#random() < 1 / count;
  }

  async #run(...args: string[]): Promise<void> {
    const { exit, stderr } = await runProcess(
      process.execPath,
      [BIN, "--project", this.#project.folder, ...args],
      {
        ...this.#project.place(),
        env: this.#env,
      },
    );
    if (exit !== 0) {
      throw new Error(`${args.join(" ")}: ${stderr}`);
    }
  }
}
