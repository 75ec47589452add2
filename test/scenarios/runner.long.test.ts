/** The runner itself: a story that does not hold must fail, and say where. */
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN } from "../support/project.ts";
import { removeFolder, scratchFolder } from "../support/scratch.ts";
import { readScenario } from "./read-scenario.ts";
import { tellFailures, writeReport } from "./report.ts";
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

describe.concurrent("an expectation that does not hold fails, with its line", () => {
  const EMPTY_SEARCH = "  - call: search_memory\n    with: {query: payment}\n";
  const cases = [
    [
      "a text that is not there",
      `${EMPTY_SEARCH}    expect:\n      contains:\n        - is empty\n        - is full\n`,
      10,
      'contains "is full"',
    ],
    [
      "a text that should not be there",
      `${EMPTY_SEARCH}    expect: {lacks: is empty}\n`,
      7,
      'without "is empty"',
    ],
    ["a pattern", `${EMPTY_SEARCH}    expect: {matches: "^nothing$"}\n`, 7, "matches /^nothing$/"],
    [
      "an order",
      `${EMPTY_SEARCH}    expect:\n      order: [the task leaves open, is empty]\n`,
      8,
      "in this order",
    ],
    [
      "a count",
      `${EMPTY_SEARCH}    expect:\n      times: {the task leaves open: 2}\n`,
      8,
      '"the task leaves open" 2 times',
    ],
    ["a size", `${EMPTY_SEARCH}    expect: {most_bytes: 20}\n`, 7, "at most 20 bytes"],
    [
      "an error that does not come",
      `${EMPTY_SEARCH}    expect: {error: over_limit}\n`,
      7,
      "error over_limit",
    ],
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
      "a value that is not there to capture",
      `${EMPTY_SEARCH}    capture: {ref: "#1 (\\\\w+)"}\n`,
      7,
      "matches /#1",
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
      "a process that goes on",
      "  - exchange: []\n    ending: SIGINT\n    expect: {exit: 3}\n",
      7,
      "exit status 3",
    ],
    [
      "an answer that does not come",
      "  - exchange: []\n    expect:\n      answers: {7: {}}\n",
      7,
      "an answer to 7",
    ],
  ] as const;

  test.for(cases)("%s", async ([, rest, line, expected], { expect }) => {
    const { passed, failures } = await play(rest);
    expect(passed).toBe(false);
    expect(failures).toContain(`story.scenario.yaml:${line}  step 1`);
    expect(failures).toContain(`expected: `);
    expect(failures).toContain(expected);
    expect(failures).toContain("actual: ");
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

  test("an id that is not the file's name", async () => {
    const path = await write(
      "  - list: tools\n",
      "title: A story\nproves: The runner\nid: other\n",
    );
    await expect(readScenario(path)).rejects.toThrow("story.scenario.yaml:3: ");
  });

  test("a missing part", async () => {
    await expect(readScenario(await write("  - list: tools\n", "id: story\n"))).rejects.toThrow(
      "title",
    );
  });
});

describe.concurrent("an expectation of the lesson or of a bundle that does not hold fails, with its line", () => {
  const HEAD = "id: story\ntitle: A story\nproves: The runner\nsetup: {recorded: true}\n";
  const SAID =
    "  - happened:\n      - {by: human, says: The walnut is ripe}\n  - bundle: walnut\n    expect: ";
  const cases = [
    [
      "an event that is not there",
      "  - check:\n      - event_exists: {contains: plum}\n",
      7,
      "an event like",
    ],
    [
      "an event that should not be there",
      `${SAID}{}\n  - check:\n      - no_event: {contains: ripe}\n`,
      11,
      "no event like",
    ],
    [
      "a text on the disk",
      `${SAID}{}\n  - check:\n      - nowhere_on_disk: The walnut\n`,
      11,
      "no file that holds it",
    ],
    ["a text of a section", `${SAID}{sections: {rules: {contains: ripe}}}\n`, 9, 'contains "ripe"'],
    ["a text that is in no field", `${SAID}{lacks: ripe}\n`, 9, 'without "ripe"'],
    [
      "a number of items",
      `${SAID}{sections: {retrieved_evidence: {items: 2}}}\n`,
      9,
      "2 items in retrieved_evidence",
    ],
    ["a size", `${SAID}{most_tokens: 10}\n`, 9, "at most 10 tokens"],
    ["an omission", `${SAID}{omitted: {privacy: 1}}\n`, 9, "left out: privacy"],
    ["a conflict", `${SAID}{conflict: {says: 1K, against: 2K}}\n`, 9, "1K"],
    ["a number of repeats", `${SAID}{least_folded: 1}\n`, 9, "1 folded"],
  ] as const;

  test.for(cases)("%s", async ([, rest, line, expected], { expect }) => {
    const result = await runScenario(await readScenario(await write(rest, HEAD)));
    expect(result.passed).toBe(false);
    expect(tellFailures(result)).toContain(`story.scenario.yaml:${line}  step`);
    expect(tellFailures(result)).toContain(expected);
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

  test("makes its texts of them", async () => {
    const make = 'make:\n  word_twice: {repeat: "{{word}}", bytes: 10}\n';
    const path = await write(
      '  - write: a.txt\n    text: "{{word_twice}}"\n',
      `${HEAD}  - {word: empty}\n${make}`,
    );
    const assertions = "assertions:\n  - {text_of: a.txt, contains: emptyempty, bytes: 10}\n";
    await appendFile(path, assertions);
    const file = await readScenario(path);
    expect(tellFailures(await runScenario(file, { row: file.scenario.for[0] ?? {} }))).toBe("");
  });

  test("of different columns is refused, with its line", async () => {
    const path = await write(STEP, `${HEAD}  - {word: empty}\n  - {words: full}\n`);
    await expect(readScenario(path)).rejects.toThrow(
      "story.scenario.yaml:5: for: every row has the same columns",
    );
  });
});

test("a report has each part with what was expected and what came", async () => {
  const { result } = await play(
    "  - run: [--version]\n    expect: {exit: 0, stdout: {contains: nothing like it}}\n",
  );
  await mkdir(join(folder, "reports"), { recursive: true });
  const report = JSON.parse(
    await readFile(await writeReport([result], join(folder, "reports")), "utf8"),
  );
  expect(report.results).toMatchObject([
    {
      title: "A story",
      passed: false,
      parts: [
        {
          name: "step 1: run",
          line: 5,
          checks: [
            { ok: true },
            { ok: false, line: 6, expected: 'text that contains "nothing like it"' },
          ],
        },
      ],
    },
  ]);
});
