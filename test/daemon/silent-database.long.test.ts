/** A database whose processes hang: they hold their connections open and answer nothing, and no call waits for ever. */
import { expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { whileSilent } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 20_000 };
const OK = { status: 200, body: { status: "ok" } };
const SILENT = {
  status: 503,
  body: { error: expect.objectContaining({ code: "database_unreachable" }) },
};

async function served() {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve("--admin-port", "0");
  const admin = Number(/:(\d+)$/.exec(daemon.log[0] ?? "")?.[1]);
  const token = await operator.token("ann");
  const { port } = new URL(daemon.url);
  return {
    ...daemon,
    store: remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() }),
    ask: (path: string) => send(admin, path, {}, undefined, "GET"),
    /** Without the tries of our own client. */
    call: (name: string, body: object) =>
      send(
        Number(port),
        `/v1/events/${name}`,
        { authorization: `Bearer ${token}` },
        JSON.stringify(body),
      ),
  };
}

const named = (name: string) => message(name, 0, { origin: name });

it("calls and the question whether it is ready hear that, it goes on by itself, and what was acknowledged is there once", async () => {
  const daemon = await served();
  await daemon.store.append([named("before")]);
  const acknowledged: string[] = [];
  const failed: string[] = [];
  let isOver = false;
  const writing = [1, 2, 3, 4].map(async (writer) => {
    for (let at = 0; !isOver; at++) {
      const name = `${writer} ${at}`;
      const answer = await daemon.call("append", { drafts: [named(name)] });
      if (answer.status !== 200) expect(answer).toEqual(SILENT);
      (answer.status === 200 ? acknowledged : failed).push(name);
    }
  });
  await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(40);
  await whileSilent(postgres(), async () => {
    expect(await daemon.ask("/ready")).toEqual(SILENT);
    expect(await daemon.ask("/live")).toEqual(OK);
    expect((await daemon.ask("/metrics")).status).toBe(200);
    const asked = await daemon.call("search", { text: "before" });
    expect(asked).toEqual(SILENT);
    expect(asked.body).toMatchObject({
      error: {
        message: expect.stringContaining("the database does not answer"),
        fix: expect.stringMatching(/^See /),
      },
    });
    isOver = true;
    await Promise.all(writing);
  });
  await expect.poll(() => daemon.ask("/ready"), PATIENCE).toEqual(OK);
  await daemon.store.append(failed.map(named));
  const texts = (await all(daemon.store)).map(({ content }) => content.text);
  expect(texts.sort()).toEqual(["before", ...acknowledged, ...failed].sort());
});

it("a daemon that is told to stop meanwhile does, though calls wait", async () => {
  const daemon = await served();
  await daemon.store.append([named("before")]);
  await whileSilent(postgres(), async () => {
    const calls = [1, 2, 3].map((at) => daemon.call("append", { drafts: [named(`${at}`)] }));
    const answers = Promise.allSettled(calls);
    await daemon.ask("/ready");
    daemon.child.kill("SIGTERM");
    expect(await daemon.exited).toBe(0);
    await answers;
  });
});
