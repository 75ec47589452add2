import { expect, it } from "vitest";
import { logOf, saidAgo } from "../../../test/support/bundle-record.ts";

it("looks at more parts of the session log where they are short and the bundle is large", async () => {
  const said = Array.from({ length: 900 }, (_, at) =>
    saidAgo(10 * at, `pallet ${at} of row ${at * 7}`),
  );
  const record = await logOf(said);
  const small = await record.bundle({ query: "which pallet?", intent: "recall", maxTokens: 2_000 });
  const large = await record.bundle({
    query: "which pallet?",
    intent: "recall",
    maxTokens: 28_000,
  });
  const shown = (bundle: typeof large) => bundle.sections.flatMap(({ items }) => items).length;
  expect(shown(large)).toBeGreaterThan(600);
  expect(large.token_used_est).toBeLessThanOrEqual(28_000);
  expect(small.provenance.candidate_pool_size).toBeLessThan(500);
});
