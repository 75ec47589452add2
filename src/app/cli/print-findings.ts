/** Formats findings for a terminal and as JSON. */
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { lineRanges } from "../../lessons/health/finding.ts";
import type { FindingInArea } from "../findings/areas.ts";
import type { Finding, Level } from "../findings/finding.ts";

const LABELS: Readonly<Record<Level, string>> = {
  ok: "ok      ",
  note: "note    ",
  warning: "warning ",
  broken: "BROKEN  ",
};

/** Prints findings as they arrive. Consecutive findings with the same fix show it once. Call `end` after the last one. */
export class FindingPrinter {
  readonly #terminal: Terminal;
  #fix: string | undefined;
  /** The number of findings with this fix. */
  #count = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  print(finding: Finding): void {
    if (finding.fix !== this.#fix) this.end();
    this.#terminal.tell(`${LABELS[finding.level]}${safeLine(sentenceOf(finding))}`);
    this.#fix = finding.fix;
    this.#count += 1;
  }

  end(): void {
    if (this.#fix !== undefined) {
      const several = this.#count > 1 ? ` for these ${this.#count}` : "";
      this.#terminal.tell(`        fix${several}: ${safeLine(this.#fix)}`);
    }
    this.#fix = undefined;
    this.#count = 0;
  }
}

/** Returns a finding's fields for programs. `what` is a full sentence that includes the file and its lines. */
export function findingAsJson(finding: FindingInArea, spelt: Spell): object {
  const { id, area, level, fix, file, lines } = finding;
  const spelled = fix === undefined ? undefined : spelt(fix);
  return { id, area, level, what: sentenceOf(finding), fix: spelled, file, lines };
}

/** Returns a finding as a sentence, with its place first. */
function sentenceOf({ file, lines = [], what }: Finding): string {
  if (file === undefined) return what;
  if (lines.length === 0) return `${file}: ${what}`;
  return `${file}, ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)}: ${what}`;
}
