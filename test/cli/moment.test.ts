/** From a lesson to the moment in which it was learnt, and what happened around it. */
import { expect, it } from "vitest";
import { log, toFile } from "../support/lines.ts";
import { eventsOf, keepTranscript } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

it("shows the event that a lesson names, or the call which logged it, with its neighbours, and else says that there is none", async () => {
  const shop = await recordedRepository();
  const at = Date.now() - 600_000;
  const session = new Session({ cwd: shop.folder, at })
    .asks("Why is the invoice for books wrong?")
    .uses("Bash", { command: "npm test" }, "the rounding failed", { error: true })
    .says("The rate is applied twice")
    .uses(
      "mcp__sentinel-memory__log_memory",
      { missing_context: "The rate applies once", lesson: "Apply it once" },
      "Saved.",
    )
    .says("It is noted")
    .uses(
      "mcp__sentinel-memory__log_memory",
      { missing_context: "Something else", lesson: "Of the same minute" },
      "Saved.",
    );
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
  const failed = (await eventsOf(shop)).find(({ kind }) => kind === "tool_result");
  const called = new Date(at + 6_000 + 300).toISOString();
  const lessons = [
    log({
      lesson: "Round once",
      meta: { created: "2026-03-01T00:00:00.000Z", from: failed?.id ?? "" },
    }),
    log({
      lesson: "Apply it once",
      missing_context: "The rate applies once",
      meta: { created: called },
    }),
    log({
      lesson: "Letters go by post",
      topic: "letters",
      meta: { created: "2026-03-01T00:00:00.000Z" },
    }),
  ];
  await shop.write(".context/memory_log.jsonl", toFile(lessons));
  const [named = "", logged = "", other = ""] = lessons.map(({ id }) => id.slice(0, 8));
  expect((await shop.run("show", named)).stdout).toContain(`sessions show ${failed?.id}`);
  const first = await shop.run("sessions", "show", named);
  expect(first.stdout).toMatch(
    /Why is the invoice[\s\S]*the rounding failed[\s\S]*The rate is applied twice/,
  );
  const second = await shop.run("sessions", "show", logged);
  expect(second.stdout).toMatch(
    /the rounding failed[\s\S]*The rate is applied twice[\s\S]*log_memory[\s\S]*It is noted/,
  );
  const json = (await shop.json("sessions", "show", logged)) as {
    event: { content: { tool: string } };
    before: object[];
  };
  expect([json.event.content.tool, json.before.length]).toEqual([
    "mcp__sentinel-memory__log_memory",
    3,
  ]);
  for (const none of [other, "abcdef12"]) {
    const { exit, stderr } = await shop.run("sessions", "show", none);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("error not_found")]);
  }
  expect((await shop.run("sessions", "show", session.id.slice(0, 8))).stdout).toContain(
    "It is noted",
  );
  await shop.run("forget", logged);
  const forgotten = await shop.run("sessions", "show", logged);
  expect(forgotten.stdout).toBe(second.stdout);
  expect(forgotten.stderr).toContain(` restore ${lessons[1]?.id} brings it back`);
});

it("shows what a loop of one's own recorded around a lesson, and says where that is nothing", async () => {
  const shop = await recordedRepository();
  const asLoop = (
    work: (call: (tool: string, args: Record<string, unknown>) => Promise<string>) => Promise<void>,
  ) => withServer(shop.server("my-loop"), (server) => work((tool, args) => server.ask(tool, args)));
  const note = { lesson: "Apply it once", missing_context: "The rate applies once", topic: "tax" };
  await asLoop(async (call) => void (await call("log_memory", note)));
  const [{ id } = { id: "" }] = await shop.lessons();
  const nothing = await shop.run("sessions", "show", id.slice(0, 8));
  expect([nothing.exit, nothing.stderr]).toEqual([
    1,
    expect.stringContaining("Nothing is recorded from the time"),
  ]);
  expect(nothing.stderr).toContain("record_event for each step");
  await asLoop(async (call) => {
    const content = { text: "The invoice for books has the rate twice" };
    await call("record_event", { kind: "message", session: "loop-1", content });
    await call("record_event", {
      kind: "message",
      session: "loop-1",
      content: { text: "It is noted" },
    });
  });
  const near = await shop.run("sessions", "show", id.slice(0, 8));
  expect(near.stdout).toMatch(/has the rate twice[\s\S]*It is noted/);
  expect(near.stderr).toContain("The call that logged it is not recorded");
  await asLoop(async (call) => {
    const content = { tool: "log_memory", command: note.missing_context };
    await call("record_event", { kind: "tool_call", session: "loop-1", content });
  });
  const own = await shop.run("sessions", "show", id.slice(0, 8));
  expect(own.stdout).toMatch(/has the rate twice[\s\S]*It is noted[\s\S]*log_memory/);
  expect(own.stderr).toBe("");
});
