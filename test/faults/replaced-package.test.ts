/** A server whose package is replaced or removed while it runs, as an update does in the middle of a session. */
import { cp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { testFolder, testProject } from "../support/in-test.ts";
import { gapsIn } from "./support/memory.ts";
import { BUNDLE, FaultServer } from "./support/server.ts";

describe("a package that is replaced while its server runs", () => {
  it("after the handshake costs the session none of its tools", async () => {
    const [project, bundle] = [await testProject(), await makeBundle()];
    const start = performance.now();
    const server = await FaultServer.start(project.folder, { bundle });
    // Loading the rest is less work than starting was, on a busy machine too.
    await sleep(1_000 + 5 * (performance.now() - start));
    await loseParts(bundle);
    await server.mustLog("gap");
    expect(await server.search("gap")).toMatchObject({ code: undefined });
    expect(await server.call("compact_memory", {})).toMatchObject({ code: undefined });
    expect(await gapsIn(project)).toEqual(["gap"]);
  });

  it("before the handshake makes every call say that the server has to be restarted, until the parts are back", async () => {
    const [project, bundle] = [await testProject(), await makeBundle()];
    const bringBack = await loseParts(bundle);
    const server = await FaultServer.start(project.folder, { bundle });
    for (const call of [() => server.log("gap"), () => server.search("gap"), () => server.call("compact_memory", {})]) {
      const { code, text } = await call();
      expect(code).toBe("restart_needed");
      expect(text).toMatch(/fix: Restart this server/);
    }
    await bringBack();
    await server.mustLog("gap");
  });
});

/** The built server, in a folder of its own. */
async function makeBundle(): Promise<string> {
  const bundle = join(testFolder(), "dist");
  await cp(BUNDLE, bundle, { recursive: true });
  return bundle;
}

/** Takes away what a server loads after its start, as an update does, whose parts have other names. */
async function loseParts(bundle: string): Promise<() => Promise<void>> {
  const folder = join(bundle, "parts");
  // The others are the server itself and what several parts share, it among them.
  const parts = (await readdir(folder)).filter((name) => !/^(?:chunk|server)-/.test(name));
  expect(parts.length).toBeGreaterThan(5);
  for (const name of parts) await rename(join(folder, name), join(bundle, name));
  return async () => {
    for (const name of parts) await rename(join(bundle, name), join(folder, name));
  };
}
