/** A capture whose batch, or the answer to it, gets lost between a clone and its daemon: the next one makes up for it, and nothing is there twice. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import {
  type DaemonProxy,
  daemonProxy,
  type Loss,
  type SentCall,
} from "../support/daemon-proxy.ts";
import { captureAll, recordOn } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { BIN } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();
/** A batch has 500 events at most, so there are three or more. */
const REQUESTS = 700;

/** A clone with a long transcript, and a daemon that it reaches through a proxy. */
async function recordedThrough(proxyOver: (url: string) => Promise<DaemonProxy>) {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const token = await daemon.token();
  const project = await testRepository();
  const proxy = await proxyOver(daemon.url);
  await recordOn(project, proxy.url, token);
  const session = new Session({ cwd: project.folder, at: Date.now() - 7_200_000 });
  const said: string[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    said.push(`request ${at}`, `answer ${at}`);
    session.asks(`request ${at}`).says(`answer ${at}`);
  }
  await keepTranscript(project, session);
  const store = remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() });
  const stored = async () =>
    (await all(store, { kinds: ["message"] })).map(({ content }) => String(content.text));
  return { project, proxy, said, stored };
}

const isAppend = ({ name }: SentCall) => name === "append";

/** From the second batch on, as long as it lasts. */
function fromSecondBatch(loss: Loss) {
  let appended = 0;
  const losing = { isOver: false };
  const lose = (call: SentCall): Loss => {
    if (losing.isOver || !isAppend(call)) return undefined;
    appended++;
    return appended > 1 ? loss : undefined;
  };
  return { lose, losing };
}

it.each([
  ["the second batch", "call", 1],
  ["the answer to the second batch", "answer", 2],
] as const)("%s gets lost: the next capture sends what is missing", async (_, loss, batches) => {
  const { lose, losing } = fromSecondBatch(loss);
  const { project, proxy, said, stored } = await recordedThrough((url) => daemonProxy(url, lose));
  expect(await captureAll(project)).toContain("error daemon_unreachable");
  const arrived = proxy.sent
    .filter(isAppend)
    .slice(0, batches)
    .flatMap(({ body }) => JSON.parse(body).drafts);
  const isMessage = ({ kind }: EventDraft) => kind === "message";
  expect(await stored()).toEqual(arrived.filter(isMessage).map(({ content }) => content.text));
  expect((await stored()).length).toBeLessThan(said.length);
  losing.isOver = true;
  expect(await captureAll(project)).toContain("Recorded ");
  expect(await stored()).toEqual(said);
  await captureAll(project);
  expect(await stored()).toEqual(said);
});

it.each([
  ["before the daemon has a batch", "call"],
  ["between a batch and its answer", "answer"],
] as const)("a capture that is killed %s is made up for, too", async (_, loss) => {
  const { lose, losing } = fromSecondBatch(loss);
  let kill = () => {};
  const { project, proxy, said, stored } = await recordedThrough((url) =>
    daemonProxy(url, lose, () => kill()),
  );
  const child = spawn(process.execPath, [BIN, "sessions", "capture", "--all", "--yes"], {
    ...project.place(),
    stdio: "ignore",
  });
  kill = () => void child.kill("SIGKILL");
  onTestFinished(kill);
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect(proxy.sent.filter(isAppend)).toHaveLength(2);
  expect((await stored()).length).toBeLessThan(said.length);
  losing.isOver = true;
  await captureAll(project);
  expect(await stored()).toEqual(said);
});
