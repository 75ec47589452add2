/** The viewer as a person has it: the command's process, and a page of headless Chromium that it opened. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Browser, chromium, type Page } from "playwright-core";
import { BIN, type Project } from "./project.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Only tells what never comes from what takes long. */
const PATIENCE_MS = 120_000;

/** The page gives other tabs 400 ms to answer, which a busy machine may need for itself. */
const OTHER_TABS_UNHURRIED = `{
  const after = setTimeout;
  globalThis.setTimeout = (act, ms, ...args) => after(act, ms === 400 ? 60_000 : ms, ...args);
}`;

export class Viewer {
  readonly #process: ChildProcess;
  /** The address with the token that is good for one use, or the file that leads there. */
  readonly url: string;
  /** How the process ended: its code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
    this.ended = new Promise((resolve) => process.once("exit", resolve));
  }

  /** @param options those of the command. */
  static async start(
    { folder, env }: Pick<Project, "folder" | "env">,
    ...options: string[]
  ): Promise<Viewer> {
    const process = spawn(
      globalThis.process.execPath,
      [BIN, "--project", folder, "view", ...options],
      {
        env,
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const [line] = (await once(
      createInterface(process.stdout as NodeJS.ReadableStream),
      "line",
    )) as [string];
    return new Viewer(process, line.replace("The viewer: ", ""));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  get token(): string {
    return new URL(this.url).hash.replace("#token=", "");
  }

  async end(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.ended;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }
}

/** Debian's browser. */
export const CHROMIUM = "/usr/bin/chromium";

/** A browser with a new folder for its data. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });

/** Opens the viewer, and notes what its page complained of and asked of anybody else. */
export async function openPage(
  browser: Browser,
  viewer: Viewer,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(OTHER_TABS_UNHURRIED);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(viewer.origin)) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
  await page.goto(viewer.url);
  await page.getByRole("navigation").waitFor();
  return { page, complaints };
}
