/** An agent comes into an old repository of which others said 3,000 things in the words of its questions, on PostgreSQL and in files. */
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { daemonOver, send } from "../support/daemon.ts";
import { recordOn } from "../support/daemon-record.ts";
import { itIsExplored, nearTexts, oldRepository } from "../support/old-repository.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import type { Project } from "../support/project.ts";
import { manifestOf, recordFromTheStart } from "../support/recorded.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const OTHERS = 3_000;
const postgres = postgresOfFile();
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each([
  ["on PostgreSQL", logOfDaemon],
  ["in files", logInFiles],
])("%s", (_, keepLog) => {
  let repository: Project;
  beforeAll(async () => {
    repository = await oldRepository();
    ends.push(async () => repository.remove());
    await keepLog(repository);
  });

  itIsExplored(() => repository, true);
});

async function logOfDaemon(repository: Project): Promise<void> {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()), {
    atEnd: (end) => ends.unshift(end),
  });
  const authorization = `Bearer ${await daemon.token({ owner: "bob" })}`;
  const body = JSON.stringify({ drafts: nearTexts(OTHERS) });
  expect(await send(daemon.port, "/v1/events/append", { authorization }, body)).toMatchObject({
    status: 200,
  });
  await recordOn(repository, daemon.url, await daemon.token());
}

async function logInFiles(repository: Project): Promise<void> {
  await recordFromTheStart(repository);
  const folder = dirname(await manifestOf(repository));
  await new JsonlEventStore({ folder, redactor: UNREDACTED, now: Date.now }).append(
    nearTexts(OTHERS),
  );
}
