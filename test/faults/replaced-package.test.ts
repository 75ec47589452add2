/** A server whose package is replaced or removed while it runs, as an update does in the middle of a session. */
import { cp, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder, testProject } from "../support/in-test.ts";
import { until } from "../support/wait.ts";
import { gapsIn } from "./support/memory.ts";
import { BUNDLE, FaultServer } from "./support/server.ts";

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
    for (const call of [
      () => server.log("gap"),
      () => server.search("gap"),
      () => server.call("compact_memory", {}),
    ]) {
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

/** Takes away what a server loads after its start, as an update does before it has written the new files. All come back at one moment. */
async function loseParts(bundle: string): Promise<() => Promise<void>> {
  const [folder, whole] = [join(bundle, "server"), join(bundle, "whole")];
  const names = await readdir(folder);
  const kept = names.filter(
    (name) => !/\.[cm]js$/.test(name) || name.startsWith("sentinel-memory"),
  );
  expect(names.length - kept.length).toBeGreaterThan(3);
  await rename(folder, whole);
  await mkdir(folder);
  for (const name of kept) await cp(join(whole, name), join(folder, name), { recursive: true });
  return async () => {
    await rename(folder, join(bundle, "lost"));
    await rename(whole, folder);
  };
}
