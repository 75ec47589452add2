/** Writes lines as Codex 0.169.0 writes them, for sessions that a test makes up. */

type Line = Readonly<Record<string, unknown>>;

const START = Date.parse("2026-11-20T09:00:00.000Z");

/** Ids of turns and of transcripts sort by time. */
export function timedId(number: number): string {
  return `01a201da-${String(number).padStart(4, "0")}-7662-b36c-7f1ef3fbff23`;
}

export class Rollout {
  readonly lines: Line[] = [];
  #calls = 0;
  #turns = 10;
  #at: string | undefined;

  /** @param meta of the first line; `at` is when it was written, see below. */
  constructor({
    id = timedId(1),
    cwd = "/p",
    at,
    ...meta
  }: { id?: string; cwd?: string; at?: string | undefined; [field: string]: unknown } = {}) {
    this.#at = at;
    const git = { branch: "main" };
    this.add("session_meta", {
      id,
      session_id: id,
      cwd,
      cli_version: "0.169.0",
      thread_source: "user",
      git,
      ...meta,
    });
  }

  /** All lines from here on were written then, and not a second apart. @param ts ISO 8601. */
  at(ts: string): this {
    this.#at = ts;
    return this;
  }

  add(type: string, payload: Line): this {
    const timestamp = this.#at ?? new Date(START + this.lines.length * 1_000).toISOString();
    this.lines.push({ timestamp, ordinal: this.lines.length, type, payload });
    return this;
  }

  /** A turn begins. */
  turn(id?: string, cwd = "/p"): this {
    this.#turns += 1;
    const turn_id = id ?? timedId(this.#turns);
    return this.event({ type: "task_started", turn_id }).add("turn_context", { turn_id, cwd });
  }

  item(payload: Line): this {
    return this.add("response_item", payload);
  }

  event(payload: Line): this {
    return this.add("event_msg", payload);
  }

  completed(item: Line): this {
    return this.event({ type: "item_completed", item });
  }

  /** What the person asked, and beside it what the client added. */
  asks(text: string, ...added: string[]): this {
    const content = [...added, text].map((part) => ({ type: "input_text", text: part }));
    return this.item({ type: "message", role: "user", content }).event({
      type: "user_message",
      message: text,
    });
  }

  says(text: string): this {
    const content = [{ type: "output_text", text }];
    return this.item({ type: "message", role: "assistant", content }).event({
      type: "agent_message",
      message: text,
    });
  }

  /** A call and its answer. */
  uses(name: string, input: Line | string, output: unknown, more: Line = {}): this {
    this.#calls += 1;
    const call = `call_of_a_model_${String(this.#calls).padStart(8, "0")}`;
    return this.calls(call, name, input, more).answers(call, output, typeof input === "string");
  }

  /** @param input a text is of a tool that takes no JSON. */
  calls(call_id: string, name: string, input: Line | string, more: Line = {}): this {
    if (typeof input === "string") {
      return this.item({ type: "custom_tool_call", name, call_id, input, ...more });
    }
    return this.item({
      type: "function_call",
      name,
      call_id,
      arguments: JSON.stringify(input),
      ...more,
    });
  }

  answers(call_id: string, output: unknown, isText = false): this {
    return this.item({
      type: isText ? "custom_tool_call_output" : "function_call_output",
      call_id,
      output,
    });
  }

  get text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}
