import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";

const VAT = log({
  ask_next_time: "Which countries?",
  meta: { created: "2026-02-27T10:30:00.000Z", count: 3 },
});
const REFUND = log({
  missing_context: "Refunds go to another API",
  lesson: "Use the refund API",
  meta: { created: "2026-03-01T00:00:00.000Z" },
});
const LOGIN = log({
  topic: "auth",
  missing_context: "Tokens expire",
  lesson: "Refresh before the call",
  meta: { created: "2026-02-28T00:00:00.000Z" },
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: output must contain none of these.
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe("list", () => {
  it("groups by topic, newest first, whole and without colours in a pipe", async () => {
    const { stdout, stderr, exit } = await (await testProject({ lines: [VAT, REFUND, LOGIN] })).run(
      "list",
    );
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    expect(stdout).toBe(
      [
        "payment (2 lessons)",
        `  ${REFUND.id.slice(0, 8)}  2026-03-01  Use the refund API`,
        `  ${VAT.id.slice(0, 8)}  2026-02-27  Read the tax table first`,
        "",
        "auth (1 lesson)",
        `  ${LOGIN.id.slice(0, 8)}  2026-02-28  Refresh before the call`,
        "",
      ].join("\n"),
    );
  });

  it("gives one topic, or the lessons as JSON", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    expect((await project.run("list", "--topic", "auth")).stdout).not.toContain("payment");
    expect(await project.json("list", "--topic", "payment")).toEqual([VAT]);
  });

  it("names the nearest topics instead of an unknown one", async () => {
    const { stderr, exit } = await (await testProject({ lines: [VAT, LOGIN] })).run(
      "list",
      "--topic",
      "payments",
    );
    expect(exit).toBe(1);
    expect(stderr).toContain("Use an existing topic, for example: payment");
  });

  it("says on standard error that there is nothing yet, and leaves nothing behind", async () => {
    const project = await testProject();
    const { stdout, stderr, exit } = await project.run("list");
    expect({ stdout, exit }).toEqual({ stdout: "", exit: 0 });
    expect(stderr).toContain("empty");
    expect(await project.json("list")).toEqual([]);
    await expect(project.memory()).rejects.toThrow();
  });

  it("does not call a memory empty whose lines it cannot read", async () => {
    const { stderr } = await (await testProject({ lines: ["half a rec"] })).run("list");
    expect(stderr).toContain("line 1: not JSON");
    expect(stderr).not.toContain("empty");
  });
});

describe("search", () => {
  it("for nothing is an error, in the memory as in the session log", async () => {
    const project = await testProject({ lines: [VAT] });
    for (const blank of ["", "  "]) {
      expect(await project.run("search", blank)).toMatchObject({
        exit: 1,
        stdout: "",
        stderr: expect.stringMatching(
          /^error bad_argument: There is nothing to search the memory for\.\nfix: /,
        ),
      });
    }
  });

  it("finds the best match first, and nothing that does not match", async () => {
    const project = await testProject({ lines: [VAT, REFUND, LOGIN] });
    const found = (await project.json("search", "refund", "api")) as {
      id: string;
      relevance: number;
    }[];
    expect(found[0]?.id).toBe(REFUND.id);
    for (const { relevance } of found) {
      expect(relevance > 0 && relevance <= 1).toBe(true);
    }
    const { stdout, stderr } = await project.run("search", "kubernetes");
    expect(stdout).toBe("");
    expect(stderr).toContain("None of 3 lessons matches");
  });

  it("prints the relevance, a lock on redacted lessons, and a tip", async () => {
    const hidden = log({ topic: "refund", missing_context: "The key", lesson: "Use [REDACTED]" });
    const project = await testProject({ lines: [VAT, REFUND, LOGIN, hidden] });
    const { stdout, stderr } = await project.run("search", "refund");
    expect(stdout).toMatch(
      new RegExp(`^${REFUND.id.slice(0, 8)} .* {2}relevance [01]\\.\\d\\d$`, "m"),
    );
    expect(stdout).toMatch(new RegExp(`^\u{1f512} {2}${hidden.id.slice(0, 8)} `, "mu"));
    expect(stderr).toMatch(/ show \w{8} has (?:its|the) dates and changes/m);
    const history = await project.run("history");
    expect(history.stdout).toMatch(/\u{1f512} {2}refund: Use \[REDACTED\]/u);
    expect(history.stderr).toMatch(/^To see one in full: .* show \w{8}$/m);
  });
});

describe("show", () => {
  it("shows all of a record", async () => {
    const { stdout } = await (await testProject({ lines: [VAT, LOGIN] })).run(
      "show",
      VAT.id.slice(0, 6),
    );
    for (const part of [
      VAT.id,
      "payment",
      "2026-02-27T10:30:00.000Z",
      "3 times",
      "VAT differs",
      "tax table",
      "Which countries?",
    ]) {
      expect(stdout).toContain(part);
    }
  });

  it("says of a name that names nothing what is wrong with it, and nothing of changes, which a read does not make", async () => {
    const twin = { ...LOGIN, id: `${VAT.id.slice(0, 6)}${LOGIN.id.slice(6)}` };
    const project = await testProject({ lines: [VAT, twin] });
    for (const [name, why] of [
      [VAT.id.slice(0, 6), "several lessons begin like this"],
      ["0123456789", "no lesson has this id"],
      ["012", "too few digits"],
      [`${VAT.id}@ffff`, "no text of this lesson"],
      ["a@b", "not a reference"],
      ["", "is blank"],
    ] as const) {
      const shown = await project.run("show", name);
      expect(shown).toMatchObject({ exit: 1, stdout: "", stderr: expect.stringContaining(why) });
      expect(shown.stderr).not.toContain("changed");
      if (name !== "") {
        expect((await project.run("forget", name, "--yes")).stderr).toContain(
          "Nothing was changed.",
        );
      }
    }
    expect((await project.run("forget", "", "--yes")).stderr).toContain("nothing was done");
  });

  it("shows what a principle was made from, and a lesson that was taken out", async () => {
    const principle = log({
      type: "principle",
      missing_context: "",
      lesson: "Ask for the country",
      meta: {
        // An old principle would lose the covers of its sources.
        created: new Date().toISOString(),
        sources: { [VAT.id]: VAT.meta.created, "0123456789abcdef": "2026-01-01T00:00:00.000Z" },
      },
    });
    const project = await testProject({ lines: [VAT, principle, LOGIN] });
    // Any save moves what the principle covers into the trash.
    await project.run("forget", LOGIN.id, "--yes");
    const shown = (await project.run("show", principle.id)).stdout;
    expect(shown).toContain(`${VAT.id.slice(0, 8)}  payment: Read the tax table first`);
    expect(shown).toContain("its text is not on this machine");
    const gone = await project.run("show", LOGIN.id);
    expect(gone.stderr).toContain("restore brings it back");
    expect(gone.stdout).toContain("Refresh before the call");
  });
});

it("diff says that there is no commit yet", async () => {
  const project = await testProject({ lines: [VAT] });
  const { exit, stderr } = await project.run("diff");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("There is no commit to compare")]);
});

describe("topics and stats", () => {
  it("count, and name what may be one topic", async () => {
    const project = await testProject({
      lines: [VAT, REFUND, LOGIN, log({ topic: "auth-login", missing_context: "x" })],
    });
    const topics = (await project.run("list", "--topics")).stdout;
    expect(topics).toMatch(/2 {2}payment\n/);
    expect(topics).toMatch(/May be one topic: auth(-login)?, auth/);
    const stats = (await project.run("list", "--stats")).stdout;
    expect(stats).toMatch(/records +4 .*\nprinciples +\d+\ntopics +3\nfile +/);
    expect(stats).toMatch(/in full +about \d+ tokens in an answer that shows every lesson\n/);
  });
});

describe("whatever a lesson says", () => {
  it("never reaches the terminal as control characters", async () => {
    const hostile = log({
      topic: "a\u001b]0;title\u0007",
      lesson: "red \u001b[31m\u009b31m \u202egnp.exe\rover\nnext",
    });
    const project = await testProject({ lines: [hostile] });
    for (const args of [
      ["list"],
      ["list", "--json"],
      ["search", "red"],
      ["show", hostile.id],
      ["list", "--topics"],
      ["export"],
      ["export", "--json"],
    ]) {
      const { stdout, exit } = await project.run(...args);
      expect(exit).toBe(0);
      expect(stdout, args.join(" ")).not.toMatch(HIDDEN);
    }
  });
});

describe("the command line", () => {
  it("suggests the nearest command, and says what an exit status means", async () => {
    const project = await testProject({ lines: [VAT] });
    expect(await project.run("serch", "tax")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("search"),
    });
    for (const wrong of [["show"], ["list", "--tpoic", "a"], ["search", "a", "--limit", "none"]]) {
      const { exit, stderr } = await project.run(...wrong);
      expect({ exit, stderr }).toMatchObject({
        exit: 1,
        stderr: expect.stringMatching(/^error bad_argument: (?:.|\n)*\nfix: .*--help/),
      });
    }
    expect((await project.run("--help")).stdout).toContain("Exit status");
    for (const command of ["list", "search", "import", "check"]) {
      expect(await project.run(command, "--help")).toMatchObject({ exit: 0, stderr: "" });
    }
  });
});
