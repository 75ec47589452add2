/** Every help page: one example that parses, required options that are marked, and plain descriptions. */
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { COMMAND_NAMES } from "../../ground/terminal/shell.ts";

/** Commands that remove or change something. */
const CHANGES = [
  ...["add", "edit", "forget", "restore", "purge", "import", "review", "pin"],
  ...["init", "uninstall", "digest"],
  ...["sessions on", "sessions off", "sessions skip", "sessions purge", "sessions capture"],
  ...["sessions import", "sessions delete", "daemon migrate"],
  ...["daemon tenant create", "daemon tenant views", "daemon tenant set-privacy"],
  ...["daemon tenant set-retention", "daemon tenant delete"],
  ...["daemon person remove"],
  ...["daemon token create", "daemon token revoke", "daemon token rotate"],
];

const PAGES = pagesOf(commandLine());
const EXAMPLE = /^Example:\n {2}(.+)$/m;

it("has a page for each command that our texts may name", () => {
  const topLevel = PAGES.map(({ words }) => words).filter((words) => !words.includes(" "));
  expect(topLevel.filter((name) => name !== "").sort()).toEqual(
    COMMAND_NAMES.filter((name) => name !== "help").sort(),
  );
});

describe.each(PAGES)("the help of $words", ({ words, command, text }) => {
  it("has one example of this command, which parses", async () => {
    expect(text.match(/^Example:$/gm)).toHaveLength(1);
    const [, example = ""] = EXAMPLE.exec(text) ?? [];
    expect(example).toMatch(new RegExp(`^sentinel-memory ${words}`));
    await parse(example);
  });

  it("marks each required option, and no other", () => {
    expect(text).toContain("Options:");
    for (const option of command.options) {
      const [entry = ""] =
        new RegExp(`^ {2}${escaped(option.flags)} [\\s\\S]*?(?=\\n {2}\\S|\\n\\n)`, "m").exec(
          text,
        ) ?? [];
      expect([option.flags, entry.includes("(required)")]).toEqual([
        option.flags,
        option.mandatory,
      ]);
    }
  });

  it("is described by one verb phrase, and shows no empty default", () => {
    expect(text).not.toMatch(/default: \[\]|--since <(?!age>)/);
    if (words === "") {
      return;
    }
    expect(command.description()).toMatch(/^[a-z][^;]*[^;.]$/);
    for (const { description } of [...command.options, ...command.registeredArguments]) {
      expect(description.replace(/"[^"]*"/g, "")).not.toContain(";");
    }
  });
});

it.each(CHANGES)("%s says how to undo it, or that nothing can", (words) => {
  const { text = "" } = PAGES.find((page) => page.words === words) ?? {};
  const [, after = ""] = text.split(EXAMPLE.exec(text)?.[0] ?? "nothing");
  expect(after.trim()).not.toBe("");
});

it("an example that does not parse would be found", async () => {
  for (const wrong of ["show", "list --size", "add --topic billing", "sessions play", "lists"]) {
    await expect(parse(`sentinel-memory ${wrong}`), wrong).rejects.toThrow();
  }
});

/** The commands that do something or group others, with the help as it is printed. */
function pagesOf(
  command: Command,
  words = "",
): { words: string; command: Command; text: string }[] {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 1_000,
  });
  command.outputHelp();
  const inner = command.commands
    .filter((one) => one.name() !== "help")
    .flatMap((one) => pagesOf(one, `${words} ${one.name()}`.trim()));
  return [
    { words, command, text: text.replaceAll(/^ {2}\S*sentinel-memory /gm, "  sentinel-memory ") },
    ...inner,
  ];
}

/** Parses a line as the program does, and carries nothing out. */
async function parse(line: string): Promise<void> {
  const program = commandLine();
  carryNothingOut(program);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? "",
  );
  await program.parseAsync(words.slice(1), { from: "user" });
}

function carryNothingOut(command: Command): void {
  command.configureOutput({ writeErr: () => {} });
  if (command.commands.length === 0) {
    command.action(() => {});
  }
  for (const inner of command.commands) {
    carryNothingOut(inner);
  }
}

const escaped = (text: string): string => text.replaceAll(/[.[\]()]/g, "\\$&");
