import { expect, it } from "vitest";
import { all } from "../../../test/contracts/event-store.ts";
import { type BundleRecord, logOf, saidAgo, saidIn } from "../../../test/support/bundle-record.ts";
import { shortEventId } from "../kinds/event.ts";
import { bundleText } from "./bundle-text.ts";

const decided = (minutes: number, decision: string, more: object = {}) =>
  saidAgo(minutes, "", { session: "s2", kind: "decision", content: { decision, ...more } });

const OLD = "Requests to the billing gateway time out after 30 s";
const NEW = "The request timeout of the billing gateway is 5 seconds";

async function idsIn({ store }: BundleRecord): Promise<string[]> {
  return (await all(store)).map(({ id }) => id);
}

/** A log with a message, a summary of it and a newer decision. */
async function believed(summary: string, decision: string): Promise<BundleRecord> {
  const log = await logOf([saidAgo(90, "We spoke about the parcels", { session: "s2" })]);
  const refs = await idsIn(log);
  const content = { text: summary, coverage: "the last session" };
  await log.store.append([
    saidAgo(80, "", { session: "s2", kind: "summary", content, refs }),
    decided(50, decision),
  ]);
  return log;
}

it("names two decisions that contradict each other, which is newer, and how to settle it", async () => {
  const log = await logOf([decided(90, OLD), decided(50, NEW)]);
  const [older = "", newer = ""] = await idsIn(log);
  const query = "what is the timeout of the billing gateway?";
  const bundle = await log.bundle({ query });
  expect(bundle.provenance.conflict_flags).toEqual([
    { decision: older, says: OLD, event: newer, against: NEW },
  ]);
  const line = bundleText(bundle)
    .split("\n")
    .find((one) => one.startsWith("Conflict"));
  expect(line).toBe(
    `Conflict: decision ${shortEventId(older)} says ${OLD}, and the newer ${shortEventId(newer)} says ${NEW}. To settle it, say with record_event which holds, and name the other in supersedes.`,
  );
  await log.store.append([
    decided(20, "Five seconds for the billing gateway it is", { supersedes: [older] }),
  ]);
  expect(
    (await log.bundle({ query })).provenance.conflict_flags,
    "where one was superseded",
  ).toEqual([]);
});

it("shows neither of them without the note, however small the bundle is", async () => {
  const long = { rationale: "The bank answers late at the end of a month. ".repeat(6) };
  const log = await logOf([decided(90, OLD, long), decided(50, NEW, long)]);
  const shown = new Set<number>();
  for (let maxTokens = 100; maxTokens <= 500; maxTokens += 10) {
    const bundle = await log.bundle({ query: "billing gateway timeout", maxTokens });
    const { items = [] } = bundle.sections.find(({ name }) => name === "relevant_decisions") ?? {};
    expect([maxTokens, bundle.provenance.conflict_flags.length]).toEqual([
      maxTokens,
      items.length > 0 ? 1 : 0,
    ]);
    expect(bundle.token_used_est).toBeLessThanOrEqual(maxTokens);
    shown.add(items.length);
  }
  expect([...shown]).toEqual([0, 1, 2]);
});

it("shows no summary with another figure than a decision has, and names both where the query speaks of it", async () => {
  const log = await believed(
    "Parcels of the shop weigh 30 kg at most. We met on Monday.",
    "Parcels of the shop weigh 25 kg at most",
  );
  const asked = await log.bundle({ query: "how much may parcels weigh?" });
  expect(asked.provenance.conflict_flags).toMatchObject([{ says: "30 kg", against: "25 kg" }]);
  const other = await log.bundle({ query: "when did we meet on Monday?" });
  expect(other.provenance.conflict_flags).toEqual([]);
  for (const bundle of [asked, other]) {
    expect(saidIn(bundle, "retrieved_evidence")).not.toContain("30 kg");
    expect(bundle.omissions).toMatchObject([{ reason: "contradicted", count: 1 }]);
  }
});

it.each([
  ["Parcels heavier than 30 kg go by freight", "Parcels lighter than 31 kg go by freight too"],
  ["Parcels of the shop weigh at least 20 kg", "Parcels of the shop weigh at most 30 kg"],
  ["The gateway of the shop waits 60 seconds", "The gateway of the shop waits 1 minute"],
  [
    "Parcels of the shop wait in the yard of Turku for 7 days",
    "Parcels of the shop wait for 30 days",
  ],
  ["The backup of the shop took 2 hours", "The backup of the shop runs every 6 hours"],
  [
    "The gateway of the shop used 512 MB of memory in a test",
    "The gateway of the shop may use 300 MB of memory",
  ],
])("shows a summary that a decision does not contradict: %s", async (summary, decision) => {
  const bundle = await (await believed(summary, decision)).bundle({
    query: "parcels and the gateway of the shop",
  });
  expect(bundle.provenance.conflict_flags).toEqual([]);
  expect(saidIn(bundle, "retrieved_evidence")).toContain(summary);
});

it.each(["message", "decision"] as const)(
  "does not show it beside what another query finds, where a %s says it",
  async (kind) => {
    const log = await logOf([saidAgo(90, "We spoke about the parcels", { session: "s2" })]);
    const refs = await idsIn(log);
    const content = {
      text: "The token budget is 32K. Parcels come next.",
      coverage: "the last session",
    };
    const says =
      kind === "message"
        ? { text: "The token budget is 65K" }
        : { decision: "The token budget is 65K" };
    await log.store.append([
      saidAgo(80, "", { session: "s2", kind: "summary", content, refs }),
      saidAgo(79, "Parcels are rounded to grams", { session: "s2" }),
      saidAgo(50, "", { session: "s3", kind, content: says }),
    ]);
    const summary = (await idsIn(log))[1] ?? "";
    const pin = saidAgo(10, "", {
      kind: "pin",
      content: { ref: summary, note: "read this" },
      refs: [summary],
    });
    for (const pinned of [[], [pin]]) {
      await log.store.append(pinned);
      for (const query of ["how are parcels rounded?", "what comes next?", "continue", ""]) {
        const bundle = await log.bundle({ query, session: "s2" });
        expect(bundleText(bundle).replaceAll(/^Conflict: .*$/gm, ""), query).not.toContain("32K");
      }
    }
  },
);
