/** A daemon that is killed under load: nothing acknowledged is lost, and nothing is there twice. */
import { expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { until } from "../support/wait.ts";

const postgres = postgresOfFile();
const WRITERS = 16;
const APPENDS = 500;

it("kill -9 of one of two daemons under load loses nothing acknowledged and doubles nothing", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const daemons = await Promise.all([operator.serve(), operator.serve()]);
  const tokens = await Promise.all(
    Array.from({ length: WRITERS }, (_, at) => operator.token(`writer ${at}`)),
  );
  const acknowledged = new Set<string>();
  let failures = 0;
  const write = async (token: string, writer: number) => {
    const stores = daemons.map(({ url }) =>
      remoteEventStore({ url, token, redactor: eventRedactor() }),
    );
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
  const reader = remoteEventStore({
    url: daemons[1]?.url ?? "",
    token: tokens[0] ?? "",
    redactor: eventRedactor(),
  });
  const stored = (await all(reader)).map(({ content }) => content.text);
  expect(stored).toHaveLength(WRITERS * APPENDS);
  expect(new Set(stored)).toEqual(acknowledged);
});
