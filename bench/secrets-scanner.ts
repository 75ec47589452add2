/** Scanners that others made, on the same samples: secretlint with the rules that it recommends, and the rules of gitleaks where a file has them. */

import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { gitleaksRules } from "./secrets-gitleaks.ts";
import { isCaught, type Negative, type Positive } from "./secrets-samples.ts";
import { type Row, round, type Section } from "./table.ts";

type Span = readonly [start: number, end: number];
type Scanner = (text: string) => readonly Span[] | Promise<readonly Span[]>;

const MARK = "[REDACTED]";
/** It marks the start and the end of each rule on each text, and compares all of them in the end: minutes, for times that nobody asks for. */
Object.assign(performance, { mark: () => undefined });

const RULES = [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }];

/**
 * A scanner says where a secret stands: caught is what would go if a caller took that out. Found is where it says anything, enough for somebody
 * who refuses the whole text.
 * @param gitleaks its default configuration.
 */
export async function besideScanners(
  positives: readonly Positive[],
  negatives: readonly Negative[],
  gitleaks: string | undefined,
): Promise<Section[]> {
  const scanners: [name: string, find: Scanner][] = [
    ["secretlint 12, its recommended rules", secretlint],
  ];
  if (gitleaks !== undefined) scanners.push(["the rules of gitleaks", gitleaksRules(gitleaks)]);
  const sections: Section[] = [];
  for (const [name, find] of scanners) {
    const rows: Row[] = [];
    for (const tier of [...new Set(positives.map((sample) => sample.tier))]) {
      const samples = positives.filter((sample) => sample.tier === tier);
      rows.push({ samples: tier, ...(await countsOf(samples, find)) });
    }
    rows.push({ samples: "all that count", ...(await countsOf(positives, find)) });
    for (const group of [...new Set(negatives.map((line) => line.group))]) {
      const lines = negatives.filter((line) => line.group === group);
      rows.push({
        samples: `${group} lines`,
        of: lines.length,
        found: (await leftOf(lines, find)).filter(isChanged).length,
      });
    }
    sections.push({ title: `${name}, on the same samples`, rows });
  }
  return sections;
}

async function countsOf(samples: readonly Positive[], find: Scanner): Promise<Row> {
  const left = await leftOf(samples, find);
  const caught = left.filter(({ sample, text }) => isCaught(sample, text)).length;
  const share = round((100 * caught) / samples.length, 1);
  return { of: samples.length, found: left.filter(isChanged).length, caught, "caught, %": share };
}

interface Left<Sample> {
  readonly sample: Sample;
  readonly text: string;
}

function leftOf<Sample extends { readonly text: string }>(
  samples: readonly Sample[],
  find: Scanner,
) {
  const each = samples.map(async (sample) => ({
    sample,
    text: without(sample.text, await find(sample.text)),
  }));
  return Promise.all(each);
}

const isChanged = ({ sample, text }: Left<{ readonly text: string }>): boolean =>
  text !== sample.text;

/** Overlapping spans become one. */
function without(text: string, spans: readonly Span[]): string {
  let left = "";
  let end = 0;
  for (const [start, stop] of [...spans].sort(([a], [b]) => a - b)) {
    if (start >= end) left += text.slice(end, start) + MARK;
    end = Math.max(end, stop);
  }
  return left + text.slice(end);
}

async function secretlint(text: string): Promise<readonly Span[]> {
  const { messages } = await lintSource({
    source: { filePath: "/note.txt", ext: ".txt", contentType: "text", content: text },
    options: { config: { rules: RULES }, noPhysicFilePath: true },
  });
  return messages.map(({ range }) => [range[0], range[1]]);
}
