import { describe, expect, it } from "vitest";
import { defaultsOf } from "../../ground/core/policy.ts";
import { readPolicy } from "../../ground/core/read-policy.ts";
import { MEMORY_POLICY, MEMORY_POLICY_NAME } from "../../lessons/policy.ts";
import { BUDGETS_NAME, BUDGETS_POLICY } from "../../sessions/bundle/settings/budgets.ts";
import { CHANNELS_NAME, CHANNELS_POLICY } from "../../sessions/bundle/settings/channels.ts";
import { EXAMPLES } from "./examples.ts";

describe.each([
  [MEMORY_POLICY_NAME, MEMORY_POLICY],
  [BUDGETS_NAME, BUDGETS_POLICY],
  [CHANNELS_NAME, CHANNELS_POLICY],
])("the example of %s", (name, schema) => {
  const text = EXAMPLES[name] as string;
  const wanted = { values: defaultsOf(schema), problems: [], unknown: [] };

  it("says nothing, and with its marks removed what holds anyway", () => {
    expect(readPolicy(text, schema)).toEqual(wanted);
    expect(readPolicy(uncommented(text), schema)).toEqual(wanted);
  });

  it("names every key that there is", () => {
    expect(
      uncommented(text)
        .match(/[a-z_]+(?=:)/g)
        ?.sort(),
    ).toEqual(["version", ...keysOf(schema)].sort());
  });
});

/** Without the marks before keys; what is prose stays a comment. */
function uncommented(text: string): string {
  return text.replace(/^# (?= *[a-z_]+:)/gm, "");
}

function keysOf({ fields }: { fields: object }): string[] {
  return Object.entries(fields).flatMap(([key, field]) => [key, ...(field.kind === "section" ? keysOf(field) : [])]);
}
