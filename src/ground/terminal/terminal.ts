import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { SentinelError } from "../core/errors.ts";
import { json, type Page, pageOf } from "./layout.ts";
import type { Spell } from "./shell.ts";

/** The minimum time between two updates of a progress line. Shorter work shows none. */
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
    // A reader may stop early, like `head`, so a closed pipe isn't an error.
    output.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") {
        throw error;
      }
    });
  }

  /** Prints the requested output to standard output. */
  print(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** Prints a value as JSON to standard output. */
  printJson(value: unknown): void {
    this.print(json(value));
  }

  /** Prints our own text to standard output, with commands that this user can run. Use `print` for stored text. */
  tell(text: string): void {
    this.print(this.#spelt(text));
  }

  /** Prints anything else to standard error, so that a pipe gets only the requested output. Commands are written as this user can run them. */
  note(text: string): void {
    this.#errors.write(`${this.#spelt(text)}\n`);
  }

  /** Waits until slow readers have read everything, because exiting doesn't wait for a pipe. */
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
      if (!this.#errors.isTTY || (now - shown < PROGRESS_INTERVAL_MS && !last)) {
        return;
      }
      shown = now;
      this.#errors.write(
        `\r${doing}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${last ? "\n" : ""}`,
      );
    };
  }

  /** Reads all of standard input. */
  readInput(): Promise<string> {
    return text(this.#input);
  }

  get isInteractive(): boolean {
    return Boolean(this.#input.isTTY && this.#output.isTTY);
  }

  /** Asks a yes-or-no question. The end of input and Ctrl-C mean no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(?:es)?$/i.test(await this.#ask(`${question} [y/N] `));
  }

  /** Asks a question that must be answered. @param why the reason, for the error. @throws SentinelError `bad_argument` if the terminal isn't interactive. */
  async mustConfirm(question: string, why: string): Promise<boolean> {
    if (this.isInteractive) {
      return this.confirm(question);
    }
    throw new SentinelError("bad_argument", why, "Give --yes to continue without the question.");
  }

  /** Asks for a text. @param option that can give the answer instead. @throws SentinelError `bad_argument`, with `why`, if the terminal isn't interactive. */
  async mustAnswer(question: string, why: string, option: string): Promise<string> {
    if (this.isInteractive) {
      return this.#ask(`${question} `);
    }
    throw new SentinelError(
      "bad_argument",
      why,
      `This isn't a terminal that can ask. Give the answer with ${option}.`,
    );
  }

  /** Asks a question. The answer is empty at the end of input and for Ctrl-C. */
  async #ask(question: string): Promise<string> {
    const reader = createInterface({ input: this.#input, output: this.#output });
    try {
      const ended = once(reader, "close").then(() => "");
      return (await Promise.race([reader.question(question), ended])).trim();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") {
        return "";
      }
      throw error;
    } finally {
      reader.close();
    }
  }
}
