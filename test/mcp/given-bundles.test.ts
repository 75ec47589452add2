/** The bundles that were given, looked up by an agent and a person. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

async function recorded(): Promise<{ shop: Project; session: Session }> {
  const shop = await recordedRepository({ "a.txt": "a" });
  const session = new Session({ cwd: shop.folder, at: Date.now() - 60_000 })
    .asks("Why is the invoice for books wrong?")
    .says("The rate of the walnut shop is applied twice");
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
  return { shop, session };
}

const asked = { query: "which rate has the walnut shop? password=hunter2hunter2" };

it("can be looked up with what they were asked for and what they named", async () => {
  const { shop, session } = await recorded();
  await withServer(shop.server("claude-code"), async (server) => {
    const answer = await server.ask("build_acb", asked);
    const [, id = ""] = /Bundle (acb_\w+)/.exec(answer) ?? [];
    const [, event = ""] = /\(evt_(\w{8})\)/.exec(answer) ?? [];
    for (const shown of [
      await server.ask("get_artifact", { ref: id }),
      (await shop.run("sessions", "show", id)).stdout,
    ]) {
      expect(shown).toContain("query: which rate has the walnut shop?");
      expect(shown).not.toContain("hunter2hunter2");
      expect(shown).toContain(event);
    }
    expect(await shop.json("sessions", "show", id)).toMatchObject({
      budget_tokens: 4_000,
      provenance: { session: session.id },
    });
    await shop.run("sessions", "purge", "--text", "walnut shop", "--yes");
    const gone = await server.call("get_artifact", { ref: id });
    expect(gone.code).toBe("not_found");
    expect((await shop.run("sessions", "show", id)).stderr).toMatch(
      /^error not_found: The session log has nothing under "acb_/,
    );
  });
});

it("are not kept for a session that is left out, nor while recording is off", async () => {
  const { shop, session } = await recorded();
  const folder = join(dirname(await manifestOf(shop)), "bundles");
  await shop.run("sessions", "skip", session.id, "--yes");
  await shop.run("context", "--session", session.id, "which rate?");
  expect(existsSync(folder)).toBe(false);
  await shop.run("sessions", "off");
  await shop.run("context", "which rate?");
  expect(existsSync(folder)).toBe(false);
});
