/** A daemon that is killed or told to stop loses nothing acknowledged, stores nothing twice, and logs the calls that it cut off. */
import { expect, it, onTestFinished } from "vitest";
import { message, texts } from "../contracts/event-store.ts";
import { storeAt } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { until } from "../support/wait.ts";

const postgres = postgresOfFile();
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 20_000 };
const WRITERS = 16;
const APPENDS = 200;

it("kill -9 of one of two daemons under load loses nothing acknowledged and doubles nothing", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const daemons = await Promise.all([operator.serve(), operator.serve()]);
  const tokens = await Promise.all(
    Array.from({ length: WRITERS }, (_, at) => operator.token(`writer ${at}`)),
  );
  const acknowledged = new Set<string>();
  let failures = 0;
  const write = async (token: string, writer: number) => {
    const stores = daemons.map(({ url }) => storeAt(url, token));
    for (let at = 0, next = writer; at < APPENDS; at++) {
      const more = {
        session: `session ${writer}`,
        key: `${writer} ${at}`,
        channel: "team",
      } as const;
      const draft = message(`${writer} ${at}`, at, more);
      for (;;) {
        try {
          await stores[next % 2]?.append([draft]);
          break;
        } catch (error) {
          expect(error).toMatchObject({ code: "daemon_unreachable" });
          failures++;
          next++;
        }
      }
      acknowledged.add(`${writer} ${at}`);
    }
  };
  const writing = Promise.all(tokens.map(write));
  // A writer that ends with an error ends the wait, too: it would never come to its share.
  const aQuarter = () => until(() => acknowledged.size >= (WRITERS * APPENDS) / 4);
  await Promise.race([aQuarter(), writing]);
  daemons[0]?.child.kill("SIGKILL");
  await writing;
  expect(failures).toBeGreaterThan(0);
  const stored = await texts(storeAt(daemons[1]?.url ?? "", tokens[0] ?? ""));
  expect(stored).toHaveLength(WRITERS * APPENDS);
  expect(new Set(stored)).toEqual(acknowledged);
});

it("a call that takes longer than a stop waits has its line in the log", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve();
  const token = await operator.token("ann");
  // Only an admin sees what others wait for.
  const admin = testPool(postgres(), "admin", operator.database);
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
