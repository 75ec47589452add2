/** A daemon that is told to stop takes nothing new, and finishes what runs. */
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";

const postgres = postgresOfFile();
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 20_000 };
const EVENTS = 400;

it("an append that runs is stored and answered, and no new connection is taken", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const [daemon, other] = await Promise.all([operator.serve(), operator.serve()]);
  const token = await operator.token("ann");
  const storeAt = (url: string) => remoteEventStore({ url, token, redactor: eventRedactor() });
  // Only an admin sees what others wait for.
  const admin = testPool(
    postgres(),
    "admin",
    new URL(operator.databaseUrl("owner")).pathname.slice(1),
  );
  const waiting = async () => {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where usename = 'daemon' and wait_event_type = 'Lock'",
    );
    return rowCount;
  };
  const events = Array.from({ length: EVENTS }, (_, at) => message(`late ${at}`, at));

  const holder = await admin.connect();
  let isLocked = true;
  const unlock = () => {
    if (isLocked) holder.release(true);
    isLocked = false;
  };
  onTestFinished(unlock);
  await holder.query("begin");
  await holder.query("lock table sentinel.purged in access exclusive mode");
  const answers: number[] = [];
  const headers = { authorization: `Bearer ${token}` };
  const appending = fetch(`${daemon.url}/v1/events/append`, {
    method: "POST",
    headers,
    body: JSON.stringify({ drafts: events }),
  }).then((answer) => answers.push(answer.status));
  await expect.poll(waiting, PATIENCE).toBe(1);

  daemon.child.kill("SIGTERM");
  await expect.poll(() => errorOfConnecting(daemon.url), PATIENCE).toBe("ECONNREFUSED");
  expect([answers, daemon.child.exitCode]).toEqual([[], null]);
  unlock();
  await appending;
  expect(answers).toEqual([200]);
  expect(await daemon.exited).toBe(0);
  const stored = (await all(storeAt(other.url))).map(({ content }) => content.text);
  expect(stored).toEqual(events.map(({ content }) => content.text));
});

it("a call that takes longer than a stop waits has its line in the log", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve();
  const token = await operator.token("ann");
  const admin = testPool(
    postgres(),
    "admin",
    new URL(operator.databaseUrl("owner")).pathname.slice(1),
  );
  const holder = await admin.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; lock table sentinel.purged in access exclusive mode");
  const body = JSON.stringify({ drafts: [message("too late")] });
  const headers = { authorization: `Bearer ${token}`, "x-request-id": "cut-1" };
  const appending = fetch(`${daemon.url}/v1/events/append`, { method: "POST", headers, body });
  const failed = expect(appending).rejects.toThrow();
  const waiting =
    "select from pg_stat_activity where usename = 'daemon' and wait_event_type = 'Lock'";
  await expect.poll(async () => (await admin.query(waiting)).rowCount, PATIENCE).toBe(1);
  daemon.child.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
  await failed;
  const lines = daemon.log.map((line) => JSON.parse(line)).filter(({ call }) => call === "append");
  const id = token.split("_")[1];
  expect(lines).toEqual([
    expect.objectContaining({ id: "cut-1", status: 503, token: id, error: "cancelled" }),
  ]);
});

/** The code of the error; empty where the connection is made. */
function errorOfConnecting(url: string): Promise<string> {
  return new Promise((resolve) => {
    const connection = connect(Number(new URL(url).port), "127.0.0.1");
    connection.once("connect", () => connection.destroy());
    connection.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    connection.once("close", () => resolve(""));
  });
}
