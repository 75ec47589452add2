/** A server whose package is replaced or removed while it runs, as an update does in the middle of a session. */
import { cp, readdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder, testProject } from "../support/in-test.ts";
import { gapsIn } from "./support/memory.ts";
import { BUNDLE, FaultServer, until } from "./support/server.ts";

const NOTE_PARSED = resolve("test/faults/support/note-parsed.cjs");

describe("a package that is replaced while its server runs", () => {
  it("after the handshake costs the session none of its tools", async () => {
    const [project, bundle] = [await testProject(), await makeBundle()];
    const called = await startNoting((await testProject()).folder, bundle);
    await callAll(called.server);
    const needed = await called.parsed();
    const { server, parsed } = await startNoting(project.folder, bundle);
    await until(async () => {
      const known = new Set(await parsed());
      return needed.every((module) => known.has(module));
    });
    await loseParts(bundle);
    await callAll(server);
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

/** A server, and the modules that it has read so far. */
async function startNoting(project: string, bundle: string) {
  const notes = join(testFolder(), "parsed");
  const through = ["env", `PARSED=${notes}`, `NODE_OPTIONS=--require=${NOTE_PARSED}`];
  const server = await FaultServer.start(project, { bundle, through });
  return { server, parsed: async () => (await readFile(notes, "utf8")).split("\n") };
}

async function callAll(server: FaultServer): Promise<void> {
  await server.mustLog("gap");
  expect(await server.search("gap")).toMatchObject({ code: undefined });
  expect(await server.call("compact_memory", {})).toMatchObject({ code: undefined });
}

/** The built server, in a folder of its own. */
async function makeBundle(): Promise<string> {
  const bundle = join(testFolder(), "dist");
  await cp(BUNDLE, bundle, { recursive: true });
  return bundle;
}

/** Takes away what a server loads after its start, as an update does before it has written the new files. */
async function loseParts(bundle: string): Promise<() => Promise<void>> {
  const folder = join(bundle, "server");
  const parts = (await readdir(folder)).filter((name) => /\.[cm]js$/.test(name) && !name.startsWith("sentinel-memory"));
  expect(parts.length).toBeGreaterThan(3);
  for (const name of parts) await rename(join(folder, name), join(bundle, name));
  return async () => {
    for (const name of parts) await rename(join(bundle, name), join(folder, name));
  };
}
