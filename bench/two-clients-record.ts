/** A session log that grows as its sessions did: what two clients wrote until a moment is captured as it would have been then. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { capture } from "../src/sessions/capture/capture.ts";
import { manifestText } from "../src/sessions/consent/manifest.ts";
import { JsonlEventStore } from "../src/sessions/files/store.ts";
import type { Event } from "../src/sessions/kinds/event.ts";
import { eventRedactor } from "../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../src/sessions/transcripts/claude-code.ts";
import { codexReader } from "../src/sessions/transcripts/codex.ts";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import { transcriptFolder } from "../test/support/transcript.ts";
import { asClaudeCode } from "./as-claude-code.ts";
import { asCodex } from "./as-codex.ts";
import type { Line } from "./coding-sessions.ts";

const ID = "01KJ844YNTMDH6521Q517KPCB1";

export type Client = "claude-code" | "codex";

/** A transcript, of which a part is written. */
interface Transcript {
  readonly path: string;
  readonly lines: Readonly<Record<string, unknown>>[];
}

export class TwoClientsRecord {
  /** The session log's folder. */
  readonly folder: string;
  readonly project: string;
  readonly #home = scratchFolder("two-clients");
  readonly #cwd: string;
  readonly #transcripts: readonly Transcript[];
  #now = 0;
  readonly #store: JsonlEventStore;

  /** @param cwd the folder of the project, as the lines have it. @param clientOf a session, by its place. */
  constructor(
    sessions: readonly (readonly Line[])[],
    cwd: string,
    clientOf: (index: number) => Client,
  ) {
    this.#cwd = cwd;
    this.project = join(this.#home, "app");
    this.folder = join(this.#home, "records", ID);
    for (const path of [this.project, this.folder]) mkdirSync(path, { recursive: true });
    writeFileSync(join(this.folder, "manifest.json"), manifestText(this.#manifest));
    this.#store = new JsonlEventStore({
      folder: this.folder,
      redactor: eventRedactor(),
      now: () => this.#now,
    });
    this.#transcripts = sessions.map((lines, index) => this.#transcriptOf(lines, clientOf(index)));
  }

  /** Writes what clients wrote before a time, and captures it. @param ts ISO 8601. */
  async until(ts: string): Promise<void> {
    for (const { path, lines } of this.#transcripts) {
      const end = lines.findIndex(({ timestamp }) => String(timestamp) >= ts);
      const written = lines.splice(0, end === -1 ? lines.length : end);
      if (written.length === 0) continue;
      const text = written.map((line) => `${JSON.stringify(line)}\n`).join("");
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, text.replaceAll(this.#cwd, this.project));
    }
    this.#now = Date.parse(ts);
    const report = await capture({
      record: {
        id: ID,
        folder: this.folder,
        manifest: this.#manifest,
        isWritable: true,
      },
      home: { path: this.project, hasGit: false, folder: this.project },
      store: this.#store,
      now: this.#now,
      readers: [
        { reader: claudeCodeReader, clientFolder: join(this.#home, ".claude") },
        { reader: codexReader, clientFolder: join(this.#home, ".codex") },
      ],
    });
    const unknown = Object.keys(report.unknown);
    if (unknown.length > 0) throw new Error(`The readers do not know ${unknown.join(", ")}.`);
  }

  /** In order of time, with the project's folder as the data has it. */
  async events(): Promise<Event[]> {
    const events: Event[] = [];
    for await (const event of this.#store.read()) events.push(event);
    return JSON.parse(JSON.stringify(events).replaceAll(this.project, this.#cwd));
  }

  remove(): void {
    removeFolder(this.#home);
  }

  get #manifest() {
    return {
      format: 4,
      id: ID,
      project: this.project,
      intervals: [{ on: "2020-01-01T00:00:00.000Z" }],
      skipped: [],
    };
  }

  #transcriptOf(lines: readonly Line[], client: Client): Transcript {
    const [{ session = "", ts = "" } = {}] = lines;
    if (client === "claude-code") {
      const folder = join(this.#home, ".claude", transcriptFolder(this.project));
      return {
        path: join(folder, `${session}.jsonl`),
        lines: [...asClaudeCode(lines, this.#cwd).lines],
      };
    }
    const [day = "", time = ""] = ts.slice(0, 19).split("T");
    const name = `rollout-${day}T${time.replaceAll(":", "-")}-${session}.jsonl`;
    const path = join(this.#home, ".codex", "sessions", ...day.split("-"), name);
    return { path, lines: [...asCodex(lines, this.#cwd).lines] };
  }
}
