/** Sessions in the viewer: as conversations, searched, purged; what was decided; and what agents were given, with what came next. */
import { describe, expect, it } from "vitest";
import { eventsOf, keepTranscript, messagesOf, recordFromTheStart } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import {
  decideIn,
  goTo,
  HOUR_MS,
  inBrowser,
  recordedShop,
  SESSION,
  shop,
  VAT,
} from "../support/viewer-story.ts";

const { open: opened } = inBrowser();

describe("sessions", () => {
  it("begins a long conversation with some of its events, and shows more to the last", async () => {
    const project = await shop(VAT);
    await recordFromTheStart(project);
    const session = new Session({ cwd: project.folder, at: Date.now() - 5 * HOUR_MS });
    for (let turn = 0; turn < 150; turn++) {
      session
        .asks(`Question ${turn}`)
        .uses("Bash", { command: `npm run ${turn}` }, "done")
        .says(`Answer ${turn}`);
    }
    await keepTranscript(project, session);
    await project.run("sessions", "capture");
    const { page } = await opened(project);
    await goTo(page, `#/sessions?id=${session.id}`);
    await page.locator(".said", { hasText: /^Question 0$/ }).waitFor();
    expect(await page.locator(".event").count()).toBe(300);
    const last = page.locator(".said", { hasText: /^Answer 149$/ });
    for (let turn = 0; turn < 50 && (await last.count()) === 0; turn++) {
      const more = page.getByRole("button", { name: / more$/ });
      const left = await more.textContent();
      await more.click();
      await expect
        .poll(async () => (await last.count()) > 0 || (await more.textContent()) !== left)
        .toBe(true);
    }
    await last.waitFor();
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
    await page.getByRole("heading", { name: "What would an agent get?" }).waitFor();
    const asked = page.waitForResponse((answer) =>
      answer.url().endsWith("/api/bundle?q=mend+the+tax+table"),
    );
    await page.getByRole("searchbox").pressSequentially("mend the tax table", { delay: 200 });
    expect((await asked).status()).toBe(200);
    expect(await page.getByRole("searchbox").inputValue()).toBe("mend the tax table");
    expect(await page.locator(".page section h3").count()).toBeGreaterThan(1);
    await page.getByText("Mend the tax table").first().waitFor();
  });

  it("says how recording is turned on where it is off", async () => {
    const { page, complaints } = await opened(await shop(VAT));
    await page.keyboard.press("4");
    await page.getByText("sentinel-memory sessions on").waitFor();
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });

  it("purges a session, after it said what goes and what is left", async () => {
    const project = await recordedShop();
    await decideIn(project);
    const { page } = await opened(project);
    const first = `5e551012${SESSION.slice(8)}`;
    await goTo(page, `#/sessions?id=${first}`);
    const before = (await eventsOf(project)).length;
    await page.getByRole("button", { name: "Purge this session" }).click();
    await page
      .getByText(/This is deleted permanently: \d+ events \(session 1, message 2/)
      .waitFor();
    await page.getByText(/These events stay but cite purged ones: 2 decisions/).waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Close");
    await page.keyboard.press("Enter");
    await page.getByText("This is deleted permanently").waitFor({ state: "detached" });
    expect(await eventsOf(project)).toHaveLength(before);
    // A question does not outlive what it is about.
    await page.getByRole("button", { name: "Purge this session" }).click();
    await page.getByText("This is deleted permanently").waitFor();
    await goTo(page, "#/lessons");
    await page.getByText("This is deleted permanently").waitFor({ state: "detached" });
    await goTo(page, `#/sessions?id=${first}`);
    await page.getByRole("button", { name: "Purge this session" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText(/Purged: \d+ events/).waitFor();
    await page.getByText("The client's own transcripts still contain it").waitFor();
    await page.getByText("Nothing is recorded of this session.").waitFor();
    expect((await eventsOf(project)).filter(({ session }) => session === first)).toEqual([]);
    await project.run("sessions", "capture");
    expect((await eventsOf(project)).filter(({ session }) => session === first)).toEqual([]);
  });

  it("purges one event, and all that holds a text, read before from what agents wrote since", async () => {
    const project = await recordedShop();
    const { page } = await opened(project);
    await goTo(page, `#/sessions?id=${SESSION}`);
    await page.locator(".event.agent").first().hover();
    await page.locator(".event.agent").first().getByRole("button", { name: "Purge" }).click();
    await page.getByText("message, 20").waitFor();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Purged: 1 event (message 1)").waitFor();
    expect(
      (await messagesOf(project)).filter((text) => text === "The table is <i>mended</i>."),
    ).toHaveLength(1);
    const session = new Session({
      cwd: project.folder,
      id: "5e551019-0000-4000-8000-000000000009",
      at: Date.now(),
    });
    await keepTranscript(project, session.asks("The mended table is secret"));
    await goTo(page, "#/sessions?q=mended");
    await page.getByRole("button", { name: "Purge all that holds “mended”" }).click();
    await page.getByText("This is deleted permanently: 2 events (message 2)").waitFor();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Purged: 2 events").waitFor();
    expect(JSON.stringify(await messagesOf(project))).not.toContain("mended");
    await page.getByRole("button", { name: "Purge all that holds “mended”" }).click();
    await page.getByText("Nothing that is recorded holds this text.").waitFor();
  });

  it("purges nothing where it is read only", async () => {
    const { page } = await opened(await recordedShop(), "--read-only");
    await goTo(page, `#/sessions?id=${SESSION}`);
    await page.getByText("The table is <i>mended</i>.").waitFor();
    expect(await page.getByRole("button", { name: /Purge/ }).count()).toBe(0);
  });

  it("lists what was decided, in place of what, the tasks and the pins, each with its way to that moment", async () => {
    const project = await recordedShop();
    await decideIn(project);
    const { page } = await opened(project);
    await page.keyboard.press("4");
    await page.getByLabel("List", { exact: true }).selectOption("decision");
    await page.getByText("2 decisions", { exact: true }).waitFor();
    const rows = await page.locator(".list .row").allTextContents();
    expect(rows[0]).toMatch(/active.*Refund by the API\nbecause: The ledger needs its id/s);
    expect(rows[1]).toMatch(
      /superseded.*Refund by a negative charge\nbecause: The API timed out\nsuperseded by: evt_\w{8}/s,
    );
    await page.getByText("Refund by a negative charge").click();
    await page.locator(".event.named", { hasText: "Refund by a negative charge" }).waitFor();
    await page.getByLabel("List", { exact: true }).selectOption("task");
    await page.locator(".list .row", { hasText: /open.*Test two countries/s }).waitFor();
    await page.getByLabel("List", { exact: true }).selectOption("pin");
    await page
      .locator(".list .row", { hasText: /Never deploy on Friday.*asked by ops/s })
      .waitFor();
    await page.goBack();
    await page.getByText("Test two countries").waitFor();
  });

  it("shows days and branches, and that something private was kept back", async () => {
    const project = await shop(VAT);
    await recordFromTheStart(project);
    const session = new Session({
      cwd: project.folder,
      at: Date.now() - 24 * HOUR_MS,
      gitBranch: "prices",
    });
    await keepTranscript(project, session.asks("Tell <private>Jane Roe</private> the 가격 价格"));
    await project.run("sessions", "capture");
    const { page } = await opened(project);
    await page.keyboard.press("4");
    await page.locator(".row", { hasText: "prices" }).click();
    await page.getByRole("heading", { name: /^\d{4}-\d\d-\d\d$/ }).waitFor();
    await page.locator(".said", { hasText: "Tell" }).waitFor();
    expect(await page.locator(".said").textContent()).toBe("Tell [PRIVATE] the 가격 价格");
  });

  it("says what came next after something was given, and to whom", async () => {
    const project = await recordedShop();
    const asked = (await eventsOf(project)).find(({ session }) => session === SESSION);
    const given = {
      session: SESSION,
      event: "prompt",
      trigger: "prompt",
      ids: [VAT.id],
      tokens: 61,
    };
    await project.write(
      ".context/.local/given.jsonl",
      `${JSON.stringify({ ...given, at: Date.parse(asked?.ts ?? "") })}\n`,
    );
    const { page } = await opened(project);
    await goTo(page, "#/given");
    await page.getByText("session 5e551011 of claude-code").waitFor();
    await page.getByText("Mend the tax table").waitFor();
    await page.getByText("What came next").click();
    await page.locator(".given .event", { hasText: /failed.*rtk bun run test/s }).waitFor();
    const said = page.locator(".given .event", { hasText: "The table is <i>mended</i>." });
    await said.waitFor();
    expect(await said.count()).toBe(1);
  });

  it("shows a session that is captured while the page is open", async () => {
    const project = await shop(VAT);
    await recordFromTheStart(project);
    const { page } = await opened(project);
    await page.keyboard.press("4");
    await page.getByText("Nothing is recorded yet.").waitFor();
    await keepTranscript(
      project,
      new Session({ cwd: project.folder, at: Date.now() }).asks("Mend the tax table"),
    );
    await project.run("sessions", "capture");
    await page.getByText("Mend the tax table").waitFor();
    expect(await page.getByText("Nothing is recorded yet.").count()).toBe(0);
  });
});
