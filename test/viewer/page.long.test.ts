/** The viewer as a person uses it, in headless Chromium: every view, by keys, in both themes, while agents go on. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { eventsOf } from "../support/recorded.ts";
import {
  CACHE,
  decideIn,
  goTo,
  HOSTILE,
  inBrowser,
  inConflict,
  MEMORY,
  recordedShop,
  SESSION,
  shop,
  VAT,
} from "../support/viewer-story.ts";

/** What of the page not everybody can use. */
const FINDINGS =
  "axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))";

/** Presses y for each candidate that comes: an observer in the page sees it before it is painted. */
const PRESS_AT_SIGHT = `
  const seen = new Set([undefined]);
  const press = () => {
    const text = document.querySelector("[aria-label=Candidate] dd.lesson")?.textContent;
    if (!seen.has(text)) document.dispatchEvent(new KeyboardEvent("keydown", { key: "y" }));
    seen.add(text);
  };
  new MutationObserver(press).observe(document.body, { childList: true, subtree: true, characterData: true });`;

/** Presses e and answers what has the keys as soon as the form is in the document, before it is painted. */
const FOCUS_AT_SIGHT = `new Promise((resolve) => {
  const look = () => document.querySelector("textarea") && resolve(document.activeElement.tagName);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "e" }));
})`;

const { open: opened, newPage } = inBrowser();

/** Candidates from rules of a project, one for each kind. */
async function offerRules(project: Project, ...kinds: readonly string[]): Promise<void> {
  await project.write("src/refunds.ts", "export {};\n");
  const rules = kinds.map(
    (kind) => `- Refunds of ${kind} go through \`src/refunds.ts\`, never the till.\n`,
  );
  await project.write("AGENTS.md", rules.join("\n"));
  await project.commit("Write rules down");
  await project.run("import", "--from", "rules");
}

/** Nothing else: the page goes on asking what is new, also as a test ends. */
const CHANGES = /\/api\/(?:keep|never|edit|forget)$/;

/** Holds the answers to changes. @returns what lets them go. */
async function withAnswersHeld(page: Page): Promise<() => void> {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.unroute(CHANGES);
  await page.route(CHANGES, async (route) => {
    const response = await route.fetch();
    await asked;
    await route.fulfill({ response });
  });
  return answer;
}

/** Every view, and a text that it has once its data is there, and the view before it has not. */
const VIEWS = {
  "#/given": "1 time, 61 tokens",
  "#/inbox": "1 candidate",
  "#/lessons": "2 lessons",
  [`#/lessons?id=${VAT.id}`]: "1 time, last on",
  "#/lessons?topic=:gone": "Purge it on every host",
  "#/sessions": "10 events",
  [`#/sessions?id=${SESSION}`]: "Test two countries",
  "#/sessions?q=tax": "6 hits",
  "#/sessions?list=decision": "2 decisions",
  "#/sessions?list=task": "1 task",
  "#/sessions?list=pin": "1 pin",
  "#/bundle?q=tax": "of 4,000 tokens",
};

describe("the page", () => {
  it("is usable by everybody in every view, in light and dark, narrow to wide, and asks nobody else for anything", async () => {
    const project = await recordedShop();
    await project.run("forget", CACHE.id, "--yes");
    await decideIn(project);
    await inConflict(project, VAT.id);
    await project.append(MEMORY, "{a line that a hand broke\n");
    const { page, complaints } = await opened(project);
    await page.evaluate(axe.source);
    const looks = [
      ["light", 360],
      ["dark", 1280],
      ["light", 2560],
    ] as const;
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const [view, text] of Object.entries(VIEWS)) {
        await goTo(page, view);
        await page.locator("main", { hasText: text }).waitFor();
        const findings = await page.evaluate(FINDINGS);
        expect(findings, `${view} ${colorScheme} ${width}`).toEqual([]);
        const wide = await page.evaluate(
          "Math.max(...[document.documentElement, ...document.querySelectorAll('main, .detail, .long')].map((one) => one.scrollWidth - one.clientWidth))",
        );
        expect(wide, `${view} ${width}`).toBeLessThanOrEqual(0);
      }
      await goTo(page, `#/lessons?id=${VAT.id}`);
      await page.getByRole("button", { name: "Edit" }).click();
      expect(await page.evaluate(FINDINGS), `a form ${colorScheme} ${width}`).toEqual([]);
      await goTo(page, `#/sessions?id=${SESSION}`);
      await page.getByRole("button", { name: "Purge this session" }).click();
      await page.getByText("This is deleted permanently").waitFor();
      expect(await page.evaluate(FINDINGS), `a question ${colorScheme} ${width}`).toEqual([]);
      await page.getByRole("button", { name: "Close" }).click();
    }
    expect(complaints).toEqual([]);
  });

  it("finds Korean and Chinese as it finds English", async () => {
    const deploy = log({
      topic: "배포",
      missing_context: "금요일에는 배포하지 않는다",
      lesson: "일정표를 먼저 확인한다",
    });
    const move = log({
      topic: "数据库",
      missing_context: "迁移先在副本上运行",
      lesson: "检查锁等待时间",
    });
    const { page } = await opened(await shop(VAT, deploy, move));
    for (const [said, found] of [
      ["배포 일정표", deploy],
      ["副本迁移", move],
    ] as const) {
      await page.getByRole("searchbox").fill(said);
      await page.getByText("1 of 3 lessons").waitFor();
      // The text stood there for the search before, too.
      await expect
        .poll(() => page.locator(".row .words").allTextContents())
        .toEqual([found.lesson]);
    }
  });

  it("shows hostile and right-to-left text as the text that it is", async () => {
    const { page, complaints } = await opened(await shop(VAT, HOSTILE));
    await goTo(page, `#/lessons?id=${HOSTILE.id}`);
    await page.getByText("<img src=x onerror=").waitFor();
    const lesson = page.locator("dd.lesson");
    expect(await lesson.textContent()).toBe(HOSTILE.lesson.replace("\u202e", "\ufffd"));
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('dd.lesson')).direction"),
    ).toBe("rtl");
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

  it("says at the top of every view that lines of the memory cannot be read", async () => {
    const project = await shop(VAT);
    const { page } = await opened(project);
    await page.keyboard.press("5");
    await page.getByText("not recording").waitFor();
    await project.append(MEMORY, "{a line that a hand broke\n");
    const line = page.getByText("1 line unreadable: sentinel-memory check");
    await line.waitFor();
    await page.keyboard.press("1");
    expect(await line.count()).toBe(1);
  });

  it("opens a lesson, a session and an event by the beginnings of their ids", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await goTo(page, `#/lessons?id=${VAT.id.slice(0, 8)}`);
    await page.getByRole("heading", { name: VAT.topic }).waitFor();
    expect(await page.locator(".row[aria-current=true]").textContent()).toContain(VAT.lesson);
    await goTo(page, `#/sessions?id=${SESSION.slice(0, 8)}`);
    await page.getByText("The table is <i>mended</i>.").waitFor();
    const said = (await eventsOf(project)).findLast(({ content }) =>
      content.text?.startsWith("The table"),
    );
    await goTo(page, `#/sessions?event=evt_${said?.id.slice(-8)}`);
    await page.getByText("The table is <i>mended</i>.").waitFor();
  });

  it("opens in other tabs without a token, and in no other browser, and shows in every tab what another one changed", async () => {
    const { page, viewer } = await opened(await shop(VAT, CACHE));
    await page.getByText("2 lessons", { exact: true }).waitFor();
    const stranger = await newPage();
    await stranger.goto(viewer.url);
    await stranger.getByText("may not read the memory").waitFor();
    expect(await stranger.getByText(VAT.lesson).count()).toBe(0);
    await stranger.context().close();
    const tabs = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of tabs) {
      await tab.goto(`${viewer.origin}/#/lessons?id=${CACHE.id}`);
      await tab.getByRole("heading", { name: "cache" }).waitFor();
    }
    await tabs[0]?.keyboard.press("x");
    await tabs[1]?.getByText("This lesson is not in the memory any more.").waitFor();
    await page.getByText("1 lesson", { exact: true }).waitFor();
    await page.close();
    const last = await tabs[0]?.context().newPage();
    await last?.goto(`${viewer.origin}/#/lessons`);
    await last?.getByText("1 lesson", { exact: true }).waitFor();
    expect(await last?.getByText(CACHE.lesson).count()).toBe(0);
  });

  it("goes on where it was when its server can be reached again, and in a new page after that was killed", async () => {
    const project = await shop(VAT, CACHE);
    const { page, viewer } = await opened(project);
    await goTo(page, `#/lessons?id=${VAT.id}`);
    await page.getByRole("heading", { name: VAT.topic }).waitFor();
    viewer.signal("SIGSTOP");
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    viewer.signal("SIGCONT");
    await page.locator("dd.lesson", { hasText: "Ask the tax office" }).waitFor();
    await page.context().setOffline(true);
    await page.getByText("The viewer has ended.").waitFor();
    expect(await page.getByText("Ask the tax office").count()).toBe(0);
    await page.context().setOffline(false);
    await page.locator("dd.lesson", { hasText: "Ask the tax office" }).waitFor();
    viewer.signal("SIGKILL");
    await page.getByText("Run sentinel-memory view again.").waitFor();
    const { page: next } = await opened(project);
    await next.getByText("2 lessons", { exact: true }).waitFor();
    expect(await page.getByText("Run sentinel-memory view again.").count()).toBe(1);
  });

  it("begins 1,000 lessons with some of them, and shows more and steps to any", async () => {
    const { lessons } = realisticMemory(1_000);
    const { page, complaints } = await opened(await shop(...lessons));
    await page.getByText("1,000 lessons").waitFor();
    const list = page.getByRole("region", { name: "List of lessons" });
    await expect.poll(() => list.locator("li").count()).toBe(300);
    await page.keyboard.press("j");
    await page.locator(".detail h2").waitFor();
    await page.getByRole("button", { name: "700 more" }).click();
    await expect.poll(() => list.locator("li").count()).toBe(600);
    const last = lessons.at(0)?.id ?? "";
    await goTo(page, `#/lessons?id=${last}`);
    await list.locator(`[aria-current=true][href*="${last}"]`).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("what happened", () => {
  it("shows both texts of a conflict, which the next edit, taking one or keeping what shows settles", async () => {
    const tax = log({ topic: "tax", missing_context: "Refunds have a tax" });
    const project = await shop(CACHE, VAT, tax, HOSTILE);
    await inConflict(project, CACHE.id, VAT.id, tax.id);
    const { page } = await opened(project);
    const goToConflict = async ({ id }: { readonly id: string }) => {
      await goTo(page, `#/lessons?id=${id.slice(0, 8)}`);
      await page.getByRole("heading", { name: "Also said, in conflict" }).waitFor();
    };
    await page.keyboard.press("1");
    await page.getByText("3 in conflict").click();
    await page.getByText("3 of 4 lessons").waitFor();
    await goToConflict(VAT);
    await page.keyboard.press("e");
    await page.getByLabel("Lesson", { exact: true }).last().fill("Ask the tax office twice");
    await page.keyboard.press("Control+Enter");
    await page.getByText("2 in conflict").waitFor();
    await goToConflict(CACHE);
    await page.getByRole("button", { name: "Take this one" }).click();
    await page.getByText("1 in conflict").waitFor();
    await goToConflict(tax);
    await page.getByRole("button", { name: "Keep what shows" }).click();
    await page.getByText("1 in conflict").waitFor({ state: "detached" });
    const lessons = await project.lessons();
    expect(Object.fromEntries(lessons.map(({ id, lesson }) => [id, lesson]))).toMatchObject({
      [VAT.id]: "Ask the tax office twice",
      [CACHE.id]: "Ask the tax office",
      [tax.id]: "Ask the accountant",
    });
    expect((await project.run("check", "--strict")).exit).toBe(0);
  });

  it("leads from what was given to the lesson and that moment of the session, and back", async () => {
    const { page } = await opened(await recordedShop());
    await page.keyboard.press("1");
    await page.getByText("with a prompt").waitFor();
    await page.getByRole("link", { name: /Read the tax table first/ }).click();
    await page.getByText("1 time, last on").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /session 5e551011/ }).click();
    await page.locator(".event.named", { hasText: "The table is <i>mended</i>." }).waitFor();
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
    await page.getByText("Nothing to review").waitFor();
    await page.getByText("Never offered again.").waitFor();
    expect(await project.json("review")).toEqual([]);
    await page.keyboard.press("u");
    await page.getByText("2 times in 2 sessions, last on").first().waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("In your words").fill("Run bun by itself.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Kept as a lesson.").waitFor();
    expect((await project.run("search", "bun by itself")).stdout).toContain("Run bun by itself.");
  });

  it("takes a key that is pressed as soon as its candidate is there", async () => {
    const project = await recordedShop();
    await offerRules(project, "orders", "gifts");
    const { page } = await opened(project);
    await page.evaluate(PRESS_AT_SIGHT);
    await page.keyboard.press("2");
    await page.getByText("Nothing to review").waitFor();
    const { stdout } = await project.run("search", "refunds never the till");
    for (const kind of ["orders", "gifts"]) {
      expect(stdout).toContain(`Refunds of ${kind} go through`);
    }
  });

  it("stays where a person went on to, however late a decision is answered", async () => {
    const project = await shop(VAT);
    await offerRules(project, "orders", "gifts", "returns", "cards");
    const { page } = await opened(project);
    const shown = (kind: string) =>
      page.locator(".detail dd.lesson", { hasText: `Refunds of ${kind} go` }).waitFor();
    const answer = await withAnswersHeld(page);
    await page.keyboard.press("2");
    // The page hears of each decision before its answer comes.
    for (const [kind, key] of [
      ["orders", "y"],
      ["gifts", "s"],
      ["returns", "n"],
      ["cards", "k"],
    ] as const) {
      await shown(kind);
      await page.keyboard.press(key);
    }
    await shown("gifts");
    answer();
    await page.getByText("2 candidates").waitFor();
    await page.locator(".note").waitFor();
    expect(await page.locator(".detail dd.lesson").allTextContents()).toEqual([
      expect.stringContaining("gifts"),
    ]);
  });

  it("stays in another view, however late it is answered that a lesson is forgotten or corrected", async () => {
    const project = await shop(VAT);
    const { page } = await opened(project);
    for (const keys of [["e", "Control+Enter"], ["x"]]) {
      const answer = await withAnswersHeld(page);
      await page.locator(".list .row").first().click();
      await page.getByRole("button", { name: /Forget/ }).waitFor();
      for (const key of keys) {
        await page.keyboard.press(key);
        if (key === "e") {
          await page.keyboard.type("So ");
        }
      }
      await page.getByRole("link", { name: "inbox" }).click();
      await page.locator("[aria-current=page]", { hasText: "inbox" }).waitFor();
      answer();
      await page.locator(".note").waitFor();
      expect(new URL(page.url()).hash).toBe("#/inbox");
      await page.getByRole("button", { name: "Close" }).click();
      await goTo(page, "#/lessons");
    }
  });

  it("takes each key into a form from the first sight of it", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await page.keyboard.press("2");
    await page.getByText("2 times in 2 sessions, last on").first().waitFor();
    expect(await page.evaluate(FOCUS_AT_SIGHT)).toBe("TEXTAREA");
    await goTo(page, `#/lessons?id=${VAT.id}`);
    await page.getByRole("button", { name: /Edit/ }).waitFor();
    expect(await page.evaluate(FOCUS_AT_SIGHT)).toBe("TEXTAREA");
  });

  it("leads from a lesson to its commit and to the moment that it was learnt from", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await page.keyboard.press("2");
    await page.getByText("2 times in 2 sessions, last on").first().waitFor();
    await page.keyboard.press("y");
    await page.getByText("Kept as a lesson.").waitFor();
    await project.commit("Learn");
    await goTo(page, "#/lessons?q=rtk+bun");
    await page.locator(".list .row", { hasText: "bun run test" }).first().waitFor();
    await page.keyboard.press("j");
    await page.locator("dd.when", { hasText: "command: rtk bun" }).waitFor();
    await page
      .locator(".past", { hasText: await project.git("rev-parse", "--short=7", "HEAD") })
      .waitFor();
    await page.getByRole("link", { name: "the moment it was learnt from" }).click();
    await page.locator(".event.named", { hasText: "rtk bun run test" }).waitFor();
    expect(page.url()).toContain("#/sessions?event=evt_");
  });

  it("brings back what was forgotten and an earlier text, and says when a topic was last learnt about", async () => {
    const project = await shop(VAT, CACHE);
    await project.run("forget", CACHE.id, "--yes");
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    const { page } = await opened(project);
    const topics = page.getByLabel("Topic");
    await topics.selectOption(":gone");
    await page.getByRole("button", { name: "Bring back" }).click();
    await page.getByText("Brought back.").waitFor();
    await topics.selectOption("cache");
    expect(await topics.locator("option:checked").textContent()).toMatch(
      /^cache \(1\) \d{4}-\d\d-\d\d$/,
    );
    await page.getByText("1 of 2 lessons").waitFor();
    await goTo(page, `#/lessons?id=${VAT.id}`);
    await page.getByRole("button", { name: "Bring back" }).click();
    await page.locator(".detail > article > dl dd.lesson", { hasText: VAT.lesson }).waitFor();
    expect((await project.run("search", "purge host")).stdout).toContain(CACHE.lesson);
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
    await page.locator(".note", { hasText: /\w/ }).waitFor();
    expect((await project.run("show", VAT.id)).stdout).toContain("Ask the tax office first");
  });

  it("keeps a note without a session log, and takes it back", async () => {
    const project = await shop(VAT);
    await offerRules(project, "orders");
    const { page } = await opened(project);
    await page.keyboard.press("2");
    await page.getByText("rules, AGENTS.md:1").first().waitFor();
    await page.keyboard.press("y");
    await page
      .getByText("Nothing to review")
      .or(page.getByText("There is no session log"))
      .waitFor();
    await page.getByText("Kept as a lesson.").waitFor();
    expect((await project.run("search", "refunds till")).stdout).toContain("Refunds of orders go");
    await page.keyboard.press("u");
    await page.getByText("rules, AGENTS.md:1").first().waitFor();
    expect((await project.run("search", "refunds till")).stdout).not.toContain("Refunds of orders");
  });
});
