/** Plays one scenario from its setup to its assertions, and tells what came of each part. */
import { readdir } from "node:fs/promises";
import { BIN, type Project } from "../support/project.ts";
import { checkAssertion } from "./assertions.ts";
import type { BundleMeasures } from "./bundle-step.ts";
import { type Check, check } from "./check.ts";
import type { Path, ScenarioFile } from "./read-scenario.ts";
import type { Row, Step } from "./scenario.ts";
import { takeStep } from "./steps.ts";
import { Story } from "./story.ts";

interface PartResult {
  readonly name: string;
  /** Line of the scenario file. */
  readonly line: number;
  readonly ms: number;
  readonly checks: readonly (Omit<Check, "at"> & { readonly line: number })[];
}

export interface ScenarioResult {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly proves: string;
  readonly passed: boolean;
  readonly ms: number;
  readonly bundles: readonly BundleMeasures[];
  readonly parts: readonly PartResult[];
}

/** A part that fails ends the story: what comes after it would only fail because of it. */
export async function runScenario(
  { file, scenario, lineOf }: ScenarioFile,
  { row = {}, bin = BIN }: { readonly row?: Row; readonly bin?: string } = {},
): Promise<ScenarioResult> {
  const began = performance.now();
  const story = await Story.begin(scenario, row, bin);
  const parts: PartResult[] = [];
  const passed = () => parts.every(({ checks }) => checks.every(({ ok }) => ok));
  const play = async (name: string, at: Path, work: () => Promise<Check[]>) => {
    if (!passed()) {
      return;
    }
    const begun = performance.now();
    const checks = await work().catch((error: unknown) => [broken(error)]);
    const located = checks.map(({ at: where, ...rest }) => ({
      ...rest,
      line: lineOf([...at, ...where]),
    }));
    parts.push({
      name,
      line: lineOf(at),
      ms: Math.round(performance.now() - begun),
      checks: located,
    });
  };

  try {
    for (const [index, step] of scenario.steps.entries()) {
      await play(`step ${index + 1}: ${describe(step)}`, ["steps", index], async () =>
        takeStep(story.values.fill(step), story),
      );
    }
    for (const [index, assertion] of scenario.assertions.entries()) {
      const place = ["assertions", index];
      await play(`assertion ${index + 1}`, place, async () =>
        checkAssertion(story.values.fill(assertion), story, []),
      );
    }
    await play("what every story leaves behind", ["id"], () => checkLeavings(story));
  } finally {
    await story.end();
    story.project.remove();
  }
  const { id, proves } = scenario;
  const title = story.values.fill(scenario.title);
  const ms = Math.round(performance.now() - began);
  return { id, file, title, proves, passed: passed(), ms, bundles: story.bundles, parts };
}

/** A server speaks only the protocol, and neither a lock nor a file in the home folder outlives it. */
async function checkLeavings(story: Story): Promise<Check[]> {
  const noise = await story.end();
  const [leftovers, atHome] = await Promise.all([
    leftoversIn(story.project),
    readdir(story.project.home),
  ]);
  return [
    check(
      [],
      noise.length === 0,
      "standard output with nothing but protocol messages",
      noise.join("\n"),
    ),
    check([], leftovers.length === 0, "no lock and no staging file", leftovers.join(", ")),
    check([], !atHome.includes(".context"), "no memory in the home folder", atHome.join(", ")),
  ];
}

async function leftoversIn({ home }: Project): Promise<string[]> {
  const files = await readdir(home, { recursive: true });
  return files.filter((file) => /\.context\b.*\.(?:lock|staging-)/.test(file));
}

function describe(step: Step): string {
  const [[verb, value] = []] = Object.entries(step);
  return typeof value === "string" ? `${verb} ${value}` : `${verb}`;
}

function broken(error: unknown): Check {
  return check(
    [],
    false,
    "the step to be possible",
    error instanceof Error ? error.message : String(error),
  );
}
