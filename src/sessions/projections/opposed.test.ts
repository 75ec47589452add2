import { expect, it } from "vitest";
import { type Decided, decidedInTurn, readPairs } from "../../../test/support/decision-pairs.ts";
import { opposedAmong } from "./opposed.ts";

const areOpposed = (older: Decided, newer: Decided): boolean =>
  opposedAmong(decidedInTurn(older, newer)).length > 0;
const labelled = (label: string) => readPairs().filter((pair) => pair.label === label);

it("marks no two decisions that can both hold, among pairs that look as if they could not", () => {
  const compatible = labelled("compatible");
  const marked = compatible.filter(({ older, newer, notChosen }) =>
    areOpposed({ decision: older, alternatives: notChosen }, { decision: newer }),
  );
  expect(compatible.length).toBeGreaterThan(150);
  expect(marked).toEqual([]);
});

// The rule marks next to nothing of the fifth part, which another hand wrote (docs/measurements.md).
it("marks most pairs that differ in a figure, half of those that deny each other, and what was not chosen", () => {
  const marked = (kinds: readonly string[]) => {
    const of = labelled("opposed").filter(
      ({ half, kind }) => half !== "fifth" && kinds.includes(kind),
    );
    const some = of.filter(({ older, newer, notChosen }) =>
      areOpposed({ decision: older, alternatives: notChosen }, { decision: newer }),
    );
    return some.length / of.length;
  };
  expect(marked(["figure"])).toBeGreaterThan(0.7);
  expect(marked(["denial"])).toBeGreaterThan(0.5);
  expect(marked(["choice"])).toBeGreaterThan(0.6);
});

it.each([
  ["Requests time out after 30 s", "The request timeout is 5 seconds"],
  ["The product list is cached for 10 minutes", "Cache the product list for 60 seconds"],
  ["No feature flags in the api", "Use feature flags in the api for releases"],
  ["Never log customer emails", "Log the customer email with each request"],
  ["Use Zustand instead of Redux for client state", "Use Redux for client state"],
  ["API에서 기능 플래그를 사용하지 않는다", "API에서 기능 플래그를 사용한다"],
  ["日志中不记录用户手机号", "日志中记录用户手机号"],
])("takes the newer one for a contradiction: %s", (older, newer) => {
  const [first, second] = decidedInTurn({ decision: older }, { decision: newer });
  const wanted = [{ decision: first?.id, says: older, event: second?.id, against: newer }];
  expect(opposedAmong([second, first].flatMap((one) => one ?? []))).toEqual(wanted);
});

it.each([
  ["The worker waits 5 seconds before a retry", "The worker waits 50 seconds after a retry"],
  [
    "Uploads to the vault time out after 10 seconds",
    "Uploads from the vault time out after 30 seconds",
  ],
  ["Traffic into the mesh is capped at 10 MB", "Traffic out of the mesh is capped at 30 MB"],
  ["The lamp stays on for 5 minutes", "The lamp stays off for 15 minutes"],
])("takes another side for another thing: %s", (older, newer) => {
  expect(areOpposed({ decision: older }, { decision: newer })).toBe(false);
});

it.each([
  ["Do not delete old users, mark them as deleted", "Old users are marked as deleted"],
  ["No vault secrets in logs", "Vault secrets are kept in the vault and logs are kept for 30 days"],
  ["Never commit deploy tokens", "Deploy tokens are committed to the vault by CI"],
])("does not know what is denied beside something else: %s", (older, newer) => {
  expect(areOpposed({ decision: older }, { decision: newer })).toBe(false);
});

it("knows what was not chosen from the decision that lists it", () => {
  const pnpm = { decision: "Use pnpm for the workspace", alternatives: ["npm", "Yarn"] };
  const npm = { decision: "The workspace uses npm" };
  expect(areOpposed(pnpm, npm)).toBe(true);
  expect(areOpposed(npm, pnpm), "whichever came first").toBe(true);
  expect(areOpposed({ ...pnpm, alternatives: [] }, npm), "nobody said that it excludes npm").toBe(
    false,
  );
  expect(areOpposed(pnpm, { decision: "Remove npm from the workspace" })).toBe(false);
});

it("leaves answers alone, which mean what was asked", () => {
  const asked = decidedInTurn(
    { decision: "Retry webhooks 3 times" },
    { decision: "Retry webhooks 5 times" },
  );
  expect(opposedAmong(asked)).toHaveLength(1);
  expect(opposedAmong(asked.map((one) => ({ ...one, question: "And in the tests?" })))).toEqual([]);
});
