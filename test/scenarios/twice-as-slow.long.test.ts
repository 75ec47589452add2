/**
 * The stories that say how long a bundle may take fail on a server that takes twice as long, and on nothing else of it. Machines differ by a
 * factor of two, so the limit here is 1.5 times what the server takes on this machine.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../support/in-test.ts";
import { readScenario } from "./read-scenario.ts";
import { tellFailures } from "./report.ts";
import { runScenario } from "./run-scenario.ts";

const MORE = 1.5;
const MOST_MORE = 4;
/** Never reached, so that both servers are measured in equally many rounds: a server becomes faster with each answer. */
const UNREACHED = 0;
const LIMIT = /^(\s+most_nodes: \{\w+: )[\d.]+\}$/m;
const TIMES = /^at most [\d.]+ times a bare node, (?:warm|cold)$/;
const TWICE_AS_SLOW = resolve("test/support/twice-as-slow.mjs");

test.each(["scn-p1-fast-path", "scn-p2-retrieval-path", "scn-p3-cold-path"])("%s", async (name) => {
  const text = readFileSync(`scenarios/context/${name}.scenario.yaml`, "utf8");
  const limited = async (most: number) => {
    const path = join(testFolder(), `${name}.scenario.yaml`);
    writeFileSync(path, text.replace(LIMIT, `$1${most}}`));
    return readScenario(path);
  };
  const slowOne = async () => {
    const { parts } = await runScenario(await limited(UNREACHED));
    const taken = parts
      .flatMap(({ checks }) => checks)
      .find(({ expected }) => TIMES.test(expected));
    return runScenario(await limited(MORE * Number(taken?.actual)), { bin: TWICE_AS_SLOW });
  };
  let result = await slowOne();
  // The machine may become faster between the two runs.
  for (let more = 0; more < MOST_MORE && failedIn(result).length === 0; more++)
    result = await slowOne();
  expect(failedIn(result), tellFailures(result)).toHaveLength(1);
  expect(failedIn(result)[0]?.expected).toMatch(TIMES);
});

const failedIn = ({ parts }: Awaited<ReturnType<typeof runScenario>>) =>
  parts.flatMap(({ checks }) => checks.filter(({ ok }) => !ok));
