/** Serves the page and its data on the loopback address until no page has been open for a while (docs/design/map.md, "Goals"). */
import { spawn } from "node:child_process";
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SentinelError } from "../../ground/core/errors.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import type { Routes } from "./routes.ts";

const ADDRESS = "127.0.0.1";
/** The server stops after this time without a call. An open page calls more than once a minute. */
const IDLE_MS = 30 * 60_000;
const MOST_BODY_BYTES = 64 * 1024;
const TOKEN_BYTES = 32;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Sentinel Memory</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><script type="module" src="/page.js"></script></head>
<body><div id="app"></div><noscript>The viewer needs JavaScript.</noscript></body></html>
`;

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Returns the page's CSS. The build puts the page's files next to the program. @param build the program's folder. */
export const viewerStyle = (build: string): string => read(build, "viewer-style.css");

const read = (build: string, name: string): string => readFileSync(join(build, name), "utf8");

/** Serves the page until the process receives a signal to stop, or no page has been open for half an hour. @param open whether to open a browser. */
export async function serveViewer(
  routes: Routes,
  { terminal, build }: Pick<SessionCommandContext, "terminal" | "build">,
  open: boolean,
): Promise<void> {
  const files = new Map([
    ["/", { type: "text/html", body: PAGE }],
    ["/page.js", { type: "text/javascript", body: read(build, "viewer-page.js") }],
    ["/style.css", { type: "text/css", body: viewerStyle(build) }],
  ]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  const host = `${ADDRESS}:${(server.address() as AddressInfo).port}`;
  const access = new Access(host);
  const url = `http://${host}/#token=${access.once}`;
  const file = open ? redirectFile(url) : undefined;
  const ended = new Promise<void>((resolve) => {
    const idle = setTimeout(resolve, IDLE_MS).unref();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => resolve());
    }
    server.on("request", (request, response) => {
      idle.refresh();
      void answer(request, response, { access, routes, files });
    });
  });
  try {
    terminal.print(`The viewer: ${file?.path ?? url}`);
    terminal.note(
      "Press Ctrl+C to stop it. It also stops half an hour after you close the last page.",
    );
    if (file) {
      openInBrowser(file.path);
    }
    await ended;
  } finally {
    file?.remove();
    server.close();
    server.closeAllConnections();
  }
}

interface Served {
  readonly access: Access;
  readonly routes: Routes;
  readonly files: ReadonlyMap<string, { readonly type: string; readonly body: string }>;
}

const UNFORESEEN = { code: "failed", message: "The viewer failed.", fix: "Try again." };
const STATUSES: Readonly<Record<string, number>> = {
  unauthorised: 401,
  not_allowed: 403,
  not_found: 404,
  failed: 500,
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { access, routes, files }: Served,
): Promise<void> {
  const reply = (status: number, type: string, body: string): void => {
    const headers = { ...HEADERS, "content-type": `${type}; charset=utf-8` };
    response.writeHead(status, headers).end(body);
  };
  try {
    const url = new URL(request.url ?? "/", "http://viewer");
    const isCall = url.pathname.startsWith("/api/");
    access.mustBeHere(request.headers, isCall);
    if (isCall) {
      const result = await call(request, url, access, routes);
      return reply(200, "application/json", JSON.stringify(result));
    }
    const file = request.method === "GET" ? files.get(url.pathname) : undefined;
    if (file) {
      return reply(200, file.type, file.body);
    }
    throw notFound("There is no such page.", "Open the viewer's first page.");
  } catch (error) {
    // An unexpected error is a bug, and its text must not leave the server.
    const { code, message, fix } = error instanceof SentinelError ? error : UNFORESEEN;
    const body = JSON.stringify({ error: { code, message, fix } });
    reply(STATUSES[code] ?? 422, "application/json", body);
  }
}

/** Runs one call of the page. @returns its result. */
async function call(
  request: IncomingMessage,
  { pathname, searchParams }: URL,
  access: Access,
  { reads, actions }: Routes,
): Promise<unknown> {
  const { method, headers } = request;
  const name = pathname.slice("/api/".length);
  if (method === "POST" && name === "session") {
    const { token } = await bodyOf(request);
    return { bearer: access.exchange(token) };
  }
  access.mustHaveBearer(headers);
  const read = reads.get(name);
  if (method === "GET" && read) {
    return read(searchParams);
  }
  const act = actions.get(name);
  if (method === "POST" && act) {
    return act(await bodyOf(request));
  }
  throw notFound("There is no such call here.", "Load the page again.");
}

function notFound(what: string, fix: string): SentinelError {
  return new SentinelError("not_found", what, fix);
}

/** @throws SentinelError `too_large`, `bad_argument`. */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += part;
    if (text.length > MOST_BODY_BYTES) {
      throw new SentinelError("too_large", "That is too long.", "Send less.");
    }
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) {
      return value as Record<string, unknown>;
    }
  } catch {}
  throw new SentinelError("bad_argument", "The call has no JSON object.", "Load the page again.");
}

/** Accepts calls from the browser that has the one-time token. Refuses other sites, other host names and other users. */
class Access {
  /** The token in the address. It can be exchanged once. */
  readonly once = newToken();
  readonly #bearer = newToken();
  readonly #host: string;
  #isUsed = false;

  /** @param host the server's address and port, as browsers send them. */
  constructor(host: string) {
    this.#host = host;
  }

  /** Returns the bearer token for all later calls. @throws SentinelError `unauthorised` if the one-time token is wrong or used. */
  exchange(token: unknown): string {
    if (this.#isUsed || typeof token !== "string" || !isSame(token, this.once)) {
      throw unauthorised();
    }
    this.#isUsed = true;
    return this.#bearer;
  }

  /** Cookies aren't used, because all ports of a host share them. @throws SentinelError `not_allowed` for another host name, or a call from another site. */
  mustBeHere(headers: IncomingHttpHeaders, isCall: boolean): void {
    const { host, origin, "sec-fetch-site": site = "same-origin" } = headers;
    const isOwnOrigin = origin === undefined || origin === `http://${this.#host}`;
    const isOwnSite = !isCall || site === "same-origin";
    if (host === this.#host && isOwnOrigin && isOwnSite) {
      return;
    }
    const what = "The viewer only answers its own page.";
    throw new SentinelError("not_allowed", what, OPEN_IT);
  }

  /** @throws SentinelError `unauthorised`. */
  mustHaveBearer({ authorization = "" }: IncomingHttpHeaders): void {
    if (!isSame(authorization, `Bearer ${this.#bearer}`)) {
      throw unauthorised();
    }
  }
}

const OPEN_IT = "Open it with sentinel-memory view.";

const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** Compares two strings in constant time. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));

function unauthorised(): SentinelError {
  return new SentinelError("unauthorised", "This page may not read the memory.", OPEN_IT);
}

/**
 * Writes a file that redirects to the URL. Only its owner can read it, while other users can see a
 * process's arguments. @returns its path, and a function that deletes it.
 */
function redirectFile(url: string): { readonly path: string; readonly remove: () => void } {
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
function openInBrowser(path: string): void {
  const [program = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const url = process.platform === "win32" ? path : pathToFileURL(path).href;
  const browser = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  browser.once("error", () => {});
  browser.unref();
}
