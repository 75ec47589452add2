/** The viewer as a person uses it, in headless Chromium: every view, by keys, in both themes, while agents go on. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { at, log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { openBrowser, openPage, Viewer } from "../support/viewer-page.ts";

const MEMORY = ".context/memory_log.jsonl";
const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";
const SESSION = "5e551011-0000-4000-8000-000000000001";
const HOUR_MS = 3_600_000;

const VAT = log({ ask_next_time: "Which country is it?" });
const HOSTILE = log({
  topic: "html",
  missing_context: "<img src=x onerror=\"document.title='taken'\">",
  lesson: "מה <b>שנכתב</b> \u202e הפוך",
});
const CACHE = log({ topic: "cache", missing_context: "The cache is per host", lesson: "Purge it on every host" });

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function opened(project: Project, ...options: string[]) {
  const viewer = await Viewer.start(project, "--no-open", ...options);
  const { page, complaints } = await openPage(browser, viewer);
  onTestFinished(async () => {
    await page.context().close();
    await viewer.end();
  });
  return { viewer, page, complaints };
}

const shop = (...lines: Parameters<typeof toFile>[0]) => testRepository({ [MEMORY]: toFile(lines) });

/** Two sessions in which the same call failed, and what a hook gave in the first. */
async function recordedShop(): Promise<Project> {
  const project = await shop(VAT, HOSTILE, CACHE);
  await recordFromTheStart(project);
  for (const at of [1, 2]) {
    const id = `5e55101${at}${SESSION.slice(8)}`;
    const session = new Session({ id, cwd: project.folder, at: Date.now() - at * HOUR_MS }).asks("Mend the tax table");
    session.uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true });
    session.uses("Bash", { command: "bun run test" }, "all passed").says("The table is <i>mended</i>.");
    await keepTranscript(project, session);
  }
  await project.run("record", "capture");
  const given = { at: Date.now(), session: SESSION, event: "prompt", trigger: "prompt", ids: [VAT.id], tokens: 61 };
  await project.write(".context/.local/given.jsonl", `${JSON.stringify(given)}\n`);
  return project;
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.goto(new URL(hash, page.url()).href);
}

/** What of the page not everybody can use. */
const FINDINGS =
  "axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))";

const VIEWS = [
  "#/given",
  "#/inbox",
  "#/lessons",
  `#/lessons?id=${VAT.id}`,
  "#/lessons?topic=:gone",
  "#/sessions",
  `#/sessions?id=${SESSION}`,
  "#/sessions?q=tax",
  "#/bundle?q=tax",
];

describe("the page", () => {
  it("is usable by everybody in every view, in both themes, at three widths, and asks nobody else for anything", async () => {
    const project = await recordedShop();
    await project.run("forget", CACHE.id, "--yes");
    const { page, complaints } = await opened(project);
    await page.evaluate(axe.source);
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [360, 1280, 2560]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const view of VIEWS) {
          await goTo(page, view);
          await page.locator("main > *").first().waitFor();
          await page.waitForLoadState("networkidle");
          const findings = await page.evaluate(FINDINGS);
          expect(findings, `${view} ${colorScheme} ${width}`).toEqual([]);
          const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          expect(wide, `${view} ${width}`).toBeLessThanOrEqual(0);
        }
      }
    expect(complaints).toEqual([]);
  });

  it("shows hostile and right-to-left text as the text that it is", async () => {
    const { page, complaints } = await opened(await shop(VAT, HOSTILE));
    await goTo(page, `#/lessons?id=${HOSTILE.id}`);
    await page.getByText("<img src=x onerror=").waitFor();
    const lesson = page.locator("dd.lesson");
    expect(await lesson.textContent()).toBe(HOSTILE.lesson.replace("\u202e", "\ufffd"));
    expect(await page.evaluate("getComputedStyle(document.querySelector('dd.lesson')).direction")).toBe("rtl");
    expect(await page.locator("#app img, #app dd b").count()).toBe(0);
    expect(await page.title()).not.toBe("taken");
    expect(complaints).toEqual([]);
  });

  it("edits, forgets and takes back by keys, as the commands do", async () => {
    const project = await shop(VAT, CACHE);
    const { page } = await opened(project);
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("purge host");
    await page.getByText("1 of 2 lessons").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "cache" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Lesson", { exact: true }).last().fill("Purge it twice");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved.").waitFor();
    expect(await project.memory()).toContain("Purge it twice");
    await page.keyboard.press("u");
    await page.getByText("Taken back.").waitFor();
    expect(await project.memory()).not.toContain("Purge it twice");
    await page.keyboard.press("x");
    await page.getByText("Forgotten.").waitFor();
    expect((await project.run("search", "purge host")).stdout).toBe("");
    await page.keyboard.press("u");
    await page.getByText("Taken back.").waitFor();
    expect((await project.run("search", "purge host")).stdout).toContain("Purge it on every host");
  });

  it("takes one of two texts in conflict", async () => {
    const said = (text: string, hour: number) => log({ lesson: text, meta: { created: at(hour), after: {} } });
    const project = await shop(said("The timeout is 30 s.", 9), said("The timeout is 45 s.", 10));
    const { page } = await opened(project);
    await goTo(page, `#/lessons?id=${said("", 9).id}`);
    await page.getByText("Also said, in conflict").waitFor();
    await page.getByRole("button", { name: "Take this one" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByText("Also said, in conflict").waitFor({ state: "detached" });
    const { stdout } = await project.run("search", "timeout");
    expect([stdout.includes("30 s"), stdout.includes("also said")]).toEqual([true, false]);
  });

  it("leads from what was given to that moment of the session", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await goTo(page, "#/given");
    await page.getByRole("link", { name: /^session 5e/ }).click();
    await page.locator(".event.named").waitFor();
    expect(await page.locator(".event.named").textContent()).toContain("The table is <i>mended</i>.");
  });

  it("follows what others do, and says when its server has ended", async () => {
    const project = await shop(VAT);
    const { page, viewer } = await opened(project);
    await page.getByText("1 lesson", { exact: true }).waitFor();
    await project.run("add", "--topic", "cache", "--missing", "It is per host", "--lesson", "Purge all hosts");
    await page.getByText("Purge all hosts").waitFor();
    await viewer.end();
    await page.getByText("The viewer has ended.").waitFor();
    expect(await page.getByText("Purge all hosts").count()).toBe(0);
  });

  it("opens in a second tab without a token, and in no other browser", async () => {
    const { page, viewer } = await opened(await shop(VAT));
    await page.getByText("1 lesson", { exact: true }).waitFor();
    const beside = await page.context().newPage();
    await beside.goto(`${viewer.origin}/#/given`);
    await beside.getByText("No hook gave a lesson").waitFor();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(viewer.url);
    await stranger.getByText("may not read the memory").waitFor();
    expect(await stranger.getByText(VAT.lesson).count()).toBe(0);
    await stranger.context().close();
  });

  it("scrolls through 5,000 lessons with a screenful of them in the document, and steps to any", async () => {
    const { lessons } = realisticMemory(5_000);
    const { page, complaints } = await opened(await shop(...lessons));
    await page.getByText("5,000 lessons").waitFor();
    const list = page.getByRole("region", { name: "List of lessons" });
    await list.evaluate((node) => node.scrollTo(0, node.scrollHeight / 2));
    await expect.poll(() => list.locator("li").count()).toBeLessThan(60);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.locator(".detail h2").waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("what happened", () => {
  it("shows both texts of a conflict, which the next edit settles", async () => {
    const project = await shop(VAT);
    const clone = await project.clone();
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    await clone.run("edit", VAT.id, "--lesson", "Ask the accountant");
    await project.append(MEMORY, await clone.memory());
    const { page } = await opened(project);
    await page.getByText("1 in conflict").waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Also said, in conflict" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Lesson", { exact: true }).last().fill("Ask the tax office, then the accountant");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved.").waitFor();
    await page.getByText("1 in conflict").waitFor({ state: "detached" });
    expect((await project.run("check", "--strict")).exit).toBe(0);
  });

  it("keeps a long conversation out of the document, but for what is near", async () => {
    const project = await shop(VAT);
    await recordFromTheStart(project);
    const session = new Session({ cwd: project.folder, at: Date.now() - 5 * HOUR_MS });
    for (let turn = 0; turn < 700; turn++)
      session
        .asks(`Question ${turn}`)
        .uses("Bash", { command: `npm run ${turn}` }, "done")
        .says(`Answer ${turn}`);
    await keepTranscript(project, session);
    await project.run("record", "capture");
    const { page } = await opened(project);
    await goTo(page, `#/sessions?id=${session.id}`);
    await page.locator(".said", { hasText: /^Question 0$/ }).waitFor();
    const last = page.locator(".said", { hasText: /^Answer 699$/ });
    for (let turn = 0; turn < 200 && (await last.count()) === 0; turn++) {
      await page.locator(".detail").hover();
      await page.mouse.wheel(0, 20_000);
      expect(await page.locator(".event").count()).toBeLessThan(400);
    }
    await last.waitFor();
  });

  it("leads from what was given to the lesson and the session, and back", async () => {
    const { page } = await opened(await recordedShop());
    await page.keyboard.press("1");
    await page.getByText("with a prompt").waitFor();
    await page.getByRole("link", { name: /Read the tax table first/ }).click();
    await page.getByText("1 time, last on").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /session 5e551011/ }).click();
    await page.getByText("The table is <i>mended</i>.").waitFor();
    await page.getByText("what it was given").click();
    await page.locator("li .dim", { hasText: "61 tokens" }).waitFor();
    expect(page.url()).toContain(`#/given?session=${SESSION}`);
  });

  it("decides about candidates by keys, with the evidence in sight, and takes each back", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await page.keyboard.press("2");
    await page.getByText("2 times in 2 sessions, last on").first().waitFor();
    await page.getByText("error: unrecognized subcommand 'bun'").first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("Nothing waits").waitFor();
    expect(await project.json("review")).toEqual([]);
    await page.keyboard.press("u");
    await page.getByText("2 times in 2 sessions, last on").first().waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("In your words").fill("Run bun by itself.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Kept as a lesson.").waitFor();
    expect((await project.run("search", "bun by itself")).stdout).toContain("Run bun by itself.");
  });

  it("shows what was given as it stood then, and that it changed since", async () => {
    const project = await recordedShop();
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office first");
    const { page } = await opened(project);
    await page.keyboard.press("1");
    await page.getByRole("link", { name: /Read the tax table first/ }).waitFor();
    await page.getByText("changed since").waitFor();
    expect(await page.getByText("Ask the tax office first").count()).toBe(0);
  });

  it("keeps what is typed in a form when the lesson changes elsewhere, and does not save over that", async () => {
    const project = await shop(VAT);
    const { page } = await opened(project);
    await page.getByRole("link", { name: /Read the tax table first/ }).click();
    await page.getByRole("button", { name: /Edit/ }).waitFor();
    await page.keyboard.press("e");
    await page.keyboard.type("jumped 1");
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office first");
    await page.getByRole("link", { name: /Ask the tax office first/ }).waitFor();
    expect(await page.locator("form textarea").first().inputValue()).toContain("jumped 1");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").filter({ hasText: /\w/ }).last().waitFor();
    expect((await project.run("show", VAT.id)).stdout).toContain("Ask the tax office first");
  });

  it("decides about a note without a session log, and takes each back", async () => {
    const project = await shop(VAT);
    await project.write("src/refunds.ts", "export {};\n");
    await project.write("AGENTS.md", "- Refunds go through `src/refunds.ts`, never through the ledger.\n");
    await project.commit("Write a rule down");
    await project.run("import", "--from", "rules");
    const { page } = await opened(project);
    await page.keyboard.press("2");
    await page.getByText("rules, AGENTS.md:1").first().waitFor();
    await page.keyboard.press("y");
    await page.getByText("Nothing waits").or(page.getByText("are not recorded")).waitFor();
    expect((await project.run("search", "refunds ledger")).stdout).toContain("Refunds go through");
    await page.keyboard.press("u");
    await page.getByText("rules, AGENTS.md:1").first().waitFor();
    expect((await project.run("search", "refunds ledger")).stdout).not.toContain("Refunds go through");
    await page.keyboard.press("n");
    await page.getByText("Nothing waits").or(page.getByText("are not recorded")).waitFor();
    await page.keyboard.press("u");
    await page.getByText("rules, AGENTS.md:1").first().waitFor();
  });

  it("finds what was said, in context, and unfolds a call", async () => {
    const { page } = await opened(await recordedShop());
    await page.keyboard.press("4");
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("unrecognized subcommand");
    await page
      .getByRole("link", { name: /unrecognized subcommand/ })
      .first()
      .click();
    await page.locator("details.named[open] dd", { hasText: "Usage: rtk" }).waitFor();
    await page.keyboard.press("5");
    await page.getByRole("searchbox").fill("mend the tax table");
    await page.getByRole("img", { name: "Sections of the bundle" }).waitFor();
    expect(await page.locator("svg.budget rect").count()).toBeGreaterThan(1);
    await page.getByText("Mend the tax table").first().waitFor();
  });

  it("says how recording is turned on where it is off", async () => {
    const { page, complaints } = await opened(await shop(VAT));
    await page.keyboard.press("4");
    await page.getByText("sentinel-memory record on").waitFor();
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });
});
