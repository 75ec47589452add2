/** What stories of the viewer begin with: a shop with lessons, sessions in which one call failed, and a page that has it open. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { testRepository } from "./in-test.ts";
import { log, toFile } from "./lines.ts";
import type { Project } from "./project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "./recorded.ts";
import { startServer } from "./server.ts";
import { Session } from "./transcript.ts";
import { openBrowser, openPage, Viewer } from "./viewer-page.ts";

export const MEMORY = ".context/memory_log.jsonl";
const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";
export const SESSION = "5e551011-0000-4000-8000-000000000001";
export const HOUR_MS = 3_600_000;

export const VAT = log({ ask_next_time: "Which country is it?" });
export const HOSTILE = log({
  topic: "html",
  missing_context: "<img src=x onerror=\"document.title='taken'\">",
  lesson: "מה <b>שנכתב</b> \u202e הפוך",
});
export const CACHE = log({
  topic: "cache",
  missing_context: "The cache is per host",
  lesson: "Purge it on every host",
});

/** A browser for the tests of a file. @returns what opens the viewer in a page of it, until the test ends. */
export function inBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  const open = async (project: Project, ...options: string[]) => {
    const viewer = await Viewer.start(project, "--no-open", ...options);
    const { page, complaints } = await openPage(browser, viewer);
    onTestFinished(async () => {
      await page.context().close();
      await viewer.end();
    });
    return { viewer, page, complaints };
  };
  return { open, newPage: async () => (await browser.newContext()).newPage() };
}

export const shop = (...lines: Parameters<typeof toFile>[0]) =>
  testRepository({ [MEMORY]: toFile(lines) });

/** Two sessions in which the same call failed, and what a hook gave in the first. */
export async function recordedShop(): Promise<Project> {
  const project = await shop(VAT, HOSTILE, CACHE);
  await recordFromTheStart(project);
  for (const at of [1, 2]) {
    const id = `5e55101${at}${SESSION.slice(8)}`;
    const session = new Session({ id, cwd: project.folder, at: Date.now() - at * HOUR_MS }).asks(
      "Mend the tax table of every country in which the shop sells anything",
    );
    session.uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true });
    session
      .uses("Bash", { command: "bun run test" }, "all passed")
      .says("The table is <i>mended</i>.");
    await keepTranscript(project, session);
  }
  await project.run("sessions", "capture");
  const given = {
    at: Date.now(),
    session: SESSION,
    event: "prompt",
    trigger: "prompt",
    ids: [VAT.id],
    tokens: 61,
  };
  await project.write(".context/.local/given.jsonl", `${JSON.stringify(given)}\n`);
  return project;
}

/** Two clones say different things of lessons, and both lines are in the memory. */
export async function inConflict(project: Project, ...ids: readonly string[]): Promise<void> {
  const clone = await project.clone();
  for (const id of ids) {
    await project.run("edit", id, "--lesson", "Ask the tax office");
    await clone.run("edit", id, "--lesson", "Ask the accountant");
  }
  await project.append(MEMORY, await clone.memory());
}

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.goto(new URL(hash, page.url()).href);
}

/** Says in the newest session, on what the first one said, what was decided, in place of what, what is to be done, and what is pinned. */
export async function decideIn(project: Project): Promise<void> {
  const asked = (await eventsOf(project)).find(({ kind }) => kind === "message");
  const server = await startServer(project.server("claude-code"));
  const decide = async (decision: string, because: string, supersedes: readonly string[]) => {
    const content = {
      decision,
      rationale: [because],
      ...(supersedes.length > 0 && { supersedes }),
    };
    return (
      /evt_\w{26}/.exec(
        await server.ask("record_event", { kind: "decision", content, refs: [asked?.id] }),
      )?.[0] ?? ""
    );
  };
  const first = await decide("Refund by a negative charge", "The API timed out", []);
  await decide("Refund by the API", "The ledger needs its id", [first]);
  await server.ask("record_event", {
    kind: "task_update",
    content: { title: "Test two countries", status: "open" },
  });
  await server.end();
  await project.run("pin", "Never deploy on Friday", "--note", "asked by ops");
}
