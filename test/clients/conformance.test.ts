/**
 * The official conformance suite, in both eras: over HTTP on the transport of the daemon, with a server that has the tools it asks for; and
 * over standard input and output on the server of agents, as far as a suite that speaks HTTP alone can. No network but the loopback interface.
 */
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { mcpOverHttp } from "../support/mcp-over-http.ts";
import { installAgents, runAgent } from "./agents.ts";
import { suiteServer } from "./conformance-server.ts";
import { stdioOverHttp } from "./stdio-over-http.ts";

beforeAll(installAgents, 900_000);

async function suite(
  url: string,
  ...args: readonly string[]
): Promise<{ exit: unknown; summary: string }> {
  const { exit, stdout } = await runAgent(
    "conformance",
    ["server", "--url", url, ...args],
    await testRepository(),
  );
  return { exit, summary: stdout.slice(stdout.indexOf("=== SUMMARY ===")) };
}

describe("over HTTP it passes but for what is listed with its reason", () => {
  it.each([
    [
      "2025-11-25",
      ["server-initialize: 2", "ping: 2", "tools-call-error: 2", "dns-rebinding-protection: 2"],
    ],
    [
      "2026-07-28",
      [
        "server-stateless: 25",
        "tools-call-error: 2",
        "http-header-validation: 14",
        "dns-rebinding-protection: 2",
      ],
    ],
  ])("%s", async (version, passed) => {
    const { url } = await mcpOverHttp(suiteServer);
    const listed = resolve(`test/clients/expected-failures-${version}.yaml`);
    const { exit, summary } = await suite(
      url,
      "--requirements",
      version,
      "--expected-failures",
      listed,
    );
    for (const name of passed) {
      expect(summary).toContain(`✓ ${name} passed, 0 failed`);
    }
    expect([exit, summary]).toEqual([0, expect.any(String)]);
  });
});

/** The scenarios that need no tool of the suite's own; of each the checks that fail all the same. */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "2025-11-25": { "server-initialize": [], ping: [], "tools-list": [], "prompts-list": [] },
  "2026-07-28": {
    "tools-list": [],
    "prompts-list": [],
    "input-required-result-unsupported-methods": [],
    "input-required-result-ignore-extra-params": [],
    // It has no resources.
    caching: [
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
    ],
    "server-stateless": [
      // There are no headers here.
      "sep-2575-http-server-header-mismatch-400",
      // A tool of the suite's own tells these.
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
    ],
  },
};

describe("over standard input and output the server of agents passes", () => {
  const each = Object.entries(SCENARIOS).flatMap(([version, named]) =>
    Object.entries(named).map(([scenario, failures]) => ({ version, scenario, failures })),
  );

  it.each(each)("$scenario of $version", async ({ version, scenario, failures }) => {
    const project = await testRepository();
    const url = await stdioOverHttp(project);
    const args = ["server", "--url", url, "--spec-version", version, "--scenario", scenario];
    const { stdout } = await runAgent("conformance", args, project);
    const failed = stdout
      .split("\n")
      .flatMap((line) => /\[(\S+) *\].*FAILURE/.exec(line)?.[1] ?? []);
    expect(stdout).toMatch(/Passed: [1-9]/);
    expect([...new Set(failed)], stdout).toEqual(failures);
  });
});
