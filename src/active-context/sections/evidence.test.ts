import { expect, it } from "vitest";
import { all } from "../../../test/contracts/event-store.ts";
import { recordOf, saidAgo, saidIn } from "../../../test/support/bundle-record.ts";

const agent = { type: "agent", id: "claude-code" } as const;
const path = "src/vat-rounding.ts";

it("shows what a call gave, and no call that only names a file", async () => {
  const { bundle } = await recordOf([
    saidAgo(50, "", { session: "s2", actor: agent, kind: "tool_call", content: { tool: "Read", path, input: {} } }),
    saidAgo(49, "", { session: "s2", kind: "tool_result", content: { tool: "Read", path, text: "rounding of VAT" } }),
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
  expect(text).not.toMatch(/: Read\n/);
});

it("shows what a query finds beside what is pinned, also where there is hardly room", async () => {
  const rule = (about: string) => `The ${about} has a rule of its own that nobody may forget. `.repeat(20);
  const rules = ["font", "logo", "banner", "footer"];
  const said = rules.map((about, at) => saidAgo(90 - at, rule(about), { session: "s1", origin: about }));
  const found = saidAgo(50, "The retry waits for thirty seconds, and the one after it longer. ".repeat(10), {
    session: "s2",
  });
  const { store, bundle } = await recordOf([...said, found]);
  const ids = (await all(store)).slice(0, rules.length).map(({ id }) => id);
  await store.append(
    ids.map((id, at) =>
      saidAgo(40 - at, "", { session: "s1", kind: "pin", content: { ref: id, note: rules[at] ?? "" } }),
    ),
  );
  const text = saidIn(await bundle({ query: "how long does the retry wait?", maxTokens: 350 }), "retrieved_evidence");
  expect(text).toMatch(/^pinned, user/m);
  expect(text).toContain("thirty seconds");
});
