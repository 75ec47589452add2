/** The command lines that we write, as cmd and the runtime of Windows read them; and the same in a POSIX shell, which Git Bash is. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../src/ground/clients/client.ts";
import { CLIENTS } from "../../src/ground/clients/clients.ts";
import {
  DEVELOPMENT_DEPENDENCY,
  hookFrom,
  isOurHook,
  sessionHookLine,
  vendoredIn,
} from "../../src/ground/clients/launch.ts";
import { quoted } from "../../src/ground/files/paths.ts";
import { runProcess } from "../support/run-process.ts";
import { asOnWindows, HOME } from "./as-on-windows.ts";
import { commandsOf } from "./cmd.ts";

asOnWindows();

/** Folders as people have them. */
const FOLDERS = [
  "C:\\shop",
  `${HOME}\\my shop`,
  "C:\\R&D (old)\\it's 50% done!",
  "C:\\가게\\café",
  "\\\\server\\share\\x",
];

/** The words as a POSIX shell makes them. */
async function wordsInShell(line: string): Promise<string[]> {
  const words = `set -- ${line}\nprintf '%s\\n' "$@"`;
  return (await runProcess("sh", ["-c", words], { cwd: "/", env: {} })).stdout
    .trimEnd()
    .split("\n");
}

describe("cmd, as it is modelled here", () => {
  it.each([
    ["node a b", [["node", "a", "b"]]],
    ['node "a b" c', [["node", "a b", "c"]]],
    ["node a & calc", [["node", "a"], ["calc"]]],
    ['node "a & calc"', [["node", "a & calc"]]],
    ["node 'a & calc'", [["node", "'a"], ["calc'"]]],
    ['node "say \\"hi\\"" "x""y"', [["node", 'say "hi"', 'x"y']]],
    ['node "C:\\a\\\\" b', [["node", "C:\\a\\", "b"]]],
    ["node %USERPROFILE%\\x", [["node", "C:\\Users\\ann\\x"]]],
    ["node a^&b", [["node", "a&b"]]],
  ])("reads %s", (line, commands) => {
    expect(commandsOf(line, { variables: { UserProfile: "C:\\Users\\ann" } })).toEqual(commands);
  });
});

describe.each([
  ["the development dependency", DEVELOPMENT_DEPENDENCY],
  ["the copy in the repository", vendoredIn("")],
  ["the copy in a package of it", vendoredIn("packages/my api")],
])("the lines of %s", (_, launches) => {
  it("start the server with the same words where a client goes through cmd, and in a POSIX shell", async () => {
    for (const { server } of CLIENTS) {
      const words = commandLine(server.entry(launches)).map((word) =>
        word.replace("${workspaceFolder}", "C:/shop"),
      );
      const line = words.map((word) => `"${word}"`).join(" ");
      expect(commandsOf(line)).toEqual([words]);
      expect(await wordsInShell(line)).toEqual(words);
    }
  });

  const { hook = "" } = launches;

  it("of hooks are one command in cmd and in a POSIX shell, from wherever", async () => {
    for (const line of [hook, hookFrom("C:/my shop", hook)]) {
      const [words = [], ...others] = commandsOf(line);
      expect([words[0], others]).toEqual(["node", []]);
      expect(await wordsInShell(line)).toEqual(words);
      expect(isOurHook(line)).toBe(true);
    }
  });
});

describe.each(FOLDERS)("in %s", (folder) => {
  it("the hook of the session log is one command, with the whole path", () => {
    const file = `${folder}\\sentinel-memory.cjs`;
    expect(commandsOf(sessionHookLine(file))).toEqual([["node", file, "session-hook"]]);
  });

  it("what can be pasted is one word", () => {
    expect(commandsOf(`node ${quoted(folder)} init`)).toEqual([["node", folder, "init"]]);
    expect(commandsOf(`node ${quoted(`${folder}" & calc "`)}`)).toEqual([
      ["node", `${folder}" & calc "`],
    ]);
  });

  it("the short name starts the server beside it, with the words behind it as they are", () => {
    const lines = readFileSync("dist/server/sm.cmd", "utf8").trimEnd().split(/\r?\n/);
    const rest = 'forget 12ab --reason "old & wrong"';
    const commands = lines.flatMap((line) =>
      commandsOf(line, { batch: { folder: `${folder}\\`, rest } }),
    );
    expect(commands.filter(([word]) => word !== "rem")).toEqual([
      ["node", `${folder}\\sentinel-memory.cjs`, "forget", "12ab", "--reason", "old & wrong"],
    ]);
  });
});

it("the short name is a batch file that works with the line ends of Unix: no labels, no blocks, no line that is echoed", () => {
  const text = readFileSync("dist/server/sm.cmd", "utf8");
  expect(text).not.toMatch(/^\s*:|\bgoto\b|\bcall\b|[()]/im);
  for (const line of text.trimEnd().split("\n")) {
    expect(line).toMatch(/^@/);
  }
  expect(text).toMatch(/^[\x20-\x7e\n]+$/);
});
