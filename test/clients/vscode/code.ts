/** VS Code as its user has it: its server, a window in a browser, and the clicks of a person. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Project } from "../../support/project.ts";
import { openBrowser } from "../../support/viewer-page.ts";
import { until } from "../../support/wait.ts";
import { CODE } from "./install.ts";

/** Only tells what never comes from what takes long. */
const PATIENCE_MS = 120_000;

/** How long one try may take. */
const RETRY_MS = 5_000;

/** Its profile, in the home folder of a repository. */
const PROFILE = "~/code/User";

/**
 * Opens a repository's folder in a window, and trusts it. It ends with its test. @param model the address of the chat's model, which
 * speaks Anthropic's API. @param settings of the person, beside what every test needs.
 */
export async function openCode(
  repository: Project,
  model: string,
  settings: object = {},
): Promise<Window> {
  await repository.write(
    `${PROFILE}/settings.json`,
    JSON.stringify({
      "workbench.startupEditor": "none",
      "telemetry.telemetryLevel": "off",
      // Without it, the chat wants an account of GitHub.
      "chat.allowAnonymousAccess": true,
      ...settings,
    }),
  );
  await repository.write(`${PROFILE}/chatLanguageModels.json`, JSON.stringify([ownModel(model)]));
  const server = spawn(CODE.node, [CODE.entry, ...flagsFor(repository)], {
    env: { ...repository.env, LANG: "C.UTF-8" },
    cwd: repository.home,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(server.pid ?? 0), "SIGKILL"));
  const url = await addressOf(server);
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${url}/?folder=${encodeURIComponent(repository.folder)}`);
  const window = new Window(page);
  await window.trust();
  return window;
}

export class Window {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Trusts the folder that is open, as its user does once. */
  async trust(): Promise<void> {
    const page = this.#page;
    await page.locator(".part.banner").getByRole("button", { name: "Manage" }).click();
    await page
      .getByRole("button", { name: /^Trust$/ })
      .first()
      .click();
    await page.getByText("You trust this folder").first().waitFor();
    const overlay = page.locator(".monaco-modal-editor-block");
    await overlay.locator(".codicon-close").first().click();
    await overlay.waitFor({ state: "hidden" });
  }

  /** Opens a file by its name. */
  async openFile(name: string): Promise<void> {
    await this.#page.keyboard.press("Control+P");
    await this.#page.locator(".quick-input-widget input").first().waitFor();
    await this.#page.keyboard.type(name);
    const rows = this.#page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: name }).first().click();
  }

  /** Starts the server by the link above its entry, and waits until it runs. VS Code may draw the links anew in the middle of a click, which is lost then. */
  async startServer(): Promise<void> {
    const running = this.lens("Running");
    await until(async () => {
      const start = this.lens(/^\W*Start$/);
      await start.click({ timeout: RETRY_MS }).catch(() => undefined);
      return running.waitFor({ timeout: RETRY_MS }).then(
        () => true,
        () => false,
      );
    });
  }

  /** A word in the line that VS Code shows above an entry. */
  lens(word: string | RegExp): Locator {
    return this.#page.locator(".codelens-decoration").getByText(word).first();
  }

  /** Says something in the chat. */
  async say(text: string): Promise<void> {
    await this.#page.locator(".interactive-input-part .monaco-editor").first().click();
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press("Enter");
  }

  /** Lets a tool run that the chat asks about. */
  async allow(): Promise<void> {
    const answers = this.#page.getByText(/^Allow(?: in this Session)?$/);
    await answers.filter({ visible: true }).first().click();
  }

  /** Waits until the chat shows a text. */
  async shows(text: string): Promise<void> {
    await this.#page.locator(".interactive-session").getByText(text).first().waitFor();
  }
}

function flagsFor(repository: Project): string[] {
  return [
    ...["--auth", "none", "--bind-addr", "127.0.0.1:0"],
    ...["--user-data-dir", repository.path("~/code")],
    ...["--extensions-dir", repository.path("~/code/extensions")],
    ...["--disable-telemetry", "--disable-update-check"],
  ];
}

/** A model as its user lists one in the profile. */
function ownModel(url: string): object {
  const model = {
    id: "fake-model",
    name: "Fake Model",
    url: `${url}/v1/messages`,
    toolCalling: true,
    vision: false,
    maxInputTokens: 128_000,
    maxOutputTokens: 8_000,
  };
  const provider = { name: "Fake", vendor: "customendpoint", apiKey: "none", apiType: "messages" };
  return { ...provider, models: [model] };
}

/** Where the server listens, as soon as it says so. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface(server.stdout as NodeJS.ReadableStream).on("line", (line) => {
      const [, url] = /HTTP server listening on (\S+)/.exec(line) ?? [];
      if (url !== undefined) {
        resolve(url.replace(/\/$/, ""));
      }
    });
    server.once("exit", (code) => reject(new Error(`VS Code's server ended with ${code}.`)));
  });
}
