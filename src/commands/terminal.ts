/** What a command says to a person, and asks. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { MemoryError } from "../errors.ts";
import { type Page, pageOf } from "./page.ts";

/** Between two tellings of progress, in ms; work that is done before the first is told nothing of. */
const PROGRESS_PAUSE = 400;

export class Terminal {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #errors: NodeJS.WriteStream;
  /** What the output is wide and coloured like. */
  readonly page: Page;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, errors: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
    this.#errors = errors;
    this.page = pageOf(output);
    // A reader that has seen enough, like `head`, is no fault of ours.
    output.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }

  /** What was asked for: to standard output. */
  print(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** What else a person should know, or what failed: to standard error, so that a pipe gets only what was asked for. */
  note(text: string): void {
    this.#errors.write(`${text}\n`);
  }

  /** Waits until slow readers have taken everything: the end of a process does not wait for a pipe. */
  async flush(): Promise<void> {
    for (const stream of [this.#output, this.#errors]) {
      await new Promise<void>((resolve) => stream.write("", () => resolve()));
    }
  }

  /** How far a long work has come, on one line of standard error; nothing where nobody watches. */
  progress(doing: string): (done: number, total: number) => void {
    const started = Date.now();
    let told = started;
    return (done, total) => {
      const now = Date.now();
      const last = done === total && told > started;
      if (!this.#errors.isTTY || (now - told < PROGRESS_PAUSE && !last)) return;
      told = now;
      this.#errors.write(
        `\r${doing}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${last ? "\n" : ""}`,
      );
    };
  }

  get isInteractive(): boolean {
    return Boolean(this.#input.isTTY && this.#output.isTTY);
  }

  /** Asks for a yes; anything else, the end of input, and Ctrl-C is a no. */
  async confirm(question: string): Promise<boolean> {
    const reader = createInterface({ input: this.#input, output: this.#output });
    try {
      const ended = once(reader, "close").then(() => "");
      const answer = await Promise.race([reader.question(`${question} [y/N] `), ended]);
      return /^y(?:es)?$/i.test(answer.trim());
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return false;
      throw error;
    } finally {
      reader.close();
    }
  }

  /** @throws MemoryError `bad_argument` where nobody can be asked. */
  async mustConfirm(question: string): Promise<boolean> {
    if (this.isInteractive) return this.confirm(question);
    throw new MemoryError(
      "bad_argument",
      "This cannot be undone and nobody can be asked here.",
      "Give --yes to go on.",
    );
  }
}
