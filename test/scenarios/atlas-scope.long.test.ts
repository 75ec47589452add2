/**
 * Acceptance tests that github.com/neoneye/agent-memory-atlas asks of any memory of agents, under the ids that it gives them
 * (`.agents/protocol/tests.yaml`): scope and evidence. Each shows first that the thing it looks for would be found.
 */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesWith } from "../support/files-with.ts";
import { seeded, word } from "../support/random.ts";
import { manifestOf } from "../support/recorded.ts";
import { RecordedShop } from "../support/recorded-shop.ts";

const random = seeded("atlas");
/** Words that nobody could guess. */
const [OURS = "", THEIRS = "", FACT = ""] = Array.from({ length: 3 }, () => word(random, 12));

let shop: RecordedShop;
let other: RecordedShop;
beforeAll(async () => {
  shop = await RecordedShop.open((session) =>
    session
      .asks(`The ${OURS} webhook is retried after ${FACT} seconds`)
      .uses("Bash", { command: "npm test" }, `${"ok\n".repeat(9_000)}the webhook ${FACT} failed\n`)
      .says(`I keep ${FACT} in mind for the webhook`),
  );
  other = await RecordedShop.open(
    (session) => session.asks(`The ${THEIRS} webhook is never retried`).says("I see"),
    shop.project,
  );
});
afterAll(async () => {
  await other.server.end();
  await shop.close();
});

const logOf = async ({ project }: RecordedShop) => dirname(await manifestOf(project));

describe("scope.cross_tenant_absent", () => {
  it("between projects: the best match of one is nowhere in the other", async () => {
    expect(await shop.bundle(`${OURS} webhook`)).toContain(FACT);
    expect(await other.bundle(`${OURS} webhook`)).not.toContain(FACT);
    expect((await other.project.run("context", `${OURS} webhook`)).stdout).not.toContain(FACT);
    const search = async ({ project }: RecordedShop) =>
      (await project.run("sessions", "search", OURS)).stdout;
    expect(await search(shop)).toContain(FACT);
    expect(await search(other)).not.toContain(FACT);
  });

  it("between channels: what was said in private is nowhere for the public", async () => {
    expect(await shop.bundle(`${OURS} webhook`, { channel: "private" })).toContain(FACT);
    expect(await shop.bundle(`${OURS} webhook`, { channel: "public" })).not.toContain(FACT);
  });
});

describe("scope.caller_cannot_widen", () => {
  it("between projects: no argument reaches another project, for reading or writing", async () => {
    const id = await shop.idOf(OURS);
    expect((await shop.server.call("get_artifact", { ref: id })).text).toContain(FACT);
    for (const ref of [id, `evt_${id.slice(-8)}`, id.replace("evt", "chk"), "*", ""])
      expect((await other.server.call("get_artifact", { ref })).text).not.toContain(FACT);
    for (const more of [
      { session: shop.session.id },
      { handoff: id },
      { session: "*" },
      { project: shop.project.folder },
    ])
      expect(
        (await other.server.call("build_acb", { query: `${OURS} webhook`, ...more })).text,
      ).not.toContain(FACT);
    for (const channel of ["*", "all", "private,public"])
      expect((await shop.server.call("build_acb", { query: OURS, channel })).isError).toBe(true);
    const stolen = { kind: "decision", content: { decision: "Theirs" }, refs: [id] };
    expect((await other.server.call("record_event", stolen)).code).toBe("bad_argument");
  });

  it("between channels it fails: the caller says who reads its answer, and may say private", async () => {
    // Every agent of a person is that person. A channel says who will read the answer, and is no lock.
    for (const channel of ["private", ""])
      expect(await shop.bundle(OURS, { channel })).toContain(FACT);
  });
});

describe("scope.background_respects_boundary", () => {
  it("captures and the index of one project hold nothing of the other", async () => {
    for (const { project } of [shop, other]) await project.run("sessions", "capture");
    expect(filesWith(await logOf(shop), OURS)).not.toEqual([]);
    expect(filesWith(await logOf(other), THEIRS)).not.toEqual([]);
    // A kept bundle has the query that was asked there, and these tests ask each project about the other.
    const isRecorded = (path: string) => !path.startsWith("bundles/");
    expect(filesWith(await logOf(other), OURS).filter(isRecorded)).toEqual([]);
    expect(filesWith(await logOf(shop), THEIRS).filter(isRecorded)).toEqual([]);
    expect(await other.bundle(`${OURS} webhook`)).not.toContain(FACT);
  });
});

describe("evidence.claim_resolves_to_source", () => {
  it("every id that a bundle shows leads to what was recorded", async () => {
    const asked = await shop.idOf(OURS);
    await shop.record("decision", { decision: "Webhooks wait" }, [asked]);
    const ids = (await shop.bundle("Why do webhooks wait?")).match(/evt_\w{8}(?=\))/g) ?? [];
    expect(ids.length).toBeGreaterThan(2);
    for (const ref of ids)
      expect((await shop.server.call("get_artifact", { ref })).isError, ref).toBe(false);
    // The look-up itself tells what is there from what is not, and an unfounded claim is not even taken.
    expect((await shop.server.call("get_artifact", { ref: "evt_00000000" })).code).toBe(
      "not_found",
    );
    const bare = { kind: "decision", content: { decision: "Because I say so" } };
    expect((await shop.server.call("record_event", bare)).code).toBe("bad_argument");
  });
});

describe("evidence.rebuild_from_retained", () => {
  it("without anything derived the same questions have the same answers", async () => {
    const ask = async () =>
      (await shop.bundle(`${OURS} webhook`)).split("\n").filter((line) => line.includes(FACT));
    const before = await ask();
    expect(before).not.toEqual([]);
    await rm(join(await logOf(shop), "index"), { recursive: true });
    await shop.restart();
    expect(await ask()).toEqual(before);
  });
});

describe("evidence.source_delete_reaches_derived", () => {
  it("reaches chunks, index, projections, artifacts and what pins show; statements that rested on it stay", async () => {
    const source = await shop.idOf(`I keep ${FACT} in mind`);
    await shop.record("pin", { ref: source, note: "Look here" });
    const decided = await shop.record("decision", { decision: "The interval is fixed" }, [source]);
    expect(await shop.bundle("continue")).toContain(`I keep ${FACT} in mind`);
    await shop.project.run("sessions", "capture");
    for (const folder of ["events", "artifacts", "index"])
      expect(filesWith(join(await logOf(shop), folder), FACT), folder).not.toEqual([]);
    const { stdout } = await shop.project.run("sessions", "purge", "--text", FACT, "--yes");
    expect(stdout).toMatch(
      new RegExp(`These events stay but cite purged ones: .*evt_${decided.slice(-8)}`),
    );
    expect(filesWith(await logOf(shop), FACT)).toEqual([]);
    for (const query of ["continue", `${OURS} webhook`])
      expect(await shop.bundle(query)).not.toContain(FACT);
    for (const ref of [source, source.replace("evt", "chk")])
      expect((await shop.server.call("get_artifact", { ref })).code).toBe("not_found");
    // Where it fails: a decision that rested on it holds. It says that its source is gone.
    const found = await shop.server.ask("query_decisions", { query: "interval" });
    expect(found).toContain(`evt_${decided.slice(-8)}`);
    expect(found).toMatch(/removed, or not visible to you: \d things? it referred to/);
    expect(found).not.toContain(source.slice(-8));
  });
});
