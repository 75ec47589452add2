import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, it, onTestFinished, vi } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { openStores } from "../bin/open-stores.ts";
import { createServer } from "./server.ts";

/** Longer than a server waits before it loads the rest. */
const QUIET_MS = 100;

it("lets a first call that comes at once have the machine, and loads what later calls need after it", async () => {
  const folder = testFolder();
  const project = findProject({ flag: folder, env: {}, cwd: folder });
  let opened = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { server } = createServer({
    version: "1.0.0",
    openStores: async () => {
      opened++;
      await gate;
      return openStores(project);
    },
    readOpening: async () => "",
    isRecorded: () => false,
    logParts: () => expect.fail("nothing is recorded"),
    openHooks: () => expect.fail("no hook calls"),
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);

  const answer = client.callTool({ name: "search_memory", arguments: { query: "payment" } });
  await sleep(QUIET_MS);
  expect(opened).toBe(1);

  open();
  await answer;
  await vi.waitFor(() => expect(opened).toBe(2));
});
