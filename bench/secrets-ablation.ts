/** What each detector earns: secrets missed and ordinary lines spared without it. */

import { DETECTORS, redactWithin } from "../src/ground/redaction/redact.ts";
import type { Detector } from "../src/ground/redaction/span.ts";
import { isCaught, type Negative, type Positive } from "./secrets-samples.ts";
import { round, type Section } from "./table.ts";

/** Counts samples, in percent of all: recall without each detector, and lines of each group that change. */
export function ablation(positives: readonly Positive[], negatives: readonly Negative[]): Section {
  const measure = (without: string, detectors: readonly Detector[]) => {
    const left = (text: string) => redactWithin(text, 0, text.length, detectors).text;
    const missed = positives.filter((sample) => !isCaught(sample, left(sample.text))).length;
    const changed = (group: string) =>
      negatives.filter((line) => line.group === group && left(line.text) !== line.text);
    return {
      without,
      "recall, %": round(100 - (100 * missed) / positives.length, 2),
      missed,
      "strict lines changed": changed("strict").length,
      "noisy lines changed": changed("tool-fp").length,
    };
  };
  const all = Object.values(DETECTORS);
  const rows = Object.entries(DETECTORS).map(([name, one]) =>
    measure(
      name,
      all.filter((detector) => detector !== one),
    ),
  );
  return { title: "Without one detector", rows: [measure("nothing", all), ...rows] };
}
