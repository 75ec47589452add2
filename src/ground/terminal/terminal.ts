import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { SentinelError } from "../core/errors.ts";
import { type Page, pageOf } from "./layout.ts";
import type { Spell } from "./shell.ts";

/** Shortest time between two updates of a progress line; shorter work shows none. */
const PROGRESS_INTERVAL_MS = 400;

export class Terminal {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #errors: NodeJS.WriteStream;
  readonly #spelt: Spell;
  readonly page: Page;

  /** @param spelt writes our commands as this user can run them. */
  constructor(
    input: NodeJS.ReadStream,
    output: NodeJS.WriteStream,
    errors: NodeJS.WriteStream,
    spelt: Spell,
  ) {
    this.#input = input;
    this.#output = output;
    this.#errors = errors;
    this.#spelt = spelt;
    this.page = pageOf(output);
    // A reader may stop early, like `head`; that is not an error.
    output.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }

  /** Prints what was asked for, to standard output. */
  print(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** Prints a text of ours to standard output, with commands that this user can run. Stored texts go through `print`. */
  tell(text: string): void {
    this.print(this.#spelt(text));
  }

  /** Prints anything else to standard error, so that a pipe gets only what was asked for. Commands are written as this user can run them. */
  note(text: string): void {
    this.#errors.write(`${this.#spelt(text)}\n`);
  }

  /** Waits until slow readers have taken everything; a process that exits does not wait for a pipe. */
  async flush(): Promise<void> {
    for (const stream of [this.#output, this.#errors]) {
      await new Promise<void>((resolve) => stream.write("", () => resolve()));
    }
  }

  /** Returns a function that shows progress on one line of standard error, if that is a terminal. */
  progress(doing: string): (done: number, total: number) => void {
    const started = Date.now();
    let shown = started;
    return (done, total) => {
      const now = Date.now();
      const last = done === total && shown > started;
      if (!this.#errors.isTTY || (now - shown < PROGRESS_INTERVAL_MS && !last)) return;
      shown = now;
      this.#errors.write(
        `\r${doing}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${last ? "\n" : ""}`,
      );
    };
  }

  /** All of standard input. */
  readInput(): Promise<string> {
    return text(this.#input);
  }

  get isInteractive(): boolean {
    return Boolean(this.#input.isTTY && this.#output.isTTY);
  }

  /** Asks a yes-or-no question; the end of input and Ctrl-C count as no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(?:es)?$/i.test(await this.#ask(`${question} [y/N] `));
  }

  /** Asks a question that must be answered. @param why says why, in the error. @throws SentinelError `bad_argument` where nobody can be asked. */
  async mustConfirm(question: string, why: string): Promise<boolean> {
    if (this.isInteractive) return this.confirm(question);
    throw new SentinelError("bad_argument", why, "Give --yes to continue without the question.");
  }

  /** Asks for a text. @param option gives the answer instead. @throws SentinelError `bad_argument`, with `why`, where nobody can be asked. */
  async mustAnswer(question: string, why: string, option: string): Promise<string> {
    if (this.isInteractive) return this.#ask(`${question} `);
    throw new SentinelError(
      "bad_argument",
      why,
      `This isn't a terminal that can ask. Give the answer with ${option}.`,
    );
  }

  /** The answer to a question; empty at the end of input and for Ctrl-C. */
  async #ask(question: string): Promise<string> {
    const reader = createInterface({ input: this.#input, output: this.#output });
    try {
      const ended = once(reader, "close").then(() => "");
      return (await Promise.race([reader.question(question), ended])).trim();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return "";
      throw error;
    } finally {
      reader.close();
    }
  }
}
