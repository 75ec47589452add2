/**
 * The viewer at 5,000 lessons, in this machine's Chromium: `npm run bench:viewer [-- --json]`. Until it is ready, against a bare `node -e 0` in
 * turn; from the answer to the first paint and to the first lesson; and from a key in the search to the list that it leaves.
 */
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { Project } from "../test/support/project.ts";
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { CHROMIUM, openBrowser, openPage, Viewer } from "../test/support/viewer-page.ts";
import { bareStart, plainEnv } from "./support/side-by-side.ts";
import { sized } from "./support/sized.ts";
import { print, quantile, type Row, round } from "./support/table.ts";

const LESSONS = sized(5_000, 20);
const STARTS = sized(20, 1);
const PAGES = sized(10, 1);
const SEARCHES = sized(
  [
    "webhook signature",
    "timeout retry",
    "vat tax table",
    "migration lock",
    "cache host purge",
    "한국어 배포",
  ],
  ["vat"],
);

/** In the page: types one character more, and waits until the list shows what was found. @returns ms, with two frames of the screen. */
const TYPE = `async (text) => {
  const input = document.querySelector(".search");
  const began = performance.now();
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  setter.call(input, text);
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  const answered = () => performance.getEntriesByType("resource").some(({ name, startTime, responseEnd }) =>
    startTime >= began && responseEnd > 0 && name.includes("/api/search"));
  while (!answered()) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 0));
  const took = performance.now() - began;
  performance.clearResourceTimings();
  return took;
}`;
/** In the page: ms from the end of its own answer to the first paint. */
const PAINT = `performance.getEntriesByName("first-contentful-paint")[0].startTime - performance.getEntriesByType("navigation")[0].responseEnd`;
const FIRST_ROW = `new Promise((resolve) => {
  const look = () => document.querySelector(".long .row") ? resolve(performance.now() - performance.getEntriesByType("navigation")[0].responseEnd) : setTimeout(look, 1);
  look();
})`;

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const project = await Project.make({ git: true, lines: realisticMemory(LESSONS).lessons });
const place = { folder: project.folder, env: plainEnv(project.env) as Record<string, string> };
const bare: number[] = [];
const ready: number[] = [];
const started: number[] = [];
const served: number[] = [];
const paints: number[] = [];
const rows: number[] = [];
const keys: number[] = [];
const work: number[] = [];
for (let turn = 0; turn < STARTS; turn++) {
  bare.push(await bareStart());
  const began = performance.now();
  const viewer = await Viewer.start(place, "--no-open");
  ready.push(performance.now() - began);
  started.push(mainThreadMs(viewer.pid));
  await viewer.end();
}
const hasBrowser = existsSync(CHROMIUM);
if (hasBrowser) {
  await measurePages();
}
project.remove();

async function measurePages(): Promise<void> {
  const browser = await openBrowser();
  for (let turn = 0; turn < PAGES; turn++) {
    const viewer = await Viewer.start(place, "--no-open");
    const before = mainThreadMs(viewer.pid);
    const { page } = await openPage(browser, viewer);
    rows.push((await page.evaluate(FIRST_ROW)) as number);
    served.push(mainThreadMs(viewer.pid) - before);
    paints.push((await page.evaluate(PAINT)) as number);
    if (turn === 0) {
      await measureKeys(page, viewer);
    }
    await page.context().close();
    await viewer.end();
  }
  await browser.close();
}

async function measureKeys(page: Page, viewer: Viewer): Promise<void> {
  const tasks = await page.context().newCDPSession(page);
  await tasks.send("Performance.enable", { timeDomain: "threadTicks" });
  const processorMs = async () => {
    const { metrics } = await tasks.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
  await page.waitForLoadState("networkidle");
  for (const text of SEARCHES) {
    for (let end = 1; end <= text.length; end++) {
      const before = (await processorMs()) + mainThreadMs(viewer.pid);
      keys.push(
        (await page.evaluate(`(${TYPE})(${JSON.stringify(text.slice(0, end))})`)) as number,
      );
      work.push((await processorMs()) + mainThreadMs(viewer.pid) - before);
    }
  }
}

/** Of its main thread so far, from the kernel's book-keeping: what others on the machine do is not in it. */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

const rowOf = (what: string, times: readonly number[], limit: number): Row => ({
  what,
  "median, ms": round(quantile(times, 0.5), 0),
  "p95, ms": round(quantile(times, 0.95), 0),
  "limit, ms": round(limit, 0),
});
const missing: Row = {
  what: `pages, not measured without ${CHROMIUM}: apt-get install chromium`,
  "median, ms": "",
  "p95, ms": "",
  "limit, ms": "",
};
const starts = [
  rowOf("node -e 0", bare, Number.POSITIVE_INFINITY),
  rowOf("ready", ready, 1.5 * quantile(bare, 0.5) + 150),
  rowOf("of that, time of the processor", started, 1.5 * quantile(bare, 0.5) + 150),
];
const pages = [
  rowOf("first paint after the answer", paints, 200),
  rowOf("first lesson after the answer", rows, 200),
  rowOf("of that, time of the processor in the server", served, 200),
  rowOf(`search, ${keys.length} keys`, keys, 50),
  rowOf("of that, time of the processor in page and server", work, 50),
];
const all = [...starts, ...(hasBrowser ? pages : [missing])];
print([{ title: `The viewer at ${LESSONS} lessons`, rows: all }], values.json);
