import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "./clients.ts";
import {
  DEVELOPMENT_DEPENDENCY,
  hookFrom,
  isOurHook,
  launchesFor,
  mustFitEntry,
  vendoredBy,
  vendoredIn,
} from "./launch.ts";

const VENDORED = vendoredIn("");

describe.each([
  ["the development dependency", DEVELOPMENT_DEPENDENCY],
  ["the copy in the repository", VENDORED],
])("how an entry starts %s", (_, { here, inWorkspace, hook }) => {
  const code = [here.args[1], inWorkspace.args[1]];

  it("means the same to POSIX shells, cmd, PowerShell and the clients' own variables, so Windows needs no other", () => {
    for (const line of code) {
      expect(line).not.toMatch(/["$%`\\^&|<>!\s]/);
    }
  });

  it("is a short hook line that says what it runs, without what cmd, PowerShell or sh would read in it", () => {
    expect(hook).toMatch(/^node [^$%`\\!]{1,60}$/);
    expect(isOurHook(hook)).toBe(true);
    expect(isOurHook(hookFrom("$ROOT", hook ?? ""))).toBe(true);
  });
});

describe("an entry that starts a copy", () => {
  it("is at most 240 characters of code, which catches nothing", () => {
    const [, code = ""] = VENDORED.here.args;
    expect(code.length).toBeLessThanOrEqual(240);
    expect(code).not.toMatch(/try|catch|fromCharCode/);
  });

  it("is known wherever the copy lies; any other code is not", () => {
    for (const launches of [VENDORED, vendoredIn("packages/my api")]) {
      for (const { command, args } of [launches.here, launches.inWorkspace]) {
        expect(vendoredBy([command, ...args])?.here).toEqual(launches.here);
      }
    }
    for (const { command, args } of [VENDORED.inProject, VENDORED.fromWorkspace]) {
      expect(vendoredBy([command, ...args])?.here).toEqual(VENDORED.here);
    }
    const { args } = VENDORED.here;
    for (const words of [
      ["sh", ...args],
      ["node", "-e", `${args[1]};more()`],
      ["node", "-e", ""],
      ["node"],
    ]) {
      expect(vendoredBy(words)).toBeUndefined();
    }
  });

  it.each(["R&D", "it's", "50%", "a\\b", "$HOME"])(
    "is refused for the folder %s, which a shell would read",
    (folder) => {
      expect(() => mustFitEntry(`packages/${folder}`)).toThrow(
        expect.objectContaining({ code: "bad_place" }),
      );
    },
  );
});

it("SECURITY.md shows the code of an entry that starts a copy, as it is but for blanks and comments", () => {
  const [, shown = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync("SECURITY.md", "utf8")) ?? [];
  expect(shown.replaceAll(/\/\/.*|\s/g, "")).toBe(VENDORED.here.args[1]);
});

describe("how an entry starts the server", () => {
  it("follows a command line of the user's choice, with the workspace where a client needs it", () => {
    const launches = launchesFor("sentinel-memory");
    expect(launches.here).toEqual({ command: "sentinel-memory", args: [] });
    expect(launches.hook).toBe("sentinel-memory-hook");
    expect(launches.inWorkspace.args).toEqual(["--project", "${workspaceFolder}"]);
    expect(launchesFor("docker run -i memory").hook).toBeUndefined();
  });

  it.each([
    "",
    "npx sentinel-memory",
    "/usr/bin/npx sentinel-memory",
    "npx.exe sentinel-memory",
    "cmd /c npx x",
    "sh -c 'npx sentinel-memory'",
    "npm exec sentinel-memory",
    "npm x -- sentinel-memory",
    "npm --yes exec sentinel-memory",
    "bun x sentinel-memory",
    "pnpm dlx sentinel-memory",
    `node ${homedir()}/dist/cli.mjs`,
    "$HOME/sentinel-memory",
    "~/bin/sentinel-memory",
    "%USERPROFILE%\\sentinel-memory",
  ])("refuses %j", (form) => {
    expect(() => launchesFor(form)).toThrow(expect.objectContaining({ code: "bad_argument" }));
  });

  it.each([
    "pnpm exec sentinel-memory",
    "yarn exec sentinel-memory",
    "tools/bin/sentinel-memory",
    "npm-x/sentinel-memory",
  ])("takes %j", (form) => {
    expect(launchesFor(form).hook).toBe(`${form}-hook`);
  });
});

it("each client's entry, as it is written", () => {
  const entries = CLIENTS.map(({ id, server: { files, key, entry } }) => {
    return [id, files[0], key, entry(DEVELOPMENT_DEPENDENCY)];
  });
  const here = ["-e", "import('sentinel-memory/cli')"];
  const inWorkspace = [
    "-e",
    "import(require('url').pathToFileURL(require.resolve('sentinel-memory/cli',{paths:[process.argv[3]]})))",
    "sentinel-memory",
    "--project",
    "${workspaceFolder}",
  ];
  const command = "node";
  expect(entries).toEqual([
    ["cursor", ".cursor/mcp.json", "mcpServers", { command, args: inWorkspace, cwd: "." }],
    ["claude", ".mcp.json", "mcpServers", { command, args: here }],
    ["codex", ".codex/config.toml", "mcp_servers", { command, args: here }],
    ["vscode", ".vscode/mcp.json", "servers", { type: "stdio", command, args: inWorkspace }],
    ["gemini", ".gemini/settings.json", "mcpServers", { command, args: here }],
    ["opencode", "opencode.json", "mcp", { type: "local", command: [command, ...here] }],
  ]);
});
