/** What a command says to a person, and asks. */
import { createInterface } from "node:readline/promises";
import { MemoryError } from "../errors.ts";

export class Terminal {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  print(text: string): void {
    this.#output.write(`${text}\n`);
  }

  fail(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  get isInteractive(): boolean {
    return Boolean(this.#input.isTTY && this.#output.isTTY);
  }

  /** Asks for a yes; anything else, and the end of input, is a no. */
  async confirm(question: string): Promise<boolean> {
    const reader = createInterface({ input: this.#input, output: this.#output });
    try {
      return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
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
