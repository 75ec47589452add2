/** The official conformance suite on the transport of the daemon; it reaches over no network but the loopback interface. */
import { resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { installAgents, runAgent } from "./agents.ts";
import { conformanceServer } from "./conformance-server.ts";

beforeAll(installAgents, 900_000);

const EXPECTED = resolve("test/clients/expected-failures.yaml");

it("passes but for what is listed with its reason", async () => {
  const args = ["server", "--url", await conformanceServer(), "--expected-failures", EXPECTED];
  const { exit, stdout } = await runAgent("conformance", args, await testRepository());
  expect(stdout).toMatch(/✓ server-initialize: 1 passed/);
  expect(stdout).toMatch(/✓ tools-call-error: 1 passed/);
  expect(stdout).toMatch(/✓ dns-rebinding-protection: 2 passed/);
  expect([exit, stdout.slice(stdout.indexOf("Total:"))]).toEqual([0, expect.any(String)]);
});
