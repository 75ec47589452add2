import { expect, it } from "vitest";
import { logOf, saidAgo } from "../../../test/support/bundle-record.ts";
import type { Channel } from "../kinds/event.ts";

/** A session log in which the public may see one message, and one decision that is replaced in private, among so much that is private. */
async function bundleFor(channel: Channel, secrets: number) {
  const decision = saidAgo(90, "", {
    kind: "decision",
    channel: "public",
    key: "rate",
    content: { decision: "The pallet rate is 7 %", alternatives: [] },
  });
  const shown = [
    saidAgo(60, "the public pallet is red", { channel: "public", key: "red" }),
    decision,
  ];
  const hidden = Array.from({ length: secrets }, (_, at) =>
    saidAgo(30 + at, `the private pallet ${at} is blue`),
  );
  const record = await logOf([...shown, ...hidden]);
  return record.bundle({ query: "which pallet?", intent: "recall", channel });
}

it.each(["public", "team", "agent"] as const)(
  "a bundle for %s says nothing of what is private, not even how much",
  async (channel) => {
    const [without, withMuch] = [await bundleFor(channel, 0), await bundleFor(channel, 60)];
    expect(withMuch.omissions).toEqual(without.omissions);
    expect(withMuch.provenance).toEqual(without.provenance);
    expect(JSON.stringify(withMuch)).not.toContain("blue");
  },
);

it("a decision names the messages that it rests on, but for those its reader may not see", async () => {
  const record = await logOf([
    saidAgo(90, "the pallet was weighed", { channel: "public" }),
    saidAgo(80, "the scale is broken"),
  ]);
  const ids: string[] = [];
  for await (const { id } of record.store.read()) {
    ids.push(id);
  }
  const [seen = "", unseen = ""] = ids;
  await record.store.append([
    saidAgo(70, "", {
      kind: "decision",
      channel: "public",
      content: { decision: "The pallet weighs 20 kg", alternatives: [] },
      refs: [seen, unseen],
    }),
  ]);
  const bundle = await record.bundle({ query: "which pallet?", intent: "recall", channel: "team" });
  const sources = bundle.sections.find(({ name }) => name === "relevant_decisions")?.items;
  expect(JSON.stringify(sources)).toContain(seen);
  expect(JSON.stringify(bundle)).not.toContain(unseen);
});

it("a private bundle counts what is too sensitive for it", async () => {
  const record = await logOf([
    saidAgo(5, "the pallet is red"),
    saidAgo(4, "the pallet key", { sensitivity: "secret" }),
  ]);
  const { omissions, provenance } = await record.bundle({
    query: "which pallet?",
    intent: "recall",
  });
  expect(omissions).toContainEqual(expect.objectContaining({ reason: "privacy" }));
  expect(provenance.read).toBeDefined();
});
