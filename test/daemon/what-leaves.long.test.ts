/**
 * What leaves a machine for a daemon: neither a secret nor a word that is never stored. The daemon takes them out, too, so this looks at what
 * is on its way there.
 */
import { expect, it } from "vitest";
import { daemonOfFile } from "../support/daemon.ts";
import { daemonProxy } from "../support/daemon-proxy.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { withoutOurNames } from "../support/kept-by-postgres.ts";
import { makeSecrets, runsLeft } from "../support/planted-secrets.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { keepTranscript } from "../support/recorded.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const daemonOfAll = daemonOfFile(postgresOfFile());
const OWN_WORDS = ["Bluebird", "PRJ-4711"];
const PRIVACY = "version: 1\nnever_store:\n  words: [Bluebird]\n  patterns: ['PRJ-\\d{4}']\n";
/** How many of the secrets each of the slower ways sends. */
const SAID = 40;

it("secrets and words that are never stored are not in what captures, agents and people send", async () => {
  const daemon = daemonOfAll();
  const proxy = await daemonProxy(daemon.url);
  const project = await testRepository({ ".context/policies/privacy.yaml": PRIVACY });
  await recordOn(project, proxy.url, await daemon.token());
  const secrets = makeSecrets();
  const before = proxy.sent.length;
  const sentSince = (from: number) =>
    proxy.sent.slice(from).map(({ name, body }) => `${name} ${body}`);
  const mustBeClean = (sent: readonly string[], evidence: string) => {
    const text = sent.join("\n");
    expect(text).toContain(evidence);
    expect(runsLeft(secrets, withoutOurNames(text))).toEqual([]);
    for (const word of OWN_WORDS) {
      expect(text.toLowerCase()).not.toContain(word.toLowerCase());
    }
  };

  const session = new Session({ cwd: project.folder, at: Date.now() - 3_600_000 });
  for (const { written } of secrets) {
    session
      .asks(`Number one: use ${written} for it, says bluebird of PRJ-4711.`)
      .uses(
        "Bash",
        { command: `echo ${written} | tool` },
        `step 17 of the build\n${written}\nfor Bluebird\n`,
      )
      .says(`I used ${written} for Bluebird.`);
  }
  await keepTranscript(project, session);
  expect(await captureAll(project)).toContain("Recorded ");
  const captured = sentSince(before);
  expect(captured.filter((call) => call.startsWith("append ")).length).toBeGreaterThan(1);
  mustBeClean(captured, "step 17 of the build");

  await withServer(project.server("claude-code"), async (server) => {
    const started = proxy.sent.length;
    const [ref] = /evt_\w+/.exec(await say("message", { text: "The agent says hello." })) ?? [];
    for (const [at, { written }] of secrets.slice(0, SAID).entries()) {
      const text = `Use ${written} for Bluebird, as PRJ-4711 says.`;
      const statements = [
        ["message", { text }],
        ["task_update", { title: `Log in ${at}`, details: text }],
        ["decision", { decision: "keep it", alternatives: ["nothing", text] }],
        ["tool_result", { tool: "Bash", command: `echo ${written}`, text }],
        [
          "handoff",
          { to_agent: "codex", task: "log in", constraints: [text], open_questions: [text] },
        ],
      ] as const;
      const [kind, content] = statements[at % statements.length] ?? statements[0];
      await say(kind, content, kind === "decision" ? [ref] : undefined);
    }
    for (const { written } of secrets.slice(0, SAID / 4)) {
      await server.ask("build_acb", { query: `what of ${written} for Bluebird and PRJ-4711?` });
      await server.ask("query_decisions", { query: `${written} Bluebird` });
    }
    mustBeClean(sentSince(started), "The agent says hello.");

    function say(
      kind: string,
      content: object,
      refs?: readonly (string | undefined)[],
    ): Promise<string> {
      return server.ask("record_event", { kind, content, ...(refs && { refs }) });
    }
  });

  const pinned = proxy.sent.length;
  for (const { written } of secrets.slice(0, 5)) {
    await sentinel(project, ["pin", `The person pins ${written} for Bluebird`]);
  }
  mustBeClean(sentSince(pinned), "The person pins");
});
