import { expect, it } from "vitest";
import { all } from "../../../test/contracts/event-store.ts";
import { type BundleRecord, logOf, saidAgo, saidIn } from "../../../test/support/bundle-record.ts";
import { bundleText } from "./bundle-text.ts";

const decided = (minutes: number, decision: string, more: object = {}) =>
  saidAgo(minutes, "", { session: "s2", kind: "decision", content: { decision, ...more } });

async function idsIn({ store }: BundleRecord): Promise<string[]> {
  return (await all(store)).map(({ id }) => id);
}

/** A log with a message, a summary of it and a newer decision. */
async function believed(
  summary: string,
  decision: string,
  more: object = {},
): Promise<BundleRecord> {
  const log = await logOf([saidAgo(90, "We spoke about the parcels", { session: "s2" })]);
  const refs = await idsIn(log);
  const content = { text: summary, coverage: "the last session" };
  await log.store.append([
    saidAgo(80, "", { session: "s2", kind: "summary", content, refs }),
    decided(50, decision, more),
  ]);
  return log;
}

it("shows no summary with another figure than a decision has, and names both", async () => {
  const log = await believed(
    "Parcels of the shop weigh 30 kg at most. We met on Monday.",
    "Parcels of the shop weigh 25 kg at most",
  );
  const asked = await log.bundle({ query: "how much may parcels weigh?" });
  const other = await log.bundle({ query: "when did we meet on Monday?" });
  for (const bundle of [asked, other]) {
    expect(bundle.provenance.conflict_flags).toMatchObject([{ says: "30 kg", against: "25 kg" }]);
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
        const shown = bundleText(bundle).replaceAll(/^Conflict: .*$/gm, "");
        expect(shown, query).not.toContain("budget is 32K");
      }
    }
  },
);

const PNPM = "The workspace installs packages with pnpm";
const alternatives = ["npm: slower in CI", "Yarn"];

it.each([
  ["The workspace installs packages with npm.", PNPM],
  ["We met on Monday. Yarn installs the packages of the workspace.", PNPM],
  [
    "The workspace installs packages with npm.",
    "The workspace installs packages with pnpm instead of npm",
  ],
])("shows no summary that states what a decision rejected: %s", async (summary, decision) => {
  const log = await believed(summary, decision, { alternatives });
  const bundle = await log.bundle({ query: "how does the workspace install packages?" });
  expect(bundle.provenance.conflict_flags).toMatchObject([{ against: decision }]);
  expect(bundle.omissions).toMatchObject([{ reason: "contradicted", count: 1 }]);
  expect(saidIn(bundle, "retrieved_evidence")).not.toContain(summary);
  const other = await log.bundle({ query: "when did we meet?" });
  expect(saidIn(other, "retrieved_evidence")).not.toContain(summary);
});

it.each([
  "The workspace doesn't install packages with npm.",
  "The workspace installs packages with pnpm, npm and Yarn were slow.",
  "Packages of other repositories come from npm and are checked by the nightly audit.",
  "The website installs fonts with npm.",
])("shows a summary that only mentions what was rejected: %s", async (summary) => {
  const log = await believed(summary, PNPM, { alternatives });
  const bundle = await log.bundle({ query: "packages of the workspace, npm, fonts" });
  expect(bundle.provenance.conflict_flags).toEqual([]);
  expect(saidIn(bundle, "retrieved_evidence")).toContain(summary);
});

it("shows a summary of what was rejected by a decision that another one superseded", async () => {
  const log = await believed("The workspace installs packages with npm.", PNPM, { alternatives });
  const old = (await idsIn(log)).at(-1) ?? "";
  await log.store.append([
    decided(20, "The workspace installs packages with npm", { supersedes: [old] }),
  ]);
  const bundle = await log.bundle({ query: "how does the workspace install packages?" });
  expect(bundle.provenance.conflict_flags).toEqual([]);
});
