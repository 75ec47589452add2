/** What a branch changes in the memory, and what happened to it: from the file, git, the tombstones and the trash. */
import { beforeEach, describe, expect, it } from "vitest";
import { lessonId } from "../../src/lessons/format/lesson.ts";
import { testProject, testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { withServer } from "../support/server.ts";

const MEMORY = ".context/memory_log.jsonl";
const ID = "[0-9a-f]{8}";

interface Text {
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly ask_next_time?: string;
}

const VAT = {
  topic: "payment",
  missing_context: "VAT differs by country",
  lesson: "Read the tax table first",
};
const REFUND = {
  topic: "payment",
  missing_context: "Refunds have their own API",
  lesson: "Use the refund API",
};
const TIMEOUT = {
  topic: "payment",
  missing_context: "The provider times out",
  lesson: "Retry once after 10 s",
};
const CACHE = {
  topic: "cache",
  missing_context: "The cache is per host",
  lesson: "Purge it on every host",
};

let repository: Project;
beforeEach(async () => {
  repository = await testRepository();
});

const idOf = (text: Text) => lessonId({ type: "log", ...text }).slice(0, 8);

/** What an agent's server answers to calls, one after the other. */
async function logged(...calls: readonly object[]): Promise<void> {
  await withServer(repository.server(), async (server) => {
    for (const call of calls) {
      await server.ask("log_memory", { ...call });
    }
  });
}

/** Compacts what is there of a topic as an agent does: with the references that the plan prints. */
async function compacted(topic: string, lesson: string): Promise<void> {
  await withServer(repository.server(), async (server) => {
    const plan = await server.ask("compact_memory", { target_topic: topic });
    const source_ids = [...new Set(plan.match(/\b[0-9a-f]{8}@[0-9a-f]{4,}/g))];
    await server.ask("log_memory", {
      type: "principle",
      topic,
      lesson,
      source_ids,
    });
  });
}

async function commitAs(name: string, message: string): Promise<string> {
  await repository.git("add", "--all");
  await repository.git(
    "commit",
    "--quiet",
    "--author",
    `${name} <${name.toLowerCase()}@example.com>`,
    "--message",
    message,
  );
  return (await repository.git("rev-parse", "--short", "HEAD")).trim();
}

async function printed(...args: string[]): Promise<string> {
  const { exit, stdout, stderr } = await repository.sentinel(args);
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^(?:To see one in full: .* show [0-9a-f]{8}\n)?$/);
  return stdout;
}

describe("diff", () => {
  beforeEach(async () => {
    await logged(VAT, REFUND, CACHE);
    await commitAs("Ann", "Log");
    await repository.git("checkout", "--quiet", "-b", "feature");
  });

  it("names the commit it compares with as the command did, or by the name that git gives it", async () => {
    await logged({ topic: "cache", missing_context: "TTL", lesson: "Five minutes" });
    const commit = (await repository.git("rev-parse", "HEAD")).trim();
    await commitAs("Ann", "Log");
    for (const ref of [commit, commit.slice(0, 7), "HEAD~1", "main~0", "main", "HEAD"]) {
      expect(await printed("diff", ref)).toContain(`Compared with ${ref}`);
    }
    expect(await printed("diff")).toContain("Compared with feature");
    await repository.git("checkout", "--quiet", "--detach");
    expect(await printed("diff")).toContain("Compared with HEAD");
  });

  it("shows a compaction with the texts of its sources, also of one that came and went on the branch", async () => {
    await logged(TIMEOUT);
    await commitAs("Ben", "Log the timeout");
    await compacted("payment", "Check taxes by country; use the refund API; retry once after 10 s");
    await commitAs("Ben", "Compact");
    await repository.git("clean", "-dfxq"); // Another machine has no trash.
    const text = await printed("diff", "main");
    expect(text).toMatch(/^Compared with main: 1 compacted from 3 lessons\n\ncompacted\n/);
    for (const source of [VAT, REFUND, TIMEOUT]) {
      expect(text).toMatch(
        new RegExp(`from ${idOf(source)} {2}payment\\n +missing +${source.missing_context}\\n`),
      );
      expect(text).toMatch(new RegExp(`lesson +${source.lesson}\\n`));
    }
    expect(await printed("diff", "HEAD")).toContain("Nothing changes");
  });

  it("shows what is new, edited, forgotten, removed by hand and met again, committed or not", async () => {
    await logged(
      { ...VAT, lesson: "Read the table of the country", ask_next_time: "Which countries?" },
      TIMEOUT,
    );
    await repository.sentinel(["forget", idOf(REFUND), "--reason", "the API is gone"]);
    await commitAs("Ben", "Work");
    const lines = (await repository.memory())
      .split("\n")
      .filter((line) => !line.includes("every host"));
    await repository.write(MEMORY, lines.join("\n"));
    const text = await printed("diff", "main");
    expect(text).toMatch(/^Compared with main: 1 new, 1 edited, 1 forgotten, 1 removed by hand\n/);
    expect(text).toMatch(
      /- lesson +Read the tax table first\n +\+ lesson +Read the table of the country\n +\+ ask +Which countries\?\n/,
    );
    expect(text).toContain(`${idOf(REFUND)}  payment  (the API is gone)\n`);
    expect(text).toMatch(new RegExp(`removed by hand\\n\\n {2}${idOf(CACHE)} {2}cache\\n`));
  });

  it("shows a lesson that corrects another, and one that is back", async () => {
    await repository.sentinel(["forget", idOf(CACHE)]);
    await commitAs("Ben", "Forget");
    await repository.git("checkout", "--quiet", "-b", "later");
    await repository.sentinel(["restore", idOf(CACHE)]);
    await withServer(repository.server(), async (server) => {
      await server.ask("search_memory", { ids: [idOf(REFUND)] });
      await server.ask("log_memory", { ...TIMEOUT, replaces: [idOf(REFUND)] });
    });
    expect(await printed("diff", "feature")).toMatch(
      /^Compared with feature: 1 replaced from 1 lesson, 1 restored\n/,
    );
  });

  it("compares with what the branch pushes to, and only from where it left it", async () => {
    await repository.git("branch", "--quiet", "--set-upstream-to", "main");
    await logged(TIMEOUT);
    await repository.git("stash", "--quiet");
    await repository.git("checkout", "--quiet", "main");
    await logged({ ...TIMEOUT, missing_context: "Only on main" });
    await commitAs("Ann", "Log on main");
    await repository.git("checkout", "--quiet", "feature");
    await repository.git("stash", "pop", "--quiet");
    const text = await printed("diff");
    expect(text).toMatch(/^Compared with main: 1 new\n/);
    expect(text).not.toContain("Only on main");
  });

  it("keeps stored text from breaking out, in a terminal and in a fence of a comment", async () => {
    const hostile = {
      topic: "ci",
      missing_context: "gap\n### heading",
      lesson: "a\u001b[31m\n- item\n<img src=x>\n~~~\nend",
    };
    await repository.append(MEMORY, `${JSON.stringify(log(hostile))}\n`);
    const text = await printed("diff", "main");
    expect(text).not.toContain("\u001b");
    expect(text).not.toMatch(/^- item/m);
    // So no fence of a comment ends within it.
    expect(text).not.toMatch(/^ {0,3}~~~/m);
  });

  it("does not show what was purged", async () => {
    await repository.sentinel(["purge", idOf(REFUND), "--yes"]);
    const text = await printed("diff", "main");
    expect(text).toMatch(new RegExp(`1 purged\\n\\npurged\\n\\n {2}${idOf(REFUND)}\\n$`));
  });

  it("names a ref that git does not know", async () => {
    const { exit, stderr } = await repository.sentinel(["diff", "no-such-branch"]);
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining('git knows no "no-such-branch"'),
    });
    expect((await repository.sentinel(["diff", "--", "--output=x"])).stderr).toContain(
      "error not_found",
    );
  });
});

describe("history", () => {
  it("lists what happened, in order, with who committed it", async () => {
    await logged(VAT, REFUND);
    const ann = await commitAs("Ann", "Log");
    await logged(CACHE, { ...VAT, lesson: "Read the table of the country" });
    await repository.sentinel(["forget", idOf(CACHE), "--reason", "one host now"]);
    const ben = await commitAs("Ben", "Work");
    await compacted("payment", "Read the table of the country; use the refund API");
    await repository.sentinel(["restore", idOf(CACHE)]);

    const lines = (await printed("history")).trimEnd().split("\n");
    expect(
      lines.map((line) =>
        line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}/, "").replaceAll(/ {2,}/g, "  "),
      ),
    ).toEqual([
      `learnt  ${idOf(VAT)}  payment: ${VAT.lesson}  (Ann, ${ann})`,
      `learnt  ${idOf(REFUND)}  payment: ${REFUND.lesson}  (Ann, ${ann})`,
      `learnt  ${idOf(CACHE)}  cache: ${CACHE.lesson}  (this machine)`,
      `met again  ${idOf(VAT)}  payment: Read the table of the country  (Ben, ${ben})`,
      `forgotten  ${idOf(CACHE)}  cache: ${CACHE.lesson}  (one host now)  (Ben, ${ben})`,
      expect.stringMatching(
        new RegExp(`^compacted {2}${ID} {2}payment: .* {2}from 2 lessons {2}\\(not committed\\)$`),
      ),
      `restored  ${idOf(CACHE)}  cache: ${CACHE.lesson}  (not committed)`,
    ]);

    expect(await printed("history", "--topic", "Cache")).toMatch(
      /^.*learnt.*\n.*forgotten.*\n.*restored.*\n$/,
    );
    expect(await printed("history", "--since", "2h")).toBe(`${lines.join("\n")}\n`);
    expect(await repository.sentinel(["history", "--since", "2199-01-01"])).toMatchObject({
      stdout: "",
      stderr: "None of 7 changes matches.\n",
    });
  });

  it("says in one line that nothing was learnt yet", async () => {
    expect(await repository.sentinel(["history"])).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: "Nothing was learnt here yet: the memory has no lesson.\n",
    });
  });

  it("is the same for a teammate, but for what only this machine knows", async () => {
    await logged(VAT, REFUND);
    await commitAs("Ann", "Log");
    await compacted("payment", "Read the tax table; use the refund API");
    await commitAs("Ann", "Compact");
    const here = await printed("history");
    repository = await repository.clone();
    expect(await printed("history")).toBe(here);
    expect(here.trimEnd().split("\n")).toHaveLength(3);
  });

  it("works without a repository, and refuses an age that is none", async () => {
    repository = await testProject();
    await logged(VAT);
    expect(await printed("history")).toMatch(/learnt .*\(not committed\)\n$/);
    const { exit, stderr } = await repository.sentinel(["history", "--since", "soon"]);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining("bad_argument") });
  });
});
