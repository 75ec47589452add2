import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { all } from "../../../test/contracts/event-store.ts";
import { logOf, NOW, saidAgo } from "../../../test/support/bundle-record.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { GivenBundles } from "./given-bundles.ts";

const QUERY = "which licence has the walnut font?";

/** A log with two events about fonts, and a bundle of them that is kept. */
async function kept() {
  const log = await logOf([
    saidAgo(90, "The walnut font has a licence for five machines", { session: "s2" }),
    saidAgo(80, "The maple font is free", { session: "s3" }),
  ]);
  const given = new GivenBundles(log.store.location);
  const keep = given.begin();
  const bundle = await log.bundle({ query: QUERY, session: "asking" });
  keep(bundle, QUERY, NOW);
  return { ...log, given, bundle, name: bundle.acb_id.slice(0, 12) };
}

it("finds a bundle by the beginning of its id, with references and without any text of the log", async () => {
  const { given, store, bundle, name } = await kept();
  const record = given.find(name);
  expect(record).toMatchObject({
    acb_id: bundle.acb_id,
    query: QUERY,
    at: new Date(NOW).toISOString(),
    budget_tokens: bundle.budget_tokens,
    omissions: bundle.omissions,
  });
  const refs = (one: Pick<Bundle, "sections"> | undefined) =>
    one?.sections.flatMap(({ items }) => items.map((item) => item.refs));
  expect(refs(record)).toEqual(refs(bundle));
  const folder = join(store.location, "bundles");
  const [file = ""] = readdirSync(folder);
  expect(readFileSync(join(folder, file), "utf8")).not.toContain("five machines");
  expect(given.find("acb_")).toBeUndefined();
  expect(given.find("acb_0000000000")).toBeUndefined();
});

it.each(["event", "its session", "text of the event", "text of the query", "asking session"])(
  "a purge removes the bundle: %s",
  async (what) => {
    const { given, store, name } = await kept();
    const [event] = await all(store);
    const targets = {
      event: { ids: [event?.id ?? ""] },
      "its session": { session: "s2" },
      "text of the event": { text: "five machines" },
      "text of the query": { text: "which licence" },
      "asking session": { session: "asking" },
    };
    expect(given.find(name)).toBeDefined();
    await store.purge(targets[what as keyof typeof targets]);
    expect(given.find(name)).toBeUndefined();
  },
);

it("a purge of something else removes it, too, but counting a purge doesn't", async () => {
  const { given, store, name } = await kept();
  await store.append([saidAgo(10, "The birch font is lost", { session: "s4" })]);
  await store.toPurge({ session: "s4" });
  expect(given.find(name)).toBeDefined();
  expect([given.count(), given.mention("which licence"), given.mention("birch")]).toEqual([
    1,
    true,
    false,
  ]);
  await store.purge({ session: "s4" });
  expect(given.find(name)).toBeUndefined();
});

it("keeps no bundle that was built before a purge and finished after it", async () => {
  const { given, store, bundle } = await kept();
  const keep = given.begin();
  await store.purge({ session: "s2" });
  keep(bundle, QUERY, NOW + 1);
  expect(given.count()).toBe(0);
});

it("keeps the last 200, and a purge removes what can't be read", async () => {
  const { given, store, bundle } = await kept();
  const keep = given.begin();
  for (let at = 1; at <= 203; at++) {
    keep({ ...bundle, acb_id: `acb_${at}abcdef` }, QUERY, NOW + at);
  }
  const folder = join(store.location, "bundles");
  expect(readdirSync(folder)).toHaveLength(200);
  expect(given.find("acb_203abcdef")).toBeDefined();
  expect(given.find("acb_3abcdef")).toBeUndefined();
  writeFileSync(join(folder, `${NOW + 9_999}-acb_torn.json`), '{"acb_id": "acb_to');
  await store.purge({ session: "s3" });
  expect(given.count()).toBe(0);
});
