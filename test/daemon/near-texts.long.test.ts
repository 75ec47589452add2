/** An agent comes into an old repository of which others said 3,000 things in the words of its questions, on PostgreSQL. */
import { afterAll, beforeAll, expect } from "vitest";
import { daemonOver, send } from "../support/daemon.ts";
import { recordOn } from "../support/daemon-record.ts";
import { itIsExplored, nearTexts, oldRepository } from "../support/old-repository.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import type { Project } from "../support/project.ts";

const OTHERS = 3_000;
const postgres = postgresOfFile();
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

let repository: Project;
beforeAll(async () => {
  repository = await oldRepository();
  ends.push(async () => repository.remove());
  await logOfDaemon(repository);
});

itIsExplored(() => repository, true);

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
