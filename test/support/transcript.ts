/** Writes lines as Claude Code writes them, for sessions that a test makes up. */

/** What a line says beside its type; `uuid`, `timestamp` and the like are filled in. */
export type Line = Readonly<Record<string, unknown>>;

const START = Date.parse("2026-11-20T09:00:00.000Z");
const SECOND = 1_000;

/** A session whose lines follow each other, a second apart. */
export class Session {
  readonly id: string;
  readonly cwd: string;
  readonly lines: Line[] = [];
  #calls = 0;
  #common: Line;
  readonly #start: number;
  #at: string | undefined;

  constructor({
    id = "5e551011-0000-4000-8000-000000000001",
    cwd = "/p",
    at = START,
    ...common
  }: {
    id?: string;
    cwd?: string;
    at?: number;
    [field: string]: unknown;
  } = {}) {
    this.id = id;
    this.cwd = cwd;
    this.#start = at;
    this.#common = { cwd, gitBranch: "main", version: "2.1.197", isSidechain: false, ...common };
  }

  /** From here on the agent works elsewhere. */
  goTo(cwd: string, gitBranch = "main"): this {
    this.#common = { ...this.#common, cwd, gitBranch };
    return this;
  }

  /** All lines from here on were written then, and not a second apart. @param ts ISO 8601. */
  at(ts: string): this {
    this.#at = ts;
    return this;
  }

  /** A line of any type; what the client writes on lines of a conversation is on it. */
  add(fields: Line): this {
    const speaker = String(this.#common.agentId ?? "0000").padStart(4, "0");
    const uuid = `${this.id.slice(0, 19)}${speaker}-${String(this.lines.length).padStart(12, "0")}`;
    const timestamp = this.#at ?? new Date(this.#start + this.lines.length * SECOND).toISOString();
    this.lines.push({ ...this.#common, sessionId: this.id, uuid, timestamp, ...fields });
    return this;
  }

  /** What the person asked: a text, or blocks. */
  asks(content: unknown, more: Line = {}): this {
    return this.add({ type: "user", message: { role: "user", content }, ...more });
  }

  says(text: string): this {
    return this.assistant({ type: "text", text });
  }

  assistant(block: Line): this {
    return this.add({
      type: "assistant",
      message: { role: "assistant", model: "claude-opus-4-8", content: [block] },
    });
  }

  /** A call of a tool and what it answered. */
  uses(
    name: string,
    input: Line,
    answer: unknown,
    { error = false, ...more }: Line & { error?: boolean } = {},
  ): this {
    return this.calls(name, input).answers(answer, { error, ...more });
  }

  calls(name: string, input: Line, id?: string): this {
    this.#calls += 1;
    return this.assistant({ type: "tool_use", id: id ?? this.#call, name, input });
  }

  /** The answer to a call: the last one, where none is named. */
  answers(
    content: unknown,
    {
      error = false,
      call = this.#call,
      ...more
    }: Line & { error?: boolean; call?: string | undefined } = {},
  ): this {
    const block = {
      type: "tool_result",
      tool_use_id: call,
      content,
      ...(error && { is_error: true }),
    };
    return this.asks([block], more);
  }

  get #call(): string {
    return `toolu_${this.id.slice(0, 8)}_${this.#calls}`;
  }

  get text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }

  /** The name of its transcript. */
  get file(): string {
    return `${this.id}.jsonl`;
  }
}

/** The folder in which the client keeps the transcripts of sessions that were started in a folder, below its own. */
export function transcriptFolder(cwd: string): string {
  return `projects/${cwd.replace(/[^a-zA-Z0-9]/g, "-")}`;
}
