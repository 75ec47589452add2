/** More connections than a process may have files, and more captures than connections to the database: calls of others go on. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { all, message } from "../contracts/event-store.ts";
import { send } from "../support/daemon.ts";
import { operatorOf, startDaemonWith } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const postgres = postgresOfFile();
const FILES = 1_024;
const STRANGERS = 3_000;

/** A daemon that may have so many files open, which Node cannot raise. */
async function served(person: string) {
  const operator = await operatorOf(postgres(), "acme");
  const folder = testFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    SENTINEL_DATABASE_URL: operator.databaseUrl("daemon"),
  };
  const line = `ulimit -n ${FILES} && exec "$0" "$@"`;
  const args = ["-c", line, process.execPath, BIN, "daemon", "serve", "--port", "0"];
  const daemon = await startDaemonWith("sh", args, folder, env);
  const storeOf = async (name: string) =>
    remoteEventStore({
      url: daemon.url,
      token: await operator.token(name),
      redactor: UNREDACTED,
    });
  return {
    ...daemon,
    port: Number(new URL(daemon.url).port),
    storeOf,
    store: await storeOf(person),
  };
}

it("three thousand strangers who say nothing, or ask for the health alone, keep nobody out of a daemon of 1,024 files", async () => {
  const { port, store, child, log } = await served("ann");
  expect(
    spawnSync("sh", ["-c", `ulimit -n ${2 * STRANGERS}`]).status,
    "this test needs files of its own",
  ).toBe(0);
  for (const says of ["", "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"]) {
    const strangers = Array.from({ length: STRANGERS }, () => connect(port, "127.0.0.1"));
    const arrived = strangers.map(async (socket) => {
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined).resume();
      await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
      if (!socket.destroyed) socket.write(says);
    });
    await Promise.all(arrived);
    // Whoever comes now, on a connection of its own, is answered at once; so is who has a token.
    for (let at = 0; at < 50; at++)
      expect(await send(port, "/health", { connection: "close" }, undefined, "GET")).toMatchObject({
        status: 200,
      });
    expect(await store.append([message(`beside ${says.length}`, says.length)])).toHaveLength(1);
    expect(await all(store)).not.toEqual([]);
    for (const socket of strangers) socket.destroy();
  }
  expect(child.exitCode).toBeNull();
  expect(log.filter((line) => /EMFILE|ENFILE/.test(line))).toEqual([]);
});

const PEOPLE = 40;

it("forty people who append at once are all stored, and calls of others are answered", async () => {
  const { storeOf, store } = await served("ann");
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, at) => storeOf(`person ${at}`)),
  );
  const appends = people.map((one, at) => {
    const more = { origin: `captured ${at}`, session: `session ${at}`, channel: "team" } as const;
    return one.append([message(`captured ${at}`, at, more)]);
  });
  for (let at = 0; at < 20; at++)
    expect(await store.append([message(`meanwhile ${at}`, 100 + at)])).toHaveLength(1);
  await Promise.all(appends);
  expect((await all(store)).filter(({ origin }) => origin?.startsWith("captured"))).toHaveLength(
    PEOPLE,
  );
});
