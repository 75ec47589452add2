import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import { greeting, toInput } from "../../../test/support/exchange.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { holdsFor } from "../../../test/support/wait.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { openStores } from "../bin/open-stores.ts";
import { Handshake } from "./handshake.ts";
import { openServer } from "./server.ts";
import { serveStdio } from "./stdio.ts";

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
  const parts = {
    clientName: () => "test",
    openStores: async () => {
      opened++;
      await gate;
      return openStores(project);
    },
    isRecorded: () => false,
    spelt: (text: string) => text,
    loadSessionTools: () => expect.fail("nothing is recorded"),
    openRecordings: () => expect.fail("nothing is recorded"),
    openHooks: () => expect.fail("no hook calls"),
  };
  const handshake = new Handshake({ ...parts, version: "1.0.0", readOpening: async () => "" });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(
    { handshake, loadServer: async () => openServer(parts) },
    input,
    output,
    new AbortController().signal,
  );

  const call = {
    id: 1,
    method: "tools/call",
    params: { name: "search_memory", arguments: { query: "payment" } },
  };
  input.write(toInput([...greeting("test"), call]));
  expect(await holdsFor(QUIET_MS, () => opened <= 1)).toBe(true);
  expect(opened).toBe(1);

  open();
  await once(output, "data");
  await vi.waitFor(() => expect(opened).toBe(2), { timeout: 30_000 });
  input.end();
  await served;
});
