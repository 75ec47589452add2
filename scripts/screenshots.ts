/** Two pictures of the viewer for the README: `npm run screenshots`. The demo's memory, and sessions in which one call failed twice. */
import { execFileSync } from "node:child_process";
import { Project } from "../test/support/project.ts";
import { keepTranscript, recordFromTheStart } from "../test/support/recorded.ts";
import { Session } from "../test/support/transcript.ts";
import { openBrowser, openPage, Viewer } from "../test/support/viewer-page.ts";

const HOUR_MS = 3_600_000;
const SIZE = { width: 1100, height: 700 };
const REFUSED = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";

const shop = await Project.repository();
execFileSync("npx", ["tsx", "scripts/demo.ts", "--project", shop.folder]);
await shop.commit("Learn");
await recordFromTheStart(shop);
for (const at of [1, 26]) {
  const id = `5e5510${at}0-0000-4000-8000-000000000001`.replace("5e551010", "5e551011");
  const session = new Session({ id, cwd: shop.folder, at: Date.now() - at * HOUR_MS }).asks(
    "Fix the payment module",
  );
  session.uses("Bash", { command: "rtk bun run test" }, REFUSED, { error: true });
  session
    .uses("Bash", { command: "bun run test" }, "all passed")
    .says("The tax of each country is right now.");
  await keepTranscript(shop, session);
}
await shop.run("sessions", "capture");

const viewer = await Viewer.start(shop, "--no-open");
const browser = await openBrowser();
const { page } = await openPage(browser, viewer);
await page.setViewportSize(SIZE);
const take = async (
  name: string,
  colorScheme: "light" | "dark",
  keys: readonly string[],
  shown: string,
) => {
  await page.emulateMedia({ colorScheme });
  for (const key of keys) {
    await page.keyboard.press(key);
  }
  await page.getByText(shown).first().waitFor();
  await page.screenshot({ path: `docs/${name}.jpg`, type: "jpeg", quality: 80 });
  console.log(`docs/${name}.jpg`);
};
await page
  .getByRole("link", { name: /tax|payment/i })
  .first()
  .waitFor();
await take("viewer-lessons", "light", ["j"], "History");
await take("viewer-inbox", "dark", ["2"], "As a lesson in");
await browser.close();
await viewer.end();
shop.remove();
