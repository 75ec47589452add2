/** Serves the page and its data on the loopback address until no page has been open for a while (docs/design/map.md, "Goals"). */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { type Access, openAccess } from "./access.ts";
import { openInBrowser, redirectFile } from "./open-page.ts";
import type { Routes, ViewerContext } from "./viewer.ts";

const ADDRESS = "127.0.0.1";
/** The server stops after this time without a call. An open page calls more than once a minute. */
const IDLE_MS = 30 * 60_000;
const MOST_BODY_BYTES = 64 * 1024;

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

/** Serves the page until the process is told to stop, or no page has been open for half an hour. @param open whether to open a browser. */
export async function serveViewer(
  routes: Routes,
  { terminal, build }: Pick<ViewerContext, "terminal" | "build">,
  open: boolean,
): Promise<void> {
  const files = new Map([
    ["/", ["text/html", PAGE]],
    ["/page.js", ["text/javascript", read(build, "viewer-page.js")]],
    ["/style.css", ["text/css", viewerStyle(build)]],
  ] as const);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  const host = `${ADDRESS}:${(server.address() as AddressInfo).port}`;
  const access = openAccess(host);
  const url = `http://${host}/#token=${access.once}`;
  const file = open ? redirectFile(url) : undefined;
  const ended = new Promise<void>((resolve) => {
    const idle = setTimeout(resolve, IDLE_MS).unref();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    server.on("request", (request, response) => {
      idle.refresh();
      void answer(request, response, { access, routes, files });
    });
  });
  try {
    terminal.print(file ? `The viewer: ${file.path}` : `The viewer: ${url}`);
    terminal.note("Ctrl+C ends it, and so does half an hour without a page.");
    if (file) openInBrowser(file.path);
    await ended;
  } finally {
    file?.remove();
    server.close();
    server.closeAllConnections();
  }
}

const UNFORESEEN = { code: "failed", message: "The viewer failed.", fix: "Try again." } as const;
const STATUSES: Readonly<Record<string, number>> = {
  unauthorised: 401,
  not_allowed: 403,
  not_found: 404,
  failed: 500,
};

interface Served {
  readonly access: Access;
  readonly routes: Routes;
  readonly files: ReadonlyMap<string, readonly [type: string, body: string]>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { access, routes, files }: Served,
) {
  const { method = "", headers } = request;
  const reply = (status: number, type: string, body: string) => {
    response.writeHead(status, { ...HEADERS, "content-type": `${type}; charset=utf-8` }).end(body);
  };
  const json = (status: number, value: unknown) =>
    reply(status, "application/json", JSON.stringify(value));
  try {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://viewer");
    const isCall = pathname.startsWith("/api/");
    access.mustBeHere(headers, isCall);
    const file = method === "GET" ? files.get(pathname) : undefined;
    if (file) return reply(200, ...file);
    if (!isCall)
      throw new SentinelError(
        "not_found",
        "There is no such page.",
        "Open the viewer's first page.",
      );
    const name = pathname.slice("/api/".length);
    if (method === "POST" && name === "session")
      return json(200, { bearer: access.exchange((await bodyOf(request)).token) });
    access.mustHaveBearer(headers);
    const read = routes.reads.get(name);
    const act = routes.actions.get(name);
    if (method === "GET" && read) return json(200, await read(searchParams));
    if (method === "POST" && act) return json(200, await act(await bodyOf(request)));
    throw new SentinelError("not_found", "There is no such call here.", "Load the page again.");
  } catch (error) {
    // An unexpected error is a bug, and its text must not leave the server.
    const { code, message, fix } = error instanceof SentinelError ? error : UNFORESEEN;
    json(STATUSES[code] ?? 422, { error: { code, message, fix } });
  }
}

/** @throws SentinelError `too_large`, `bad_argument`. */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += part;
    if (text.length > MOST_BODY_BYTES)
      throw new SentinelError("too_large", "That is too long.", "Send less.");
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new SentinelError("bad_argument", "The call has no JSON object.", "Load the page again.");
}
