/** Passes the address with its token to the browser in a file that only its owner can read, because other users can see a process's arguments. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Writes a file that redirects to the URL. @returns its path, and a function that deletes it. */
export function redirectFile(url: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "sentinel-view-"));
  const path = join(folder, "open.html");
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Sentinel Memory</title>`;
  writeFileSync(path, html, { mode: 0o600, flag: "wx" });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a file in the default browser. Does nothing if there is no browser, because the terminal shows the path too. */
export function openInBrowser(path: string): void {
  const [program = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const url = process.platform === "win32" ? path : pathToFileURL(path).href;
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .once("error", () => {})
    .unref();
}
