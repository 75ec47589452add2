/** The servers of two clones, over standard input and output, with a session log that a daemon keeps: what one agent says the other one finds. */
import { expect, it, onTestFinished } from "vitest";
import { daemonOver } from "../support/daemon.ts";
import { captureAll, recordOn } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { type Server, startServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();
const LESSON = log({
  topic: "refunds",
  missing_context: "why refunds round twice",
  lesson: "Read the ledger of refunds",
});

async function serverOf({ folder, env }: Project): Promise<Server> {
  const server = await startServer({
    client: "claude-code",
    args: [BIN, "--project", folder],
    env,
  });
  onTestFinished(() => server.end());
  return server;
}

it("an agent finds what a teammate's agent recorded, beside the rules, lessons and views of its own clone", async () => {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const [ann, bob] = await Promise.all([
    testRepository(),
    testRepository({
      ".context/views/rules.project.md": "Refunds are never paid on Fridays.\n",
      ".context/views/identity.md": "A shop for books.\n",
      ".context/memory_log.jsonl": toFile([LESSON]),
    }),
  ]);
  await recordOn(ann, daemon.url, await daemon.token(), "--channel", "team");
  await recordOn(bob, daemon.url, await daemon.token({ owner: "bob" }), "--channel", "team");
  const his = new Session({ cwd: bob.folder, at: Date.now() - 600_000 });
  await keepTranscript(
    bob,
    his.asks("Where does the ledger of refunds lie?").says("In the cellar."),
  );
  await captureAll(bob);
  const [hers, other] = await Promise.all([serverOf(ann), serverOf(bob)]);

  const idIn = (answer: string) => /evt_\w{26}/.exec(answer)?.[0] ?? expect.fail(answer);
  const said = await hers.ask("record_event", {
    kind: "message",
    content: { text: "The refunds round to kroner." },
  });
  const decision = "Refunds round once, in the ledger";
  const decided = await hers.ask("record_event", {
    kind: "decision",
    content: { decision },
    refs: [idIn(said)],
  });
  await hers.ask("record_event", {
    kind: "message",
    content: { text: "Refunds bore me." },
    channel: "private",
  });

  const bundle = await other.ask("build_acb", {
    query: "why do refunds round twice in the ledger",
  });
  expect(bundle).toMatch(/agent of ann, .*: The refunds round to kroner\./);
  expect(bundle).toMatch(/decided by ann .*: Refunds round once, in the ledger/);
  expect(bundle).toContain("In the cellar.");
  for (const text of [
    "Refunds are never paid on Fridays.",
    "A shop for books.",
    "Read the ledger of refunds",
  ])
    expect(bundle).toContain(text);
  expect(bundle).not.toMatch(/bore me|doesn't have it/);
  const found = await other.ask("query_decisions", { query: "where do refunds round" });
  expect(found).toContain(`evt_${idIn(decided).slice(-8)}`);
  expect(found).toMatch(/by ann, .*Refunds round once/);
  expect(await other.ask("get_artifact", { ref: idIn(said) })).toContain(
    "The refunds round to kroner.",
  );
  expect((await hers.ask("query_decisions", {})).includes("by ann"), "to ann it is her own").toBe(
    false,
  );

  // While the daemon is away the clone's own answers go on, and what is about the session log says why it does not.
  await daemon.close();
  expect(await other.call("search_memory", { query: "refunds" })).toMatchObject({ isError: false });
  expect(await other.call("query_decisions", {})).toMatchObject({ code: "daemon_unreachable" });
});
