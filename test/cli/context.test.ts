/** The active context at the command line, as a person or a loop of one's own gets it. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { estimateTokens } from "../../src/ground/core/tokens.ts";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { testProject } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";
import { readUntil } from "../support/wait.ts";

/** Only tells what never comes from what takes long, in ms. */
const DEADLINE_MS = 60_000;

let shop: Project;
beforeAll(async () => {
  shop = await Project.repository();
  await recordFromTheStart(shop);
  const session = new Session({ cwd: shop.folder, at: Date.now() - 3_600_000 })
    .asks("Why is the invoice for books wrong?")
    .uses("Bash", { command: "npm test" }, "the rounding of reduced_rate failed", { error: true })
    .says("The rate is applied twice in src/vat.ts")
    .asks("부가세 환불 흐름을 고쳐 줘");
  await keepTranscript(shop, session);
});
afterAll(() => shop.remove());

/** A bundle, once it has what is to be found: a machine that does much else reads on in the next call. */
async function onceRead(query: string, found: string): Promise<string> {
  const read = async () => {
    const { stdout, stderr, exit } = await shop.run("context", query);
    expect([exit, stderr]).toEqual([0, ""]);
    return stdout;
  };
  return readUntil(read, (stdout) => stdout.includes(found), DEADLINE_MS);
}

it("is made of what agents wrote until this moment, without a capture before it", async () => {
  const stdout = await onceRead("what did we find about the invoice?", "The rate is applied twice");
  expect(stdout).toMatch(/^Bundle acb_\w{6}, session 5e5510\w\w, intent recall: /);
  expect(stdout).toContain("The rate is applied twice in src/vat.ts");
  expect(stdout).toContain("--- notes, not orders ---");
  expect(stdout).toContain("last command: `npm test` failed: the rounding of reduced_rate failed");
});

it("is a program's as JSON: what stands in it, what was left out, and how it came about", async () => {
  await onceRead("환불 흐름", "부가세 환불 흐름을 고쳐 줘");
  const bundle = (await shop.json("context", "환불 흐름", "--max-tokens", "600")) as Record<
    string,
    unknown
  >;
  expect(bundle).toMatchObject({
    acb_id: expect.stringMatching(/^acb_[0-9a-f]{16}$/),
    budget_tokens: 600,
    provenance: {
      intent: "task",
      filters: { channel: "private" },
      read: { bytes: expect.any(Number) },
    },
  });
  expect(bundle.token_used_est).toBeLessThanOrEqual(600);
  expect(JSON.stringify(bundle.sections)).toContain("부가세 환불 흐름을 고쳐 줘");
});

it("does not show the words of a query that must not be stored: an agent's transcript holds what it shows", async () => {
  await shop.write(
    ".context/policies/privacy.yaml",
    "version: 1\nnever_store:\n  words: [Zorgatron]\n",
  );
  const query = `refunds ${SECRET_TOKEN} <private>of Acme</private> for Zorgatron flow`;
  const { stdout } = await shop.run("context", query);
  expect(stdout).toContain("refund");
  const json = JSON.stringify(await shop.json("context", query));
  for (const shown of [stdout, json]) {
    // Ids are drawn, and may hold any letters.
    expect(shown.replace(/(evt|chk)_\w+/g, "").toLowerCase()).not.toMatch(/acm|zorg/);
    for (let at = 4; at + 8 <= SECRET_TOKEN.length; at++) {
      expect(shown.toLowerCase()).not.toContain(SECRET_TOKEN.slice(at, at + 8).toLowerCase());
    }
  }
});

it("is refused with a fix where nothing is recorded, and for what is not a number of tokens", async () => {
  const none = await (await testProject()).run("context", "anything");
  expect([none.exit, none.stdout]).toEqual([1, ""]);
  expect(none.stderr).toContain(" sessions on");
  for (const tokens of ["50", "65001"]) {
    expect((await shop.run("context", "x", "--max-tokens", tokens)).stderr).toContain(
      "200 or more and 65000 at most",
    );
  }
});

it("says in one line that nothing is recorded yet", async () => {
  const project = await testProject();
  await project.run("sessions", "on");
  expect((await project.run("context")).stdout).toBe("Nothing is recorded that helps with this.\n");
});

it("has one figure for its tokens, in the bundle and in the receipt, whatever the rules are drawn with", async () => {
  const drawn = await testProject();
  await recordFromTheStart(drawn);
  const rules = Array.from({ length: 40 }, (_, at) => {
    const encoded = Buffer.from(`the drawing of step ${at} in the plan of the release`).toString(
      "base64",
    );
    return [`├${"─".repeat(24)}┤ step ${at}`, `🚀 release ${at} ✅ after the tests 🧪`, encoded][
      at % 3
    ];
  });
  await drawn.write(".context/views/rules.project.md", `${rules.join("\n")}\n`);
  const asked = ["context", "release", "--max-tokens", "2000"];
  const bundle = (await drawn.json(...asked)) as { token_used_est: number };
  const { stdout } = await drawn.run(...asked);
  expect(stdout).toContain("🚀 release 37 ✅");
  expect(bundle.token_used_est).toBe(estimateTokens(stdout.trimEnd()));
  const shown = await withServer(drawn.server(), (server) =>
    server.call("build_acb", { query: "release", max_tokens: 2_000 }),
  );
  const { tokens = 0 } = shown.receipt ?? {};
  expect(tokens).toBe(estimateTokens(shown.text));
  expect(Math.abs(tokens / countTokens(shown.text) - 1)).toBeLessThan(0.15);
});

it("goes on with the last session, however long ago that was", async () => {
  const project = await testProject();
  await recordFromTheStart(project);
  const session = new Session({ cwd: project.folder, at: Date.now() - 40 * 24 * 3_600_000 })
    .asks("Write the letter to the customers in Norway")
    .uses(
      "Edit",
      { file_path: `${project.folder}/letter.md`, old_string: "a", new_string: "b" },
      "updated",
    );
  await keepTranscript(project, session);
  await project.run("sessions", "capture");
  const { stdout } = await project.run("context", "continue");
  expect(stdout).toContain("Write the letter to the customers in Norway");
  expect(stdout).toContain("letter.md");
  expect((await project.run("context", "taxes of Norway")).stdout).not.toContain("asked, until");
});

it("shows the lessons that clearly match", async () => {
  const bills = await testProject();
  const log = (topic: string, missing: string, lesson: string) =>
    bills.run("add", "--topic", topic, "--missing", missing, "--lesson", lesson);
  await log(
    "billing",
    "Which form a customer pays with",
    "Use Stripe Checkout instead of custom forms",
  );
  await log(
    "payment",
    "VAT differs by country",
    "Check the tax table of the country before changing an amount",
  );
  await bills.run("sessions", "on");
  const shownFor = async (query: string) => {
    const bundle = (await bills.json("context", query)) as Bundle;
    const lessons = bundle.sections.flatMap(({ name, items }) => (name === "lessons" ? items : []));
    return lessons.flatMap(({ refs }) => refs.map((ref) => ref.replace("lesson:", "")));
  };
  expect(await shownFor("fix the payment module")).toHaveLength(1);
  expect(await shownFor("add a check to the import")).toEqual([]);
  const found = (await bills.json("search", "Stripe")) as { id: string }[];
  expect(await shownFor("Stripe")).toEqual(found.map(({ id }) => id.slice(0, 8)));
});
