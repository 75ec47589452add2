/**
 * The real agents, as their users run them. They are hundreds of megabytes each, so they live in a cache folder of the
 * system, outside the repository, and `npm test` does not need them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Project } from "../support/project.ts";
import { type Ended, runProcess } from "../support/run-process.ts";

/** Pinned, so that what was measured can be measured again. */
const PACKAGES = {
  "@anthropic-ai/claude-code": "2.1.197",
  // The runtime of Cursor's agents: neither the desktop app nor its command line can be installed from a registry.
  "@cursor/sdk": "1.0.32",
  "@google/gemini-cli": "0.61.0",
  // The client of the protocol's next era, and the first suite that has it.
  "@modelcontextprotocol/client": "2.4.0",
  "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@openai/codex": "0.169.0",
  // For the conformance suite and Cursor, which do not run on Node 20.
  node: "22.23.3",
  "opencode-ai": "1.18.33",
};

/** Where they are. */
export const CACHE = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "sentinel-memory-clients",
);

/** Installs what is missing. */
export function installAgents(): void {
  const wanted = `${JSON.stringify({ private: true, dependencies: PACKAGES }, null, 2)}\n`;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, "package.json"), wanted);
  if (Object.entries(PACKAGES).some(([name, version]) => installed(name) !== version)) {
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: CACHE, stdio: "inherit" });
  }
}

/** The version of a package that is in a folder. */
export function installed(name: string, folder = CACHE): string | undefined {
  const manifest = join(folder, "node_modules", name, "package.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
}

/** Runs an agent in a repository, with that repository's home folder. */
export async function runAgent(
  name: "claude" | "codex" | "conformance" | "gemini" | "opencode" | "mcp-inspector",
  args: readonly string[],
  repository: Project,
  {
    below = ".",
    env = {},
    run = runProcess,
  }: { below?: string; env?: Record<string, string>; run?: typeof runProcess } = {},
): Promise<Ended> {
  const quiet = {
    NO_COLOR: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const bin = join(CACHE, "node_modules", ".bin");
  const path: Record<string, string> =
    name === "conformance" ? { PATH: bin + delimiter + repository.env.PATH } : {};
  return run(join(bin, name), args, {
    cwd: repository.path(below),
    env: { ...repository.env, ...quiet, ...path, ...env },
    deadline: 200_000,
  });
}

/** What Claude Code asks each of its users once. */
export async function approveServer(repository: Project): Promise<void> {
  await repository.write(
    "../.claude/settings.json",
    '{"enabledMcpjsonServers":["sentinel-memory"]}',
  );
}

/** What Codex asks its user once for each project. */
export async function trustProject(repository: Project): Promise<void> {
  await repository.write(
    "~/.codex/config.toml",
    `[projects."${repository.folder}"]\ntrust_level = "trusted"\n`,
  );
}

/** Installs our plugin for the user of a repository. */
export async function addPlugin(repository: Project): Promise<void> {
  for (const command of [
    ["marketplace", "add", resolve(".")],
    ["install", "sentinel-memory@sentinel-memory"],
  ]) {
    const { exit, stdout, stderr } = await runAgent("claude", ["plugin", ...command], repository);
    if (exit !== 0) {
      throw new Error(`claude plugin ${command.join(" ")}: ${stdout}${stderr}`);
    }
  }
}
