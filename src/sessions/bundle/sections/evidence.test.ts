import { expect, it } from "vitest";
import { all } from "../../../../test/contracts/event-store.ts";
import { logOf, saidAgo, saidIn } from "../../../../test/support/bundle-record.ts";
import { bundleText } from "../bundle-text.ts";

const agent = { type: "agent", id: "claude-code" } as const;
const path = "src/vat-rounding.ts";

it("shows calls and what they gave", async () => {
  const { bundle } = await logOf([
    saidAgo(49, "", {
      session: "s2",
      kind: "tool_result",
      content: { tool: "Read", path, text: "rounding of VAT" },
    }),
    saidAgo(48, "", {
      session: "s2",
      actor: agent,
      kind: "tool_call",
      content: { tool: "Bash", command: "npm test -- vat-rounding", input: {} },
    }),
  ]);
  const text = saidIn(await bundle({ query: "where is the vat rounding?" }), "retrieved_evidence");
  expect(text).toContain("rounding of VAT");
  expect(text).toContain("npm test -- vat-rounding");
});

it("leaves out and counts what hardly matches, and shows it to who asks for a large bundle", async () => {
  const weak = Array.from({ length: 30 }, (_, at) =>
    saidAgo(500_000 + at, `Shop ${at} of town ${at * 7} has other dates`, { session: "s2" }),
  );
  const answer = saidAgo(500_100, "The walnut importer clamps dates before 1970 to the epoch", {
    session: "s3",
  });
  const { bundle } = await logOf([...weak, answer]);
  const query = "which dates does the walnut importer clamp to the epoch?";
  const small = await bundle({ query, intent: "recall" });
  expect(saidIn(small, "retrieved_evidence")).toContain("before 1970");
  const shown = saidIn(small, "retrieved_evidence").match(/has other dates/g)?.length ?? 0;
  expect(small.omissions).toMatchObject([{ reason: "weak_match", count: weak.length - shown }]);
  expect(shown, "the twenty best are shown however little they match").toBe(19);
  const large = await bundle({ query, intent: "recall", maxTokens: 60_000 });
  expect(saidIn(large, "retrieved_evidence").match(/has other dates/g)?.length).toBeGreaterThan(
    shown,
  );
});

it("says a command that was called twice once", async () => {
  const command =
    'git commit -m "Let the walnut importer clamp dates before the epoch, as the ledger of the shop does"';
  const called = (at: number, end: string) =>
    saidAgo(at, "", {
      session: "s2",
      kind: "tool_call",
      content: { tool: "Bash", command: `${command}${end}` },
    });
  const { bundle } = await logOf([called(90, ""), called(80, ";")]);
  const text = saidIn(
    await bundle({ query: "what clamps dates in the walnut importer?" }),
    "retrieved_evidence",
  );
  expect(text.match(/git commit/g)?.length).toBe(1);
});

it("shows what a query finds beside what is pinned, also where there is hardly room", async () => {
  const rule = (about: string) =>
    `The ${about} has a rule of its own that nobody may forget. `.repeat(20);
  const rules = ["font", "logo", "banner", "footer"];
  const said = rules.map((about, at) =>
    saidAgo(90 - at, rule(about), { session: "s1", origin: about }),
  );
  const found = saidAgo(
    50,
    "The retry waits for thirty seconds, and the one after it longer. ".repeat(10),
    {
      session: "s2",
    },
  );
  const { store, bundle } = await logOf([...said, found]);
  const ids = (await all(store)).slice(0, rules.length).map(({ id }) => id);
  await store.append(
    ids.map((id, at) =>
      saidAgo(40 - at, "", {
        session: "s1",
        kind: "pin",
        content: { ref: id, note: rules[at] ?? "" },
      }),
    ),
  );
  const text = saidIn(
    await bundle({ query: "how long does the retry wait?", maxTokens: 350 }),
    "retrieved_evidence",
  );
  expect(text).toMatch(/^pinned, user/m);
  expect(text).toContain("thirty seconds");
});

it("shows the part that answers beside the beginning of what is pinned", async () => {
  const filler = "The walnut importer reads every invoice of the shop once a night. ".repeat(150);
  const text = `${filler}\n\nThe retry waits for thirty seconds.`;
  const { store, bundle } = await logOf([saidAgo(90, text, { session: "s2" })]);
  const [{ id = "" } = {}] = await all(store);
  const content = { ref: id, note: "How the importer works" };
  await store.append([saidAgo(40, "", { session: "s2", kind: "pin", content })]);
  const told = await bundle({ query: "how long does the retry wait?", intent: "recall" });
  const shown = saidIn(told, "retrieved_evidence");
  expect(shown).toMatch(/^pinned, user/m);
  expect(shown).toContain("thirty seconds");
});

it("tells what is pinned once, where its line in the task says all of it", async () => {
  const { store, bundle } = await logOf([saidAgo(90, "The font has a licence", { session: "s2" })]);
  const [{ id = "" } = {}] = await all(store);
  await store.append([
    saidAgo(40, "", {
      session: "s2",
      kind: "pin",
      content: { ref: id, note: "The font has a licence" },
    }),
    saidAgo(30, "", {
      session: "s2",
      kind: "pin",
      content: { text: "Never ship the font", note: "Aino asked" },
    }),
  ]);
  for (const query of ["which licence has the font?", "what about the invoices?"]) {
    const text = bundleText(await bundle({ query }));
    expect(text.match(/Never ship the font/g)).toHaveLength(1);
    expect(text).toContain("pinned: Never ship the font (Aino asked)");
  }
  expect(saidIn(await bundle({ query: "what about the invoices?" }), "retrieved_evidence")).toBe(
    "",
  );
});

it("shows a decision or pin whose line is cut once more, and no other", async () => {
  const filler = "The walnut importer keeps its old habits. ".repeat(20);
  const text = `${filler}The font is Inter.`;
  const { store, bundle } = await logOf([
    saidAgo(90, text, { session: "s2" }),
    saidAgo(50, "", {
      session: "s2",
      actor: agent,
      kind: "decision",
      content: { decision: "Clamp dates", rationale: `${filler}The ledger clamps at noon.` },
    }),
    saidAgo(40, "", {
      session: "s2",
      kind: "pin",
      content: { text: `${filler}Never ship the banner.` },
    }),
    saidAgo(30, "", {
      session: "s2",
      kind: "decision",
      content: { decision: "Plan accepted: Round the VAT", rationale: ["It is law", "Aino asked"] },
    }),
  ]);
  const [{ id = "" } = {}] = await all(store);
  await store.append([
    saidAgo(20, "", { session: "s2", kind: "pin", content: { ref: id, note: text } }),
  ]);
  const evidenceFor = async (query: string) =>
    saidIn(await bundle({ query }), "retrieved_evidence");
  expect(await evidenceFor("when are dates clamped by the ledger?")).toContain("clamps at noon");
  expect(await evidenceFor("what about shipping the banner?")).toContain("Never ship the banner");
  expect(await evidenceFor("what about the invoices?")).toMatch(/^pinned, user.*font is Inter/s);
  expect(await evidenceFor("who asked to round the VAT?")).not.toContain("Round the VAT");
});

it("does not give a pin that was taken back as one", async () => {
  const { store, bundle } = await logOf([
    saidAgo(50, "", { kind: "pin", content: { text: "Refunds are frozen" }, origin: "pin" }),
  ]);
  const asked = { query: "are refunds frozen?" };
  expect(saidIn(await bundle(asked))).toContain("Refunds are frozen");
  const [pin] = await all(store);
  await store.append([
    saidAgo(40, "", { kind: "pin", content: { supersedes: [pin?.id ?? ""], removed: true } }),
  ]);
  expect(saidIn(await bundle(asked))).not.toContain("Refunds are frozen");
});

it("gives what replaced a decision that was handed over, and nothing that was not pinned as pinned", async () => {
  const decided = (minutes: number, decision: string, supersedes: readonly string[] = []) =>
    saidAgo(minutes, "", {
      session: "s2",
      actor: agent,
      kind: "decision",
      content: { decision, supersedes },
    });
  const { store, bundle } = await logOf([
    decided(50, "Keep ISO 4217"),
    saidAgo(49, "Currencies matter", { session: "s2" }),
  ]);
  const [old, ground] = await all(store);
  const content = { to_agent: "codex", task: "Currencies", decisions: [old?.id ?? ""] };
  const refs = [old?.id ?? "", ground?.id ?? ""];
  await store.append([
    saidAgo(40, "", { session: "s2", actor: agent, kind: "handoff", content, refs }),
    decided(30, "Use names of currencies", [old?.id ?? ""]),
  ]);
  const handoff = (await all(store)).find(({ kind }) => kind === "handoff")?.id ?? "";
  const text = saidIn(await bundle({ handoff }));
  expect(text).toContain("Use names of currencies");
  expect(text).toContain("Currencies matter");
  expect(text).not.toMatch(/pinned|Keep ISO/);
});
