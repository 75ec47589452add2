/** The tables of docs/evidence.md, made of docs/evidence.json: what was measured, by which command, on which data, and what was not shown. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { intervalOf } from "../bench/interval.ts";

/** How many of how many; or a share of so many, in percent; or a figure that is no share. */
type Figure =
  | { readonly count: number; readonly of: number }
  | { readonly share: number; readonly of: number }
  | string;

export interface Measured {
  readonly what: string;
  /** On data that the product was developed with, on data that it was not, or on data that the command makes. */
  readonly on: "development" | "held out" | "made up";
  readonly here: Figure;
  /** Simpler ways on the same data. */
  readonly beside?: Readonly<Record<string, Figure>>;
  readonly date: string;
  /** Where the command does not print it. */
  readonly how?: string;
  /** Measured by somebody else, on this commit. */
  readonly others?: string;
}

export interface Evidence {
  readonly claim: string;
  /** Sentences and figures of pages that rest on it, word for word, by page. */
  readonly carries: Readonly<Record<string, readonly string[]>>;
  readonly command: string;
  readonly data: string;
  readonly rows: readonly Measured[];
  /** Where a simple way does as well or better. */
  readonly simpler?: string;
  /** Failures by kind. */
  readonly failed?: string;
  readonly notShown: string;
}

export interface EvidenceFile {
  readonly evidence: readonly Evidence[];
  /** By the id of an acceptance test: whether it holds, or in which part it does. */
  readonly acceptance: Readonly<Record<string, string>>;
}

const STORIES = "test/scenarios";
const LINE = 140;

export function readEvidence(): EvidenceFile {
  return JSON.parse(readFileSync("docs/evidence.json", "utf8"));
}

export function evidenceTables(): string {
  return readEvidence().evidence.map(sectionOf).join("\n\n");
}

export function acceptanceTable(): string {
  const { acceptance } = readEvidence();
  const rows = [...acceptanceTests()].map(
    ([id, titles]) => `| ${id} | ${titles.join("; ")} | ${acceptance[id] ?? ""} |`,
  );
  return ["| id | what is tried | holds |", "|---|---|---|", ...rows].join("\n");
}

/** What the tests of this project try, by the ids that the atlas gives them. */
export function acceptanceTests(): Map<string, readonly string[]> {
  const tests = new Map<string, string[]>();
  for (const name of readdirSync(STORIES).filter((name) => name.startsWith("atlas-"))) {
    let id = "";
    for (const [, described, title = ""] of readFileSync(join(STORIES, name), "utf8").matchAll(
      /^describe\("([^"]+)"|^ {2}it\("([^"]+)"/gm,
    )) {
      if (described !== undefined) {
        id = described;
        continue;
      }
      const [, own, said] = /^([a-z]+\.\w+): (.*)$/.exec(title) ?? [];
      const key = own ?? id;
      tests.set(key, [...(tests.get(key) ?? []), said ?? title]);
    }
  }
  return tests;
}

function sectionOf({ claim, command, data, rows, simpler, failed, notShown }: Evidence): string {
  const beside = [...new Set(rows.flatMap((row) => Object.keys(row.beside ?? {})))];
  const head = ["", "on", "here", "95 %", ...beside, "measured"];
  const lines = rows.map((row) => [
    row.what,
    row.on,
    textOf(row.here),
    rangeOf(row.here),
    ...beside.map((name) => (row.beside?.[name] === undefined ? "" : textOf(row.beside[name]))),
    [row.date, row.how, row.others && `by others, ${row.others}`].filter(Boolean).join(", "),
  ]);
  const table = [head, head.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const after = Object.entries({ "Simpler ways": simpler, Failed: failed, "Not shown": notShown });
  const [told = "", ...rest] = [
    `\`${command}\`. Data: ${data}`,
    ...after.flatMap(([name, said]) => (said === undefined ? [] : [`**${name}:** ${said}`])),
  ].map(wrapped);
  return [`### ${claim}`, told, table, ...rest].join("\n\n");
}

function textOf(figure: Figure): string {
  if (typeof figure === "string") return figure;
  if ("share" in figure) return `${figure.share} %`;
  return `${figure.count.toLocaleString("en")} of ${figure.of.toLocaleString("en")}, ${round((100 * figure.count) / figure.of)} %`;
}

/** Of a share, as if each of the questions had been answered or not. */
function rangeOf(figure: Figure): string {
  if (typeof figure === "string") return "";
  return intervalOf("share" in figure ? (figure.share / 100) * figure.of : figure.count, figure.of);
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (longer.length > LINE) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
