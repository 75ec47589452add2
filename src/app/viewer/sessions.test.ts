import { expect, it } from "vitest";
import { logOf, NOW, saidAgo } from "../../../test/support/bundle-record.ts";
import { GivenBundles } from "../../sessions/files/given-bundles.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import type { SessionLog } from "./sessions.ts";
import { bundleFor } from "./sessions.ts";

it("opens a given bundle by its id, with references in place of texts", async () => {
  const { store, bundle } = await logOf([
    saidAgo(90, "The walnut font has a licence", { session: "s2" }),
  ]);
  const given = await bundle({ query: "which licence has the walnut font?" });
  new GivenBundles(store.location).begin()(given, "which licence?", NOW);
  const log = { open: async () => ({ folder: store.location, store }) } as unknown as SessionLog;
  const shown = await bundleFor({} as SessionCommandContext, log, given.acb_id.slice(0, 12));
  expect(shown.acb_id).toBe(given.acb_id);
  const items = shown.sections.flatMap((section) => section.items);
  expect(items.map(({ text }) => text).join("")).toBe("");
  expect(items.flatMap(({ refs }) => refs)).toEqual(
    given.sections.flatMap((section) => section.items).flatMap(({ refs }) => refs),
  );
});
