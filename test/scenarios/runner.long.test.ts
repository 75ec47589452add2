/** The runner itself: a story that does not hold must fail, and say where. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN } from "../support/project.ts";
import { removeFolder, scratchFolder } from "../support/scratch.ts";
import { readScenario } from "./read-scenario.ts";
import { tellFailures } from "./report.ts";
import { runScenario } from "./run-scenario.ts";

let folder: string;
let written = 0;
beforeAll(() => {
  folder = scratchFolder();
});
afterAll(() => removeFolder(folder));

/** A scenario file whose steps begin on line 5. */
async function write(
  rest: string,
  head = "id: story\ntitle: A story\nproves: The runner\n",
): Promise<string> {
  const own = join(folder, String(++written));
  await mkdir(own);
  const path = join(own, "story.scenario.yaml");
  await writeFile(path, `${head}steps:\n${rest}`);
  return path;
}

async function play(rest: string, bin = BIN) {
  const result = await runScenario(await readScenario(await write(rest)), { bin });
  return { passed: result.passed, failures: tellFailures(result), result };
}

/** Whether one of the failures is at a line, and says what was expected there and what came. */
function failedAt(failures: string, line: number, expected: string): boolean {
  const here = failures
    .split("\n\n")
    .filter((failure) => failure.includes(`story.scenario.yaml:${line}  step`));
  return here.some((failure) => {
    const [, wanted = ""] = failure.split("  expected: ");
    return wanted.includes(expected) && wanted.includes("  actual: ");
  });
}

describe.concurrent("an expectation that does not hold fails, with its line", () => {
  test("of an answer, each by itself", async ({ expect }) => {
    const expectations = [
      ["contains: [is empty, is full]", 'contains "is full"'],
      ["lacks: is empty", 'without "is empty"'],
      ['matches: "^nothing$"', "matches /^nothing$/"],
      ["order: [the task leaves open, is empty]", "in this order"],
      ["times: {the task leaves open: 2}", '"the task leaves open" 2 times'],
      ["most_bytes: 20", "at most 20 bytes"],
      ["error: over_limit", "error over_limit"],
    ] as const;
    const lines = expectations.map(([line]) => `      ${line}\n`).join("");
    const call = "  - call: search_memory\n    with: {query: payment}\n    expect:\n";
    const { passed, failures } = await play(`${call}${lines}    capture: {ref: "#1 (\\\\w+)"}\n`);
    expect(passed).toBe(false);
    for (const [at, [, expected]] of expectations.entries()) {
      expect(failedAt(failures, 8 + at, expected), failures).toBe(true);
    }
    expect(failedAt(failures, 15, "matches /#1"), failures).toBe(true);
  });

  const cases = [
    [
      "an error that nobody expected",
      "  - call: log_memory\n    with: {topic: payment}\n",
      5,
      "a success",
    ],
    [
      "an error of another code",
      "  - call: log_memory\n    expect: {error: over_limit}\n",
      6,
      "error over_limit",
    ],
    [
      "a value that nobody captured",
      '  - call: search_memory\n    with: {query: "{{ref}}"}\n',
      5,
      "to be possible",
    ],
    ["an exit status", "  - run: [--version]\n    expect: {exit: 1}\n", 6, "exit status 1"],
    ["what git says", "  - git: status\n", 5, "exit status 0"],
    [
      "a lesson that is not there",
      "  - check:\n      - record: {topic: payment}\n",
      6,
      "exactly one lesson",
    ],
    ["a number of lessons", "  - check:\n      - records: 1\n", 6, "1 lessons"],
    ["a file that is not there", "  - check:\n      - exists: .context\n", 6, ".context exists"],
    [
      "a file that should not be there",
      "  - check:\n      - absent: [b, .]\n",
      6,
      ". does not exist",
    ],
    [
      "a process that goes on, and an answer that does not come",
      "  - exchange: []\n    ending: SIGINT\n    expect:\n      exit: 3\n      answers: {7: {}}\n",
      8,
      "exit status 3",
    ],
  ] as const;

  test.for(cases)("%s", async ([, rest, line, expected], { expect }) => {
    const { passed, failures } = await play(rest);
    expect(passed).toBe(false);
    expect(failedAt(failures, line, expected), failures).toBe(true);
    if (rest.includes("answers")) {
      expect(failedAt(failures, 9, "an answer to 7"), failures).toBe(true);
    }
  });

  test("the steps after a failure are not taken", async ({ expect }) => {
    const { result } = await play(
      "  - run: [--version]\n    expect: {exit: 1}\n  - write: late.txt\n    text: x\n",
    );
    expect(result.parts).toHaveLength(1);
  });

  test("a server that prints something else to standard output", async ({ expect }) => {
    const bin = join(folder, "noisy.mjs");
    await writeFile(bin, 'console.log("ready!");');
    const { failures } = await play("  - exchange: []\n", bin);
    expect(failures).toContain("nothing but protocol messages");
    expect(failures).toContain("ready!");
  });

  test("a lock that is left behind", async ({ expect }) => {
    const { failures } = await play("  - write: .context/memory_log.jsonl.lock\n    text: x\n");
    expect(failures).toContain("no lock and no staging file");
  });

  test("a memory in the home folder", async ({ expect }) => {
    const { failures } = await play('  - write: "~/.context/memory_log.jsonl"\n    text: x\n');
    expect(failures).toContain("no memory in the home folder");
  });
});

describe("a file that is no scenario is refused, with its line", () => {
  const cases = [
    ["broken YAML", "  - call: &a &b x\n", 5],
    ["an unknown kind of step", "  - call: search_memory\n  - shout: loudly\n", 6],
    ["two kinds in one step", "  - call: search_memory\n    list: tools\n", 5],
    ["a misspelt expectation", "  - call: search_memory\n    expect:\n      contians: x\n", 7],
    ["an unknown assertion", "  - check:\n      - recrods: 1\n", 6],
    ["a wrong type", "  - check:\n      - records: many\n", 6],
  ] as const;

  test.for(cases)("%s", async ([, rest, line]) => {
    await expect(readScenario(await write(rest))).rejects.toThrow(`story.scenario.yaml:${line}: `);
  });
});

describe.concurrent("an expectation of the session log or of a bundle that does not hold fails, with its line", () => {
  const HEAD = "id: story\ntitle: A story\nproves: The runner\nsetup: {recorded: true}\n";
  const SAID =
    "  - happened:\n      - {by: human, says: The walnut is ripe}\n  - bundle: walnut\n    expect:\n";
  const EXPECTED = [
    ["lacks: ripe", 'without "ripe"'],
    ["most_tokens: 10", "at most 10 tokens"],
    ["omitted: {privacy: 1}", "left out: privacy"],
    ["conflict: {says: 1K, against: 2K}", "1K"],
    ["least_folded: 1", "1 folded"],
    ["sections: {rules: {contains: ripe}, retrieved_evidence: {items: 2}}", 'contains "ripe"'],
  ] as const;
  const ASSERTED = [
    ["event_exists: {contains: plum}", "an event like"],
    ["no_event: {contains: ripe}", "no event like"],
    ["nowhere_on_disk: The walnut", "no file that holds it"],
  ] as const;
  const failuresOf = async (steps: string) =>
    tellFailures(await runScenario(await readScenario(await write(steps, HEAD))));

  test("of a bundle", async ({ expect }) => {
    const lines = EXPECTED.map(([line]) => `      ${line}\n`).join("");
    const failures = await failuresOf(SAID + lines);
    for (const [at, [, expected]] of EXPECTED.entries()) {
      expect(failedAt(failures, 10 + at, expected), failures).toBe(true);
    }
    expect(failedAt(failures, 15, "2 items in retrieved_evidence"), failures).toBe(true);
  });

  test("of what is stored", async ({ expect }) => {
    const lines = ASSERTED.map(([line]) => `      - ${line}\n`).join("");
    const failures = await failuresOf(`${SAID}      {}\n  - check:\n${lines}`);
    for (const [at, [, expected]] of ASSERTED.entries()) {
      expect(failedAt(failures, 12 + at, expected), failures).toBe(true);
    }
  });
});

describe("a story with rows", () => {
  const HEAD = "id: story\ntitle: A story of {{word}}\nproves: The runner\nfor:\n";
  const STEP =
    "  - call: search_memory\n    with: {query: payment}\n    expect:\n      contains: is {{word}}\n";

  test("runs with the values of each", async () => {
    const file = await readScenario(
      await write(STEP, `${HEAD}  - {word: empty}\n  - {word: full}\n`),
    );
    const [empty, full] = await Promise.all(
      file.scenario.for.map((row) => runScenario(file, { row })),
    );
    expect(empty).toMatchObject({ title: "A story of empty", passed: true });
    expect(full).toMatchObject({ title: "A story of full", passed: false });
  });
});
