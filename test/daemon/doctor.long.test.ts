/** What a person is told of a session log that a daemon keeps: by doctor, and by `sessions status`. */
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { operatorOf } from "../support/daemon-process.ts";
import { testRepository } from "../support/in-test.ts";
import { hand, handed } from "../support/opencode.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();

const recordOn = (project: Project, token: string, ...more: readonly string[]) => {
  const place = { cwd: project.folder, env: { ...project.env, SENTINEL_TOKEN: token } };
  return runProcess(process.execPath, [BIN, "sessions", "on", ...more], place);
};

async function told(project: Project) {
  const { exit, stdout } = await project.sentinel(["doctor", "--json"]);
  const all = JSON.parse(stdout) as { id: string; level: string; what: string; fix?: string }[];
  const facts = (await project.json("sessions", "status")) as Record<string, unknown>;
  const { stdout: status } = await project.run("sessions", "status");
  return { exit, daemon: all.filter(({ what }) => what.includes("aemon at")), facts, status };
}

it("says whether the daemon answers and takes the token, what to do, and how much waits", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const tokenOf = (person: string, ...more: readonly string[]) => operator.token(person, ...more);
  const first = await operator.serve();
  const ann = await testRepository();
  const token = await tokenOf("ann");
  await recordOn(ann, token, "--url", first.url);

  const well = await told(ann);
  expect(well.daemon).toMatchObject([
    {
      level: "ok",
      what: `The daemon at ${first.url} takes what ann of acme records as private; nothing waits to be recorded.`,
    },
  ]);
  expect(well.facts).toMatchObject({ events: 0, daemon: { url: first.url, channel: "private" } });
  expect(well.status).not.toMatch(/^(?:warning|BROKEN)/m);

  const owner = testPool(postgres(), "owner", operator.database);
  await owner.query("update sentinel.tokens set expires_at = now() + interval '13 days 12 hours'");
  const ends = new Date(Date.now() + 13.5 * 86_400_000).toISOString().slice(0, 10);
  expect((await told(ann)).daemon).toMatchObject([
    ...well.daemon,
    {
      level: "warning",
      what: `The token for the daemon at ${first.url} ends on ${ends}.`,
      fix: expect.stringContaining(`daemon token rotate --url ${first.url} --overlap 24`),
    },
  ]);
  await owner.query("update sentinel.tokens set expires_at = now() + interval '15 days'");
  expect((await told(ann)).daemon).toEqual(well.daemon);

  first.child.kill("SIGTERM");
  await first.exited;
  const session = new Session({ cwd: ann.folder });
  session.asks("Why do refunds fail?").says("They round twice.");
  await keepTranscript(ann, session);
  await hand(ann, handed(ann, ["Go on", "Gone on."]));
  const code = "daemon_unreachable";
  await expect
    .poll(async () => (await told(ann)).facts, { timeout: 60_000, interval: 500 })
    .toMatchObject({ waiting: { transcripts: 2 }, lastCapture: { failed: { code } } });

  const kept = Buffer.byteLength(session.text);
  const away = await told(ann);
  const waits = /[\d,]+ bytes in 2 transcripts wait to be recorded/;
  const unreached = away.daemon.filter(({ what }) => what.startsWith("Nothing reaches"));
  expect(unreached).toMatchObject([
    {
      level: "warning",
      what: expect.stringMatching(waits),
      fix: expect.stringContaining("Check that it runs"),
    },
  ]);
  expect(unreached[0]?.what).toContain(`The daemon at ${first.url} does not answer.`);
  expect(away.facts).toMatchObject({
    status: "on",
    findings: expect.arrayContaining([
      expect.objectContaining({ id: code, fix: expect.stringContaining("Check that it runs") }),
    ]),
    daemon: { url: first.url },
    waiting: { transcripts: 2 },
  });
  expect((away.facts.waiting as { bytes: number }).bytes).toBeGreaterThan(kept);
  expect(away.facts).not.toHaveProperty("events");
  expect(away.status).toContain(`daemon      ${first.url}, as private\n`);
  expect(away.status).toContain(`The daemon at ${first.url} does not answer.`);
  expect(away.status).toMatch(waits);

  const second = await operator.serve();
  await recordOn(ann, token, "--url", second.url);
  const [, id = ""] = token.split("_");
  await operator.run("token", "revoke", id);
  const refused = await told(ann);
  expect(refused.exit).toBe(1);
  expect(refused.daemon.filter(({ level }) => level === "broken")).toMatchObject([
    {
      level: "broken",
      what: expect.stringMatching(/This token is not in use/),
      fix: expect.stringMatching(/SENTINEL_TOKEN=… .* sessions on$/),
    },
  ]);
  expect(refused.daemon.find(({ level }) => level === "broken")?.what).toMatch(waits);
  expect(refused.daemon.map(({ id }) => id)).toContain("unauthorised");

  // What it says to do is enough.
  expect(await recordOn(ann, await tokenOf("ann"))).toMatchObject({ exit: 0 });
  await ann.run("sessions", "capture", "--all", "--yes");
  const again = await told(ann);
  expect(again.daemon.map(({ level, what }) => [level, what])).toEqual([
    ["ok", expect.stringContaining("nothing waits to be recorded")],
  ]);
  expect(again.facts).toMatchObject({
    events: 6,
    waiting: { transcripts: 0, bytes: 0 },
  });
});

it("says so where the address takes calls and never answers", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve();
  const ann = await testRepository();
  const token = await operator.token("ann");
  await recordOn(ann, token, "--url", daemon.url);
  const mute = createServer(() => undefined);
  await new Promise<void>((ready) => mute.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void mute.close());
  const address = mute.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const path = await manifestOf(ann);
  await ann.write(path, (await ann.read(path)).replace(daemon.url, url));
  const { daemon: found } = await told(ann);
  expect(found).toMatchObject([
    { level: "warning", what: expect.stringContaining(`${url} does not answer`) },
  ]);
});
