/** A scanner that others made, on the same samples: secretlint with the rules that it recommends. gitleaks is in no registry of packages. */

import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { isCaught, type Negative, type Positive } from "./secrets-samples.ts";
import { type Row, round, type Section } from "./table.ts";

const MARK = "[REDACTED]";
/** It marks the start and the end of each rule on each text, and compares all of them in the end: minutes, for times that nobody asks for. */
Object.assign(performance, { mark: () => undefined });

const RULES = [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }];

/**
 * It reports where a secret stands; caught is what would go if a caller took that out. Found is where it reports anything: enough for somebody
 * who refuses the whole text.
 */
export async function besideScanner(positives: readonly Positive[], negatives: readonly Negative[]): Promise<Section> {
  const rows: Row[] = [];
  for (const tier of [...new Set(positives.map((sample) => sample.tier))]) {
    const samples = positives.filter((sample) => sample.tier === tier);
    rows.push({ samples: tier, ...(await countsOf(samples)) });
  }
  rows.push({ samples: "all that count", ...(await countsOf(positives)) });
  for (const group of [...new Set(negatives.map((line) => line.group))]) {
    const lines = negatives.filter((line) => line.group === group);
    rows.push({ samples: `${group} lines`, of: lines.length, found: (await leftOf(lines)).filter(isChanged).length });
  }
  return { title: "secretlint 12, its recommended rules, on the same samples", rows };
}

async function countsOf(samples: readonly Positive[]): Promise<Row> {
  const left = await leftOf(samples);
  const caught = left.filter(({ sample, text }) => isCaught(sample, text)).length;
  const share = round((100 * caught) / samples.length, 1);
  return { of: samples.length, found: left.filter(isChanged).length, caught, "caught, %": share };
}

interface Left<Sample> {
  readonly sample: Sample;
  readonly text: string;
}

function leftOf<Sample extends { readonly text: string }>(samples: readonly Sample[]): Promise<Left<Sample>[]> {
  return Promise.all(samples.map(async (sample) => ({ sample, text: await withoutFindings(sample.text) })));
}

const isChanged = ({ sample, text }: Left<{ readonly text: string }>): boolean => text !== sample.text;

async function withoutFindings(text: string): Promise<string> {
  const { messages } = await lintSource({
    source: { filePath: "/note.txt", ext: ".txt", contentType: "text", content: text },
    options: { config: { rules: RULES }, noPhysicFilePath: true },
  });
  // From the end, so that the places before stay right.
  const ranges = messages.map(({ range }) => range).sort(([a], [b]) => b - a);
  return ranges.reduce((left, [start, end]) => left.slice(0, start) + MARK + left.slice(end), text);
}
