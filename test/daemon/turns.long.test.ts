/** One token with more calls than a daemon has connections: it waits for itself, and nobody else for it. */
import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver, send } from "../support/daemon.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

it("its calls are answered in turns, and those of others meanwhile", async () => {
  const daemon = await daemonOver(postgres(), database);
  const [ann, bob] = [await daemon.token(), await daemon.token({ owner: "bob" })];
  const holder = await testPool(postgres(), "owner", database, { max: 1 }).connect();
  await holder.query("begin; lock table sentinel.purged in access exclusive mode");
  const call = (token: string, name: string, body: object) =>
    send(
      daemon.port,
      `/v1/events/${name}`,
      { authorization: `Bearer ${token}` },
      JSON.stringify(body),
    );
  let answered = 0;
  const appends = Array.from({ length: 60 }, async (_, at) => {
    const { status } = await call(ann, "append", { drafts: [message(`call ${at}`, at)] });
    answered++;
    return status;
  });
  // It needs a connection, and nothing of what is locked.
  for (let at = 0; at < 20; at++) expect((await call(bob, "read", {})).status).toBe(200);
  expect(answered).toBe(0);
  await holder.query("commit");
  holder.release();
  expect(await Promise.all(appends)).toEqual(appends.map(() => 200));
  const store = remoteEventStore({ url: daemon.url, token: ann, redactor: UNREDACTED });
  expect(await all(store)).toHaveLength(60);
});

it("a call that is broken off is no fault of the daemon's", async () => {
  const daemon = await daemonOver(postgres(), database);
  const token = await daemon.token();
  const socket = connect(daemon.port, "127.0.0.1");
  socket.write(
    `POST /v1/events/append HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 100\r\n\r\n{"dra`,
  );
  // What comes later is answered, so the beginning of this one has come.
  expect(
    (await send(daemon.port, "/v1/events/statistics", { authorization: `Bearer ${token}` }, "{}"))
      .status,
  ).toBe(200);
  socket.destroy();
  await expect
    .poll(() => daemon.log.filter(({ call }) => call === "append"), { timeout: 20_000 })
    .toMatchObject([{ status: 400, error: "bad_argument" }]);
});
