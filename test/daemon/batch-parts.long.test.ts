/** A batch goes to the database in parts: where one fails the caller is told, and the same batch once more completes it. */
import { expect, it } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
const EVENTS = 500;
const PART = 100;
/** A sequence keeps what it counted when a transaction is undone. */
const FAILS_ONCE = `
  create sequence fails;
  create function fail_once() returns trigger language plpgsql security definer as $$
  begin
    if new.event::text like '%number 250"%' and nextval('public.fails') = 1 then
      raise exception 'no: %', new.event;
    end if;
    return new;
  end $$;
  create trigger fail_once before insert on sentinel.events for each row execute function fail_once();`;

it("where the third part of a batch fails, the caller is told; sent again, all of it is there, each event once", async () => {
  const database = await migratedDatabase(postgres());
  await testPool(postgres(), "admin", database).query(FAILS_ONCE);
  const daemon = await daemonOver(postgres(), database);
  const store = remoteEventStore({
    url: daemon.url,
    token: await daemon.token(),
    redactor: eventRedactor(),
  });
  const numbers = Array.from({ length: EVENTS }, (_, at) => `number ${at}`);
  const drafts = numbers.map((text, at) => message(text, at, { origin: text }));
  const stored = async () => (await all(store)).map(({ content }) => content.text);

  await expect(store.append(drafts)).rejects.toMatchObject({
    code: "write_failed",
    fix: expect.stringMatching(/log of the database.*call again/),
  });
  expect(JSON.stringify(daemon.log), "nothing of what was said is told").not.toContain("number");
  // Whole parts, and none after the one that failed.
  expect(await stored()).toEqual(numbers.slice(0, 2 * PART));

  expect((await store.append(drafts)).map((event) => event?.content.text)).toEqual(numbers);
  expect(await stored()).toEqual(numbers);
  expect(await store.statistics()).toMatchObject({ events: EVENTS });
  expect((await store.search({ text: "number 250" })).hits.length).toBeGreaterThan(0);
});
