/**
 * The plugin of Claude Code and of Codex, made from what the rest is made from: the launch line, the hook tables, the rules and the prompts.
 * `npm run generate` writes the files; a test fails when one of them is not current.
 *
 * The plugin starts the version of the package that the project depends on, so it holds no code of its own.
 */
import packageJson from "../package.json" with { type: "json" };
import { listPrompts, promptText } from "../src/app/server/prompts.ts";
import { RULES } from "../src/app/setup/rules.ts";
import { claudeCodeHooks } from "../src/ground/clients/claude-code.ts";
import { type HookTable, SERVER_NAME } from "../src/ground/clients/client.ts";
import { codex } from "../src/ground/clients/codex.ts";
import { DEVELOPMENT_DEPENDENCY } from "../src/ground/clients/launch.ts";
import { SERVER_FILE, SERVER_FOLDER } from "../src/ground/project/context-folder.ts";

const { description, version, license } = packageJson;
const OWNER = { name: "Sentinel Memory maintainers" };

/** No tool forgets: taking something out of the memory is for a person to decide. */
const FORGET = {
  description: "Take a lesson out of the memory; restore brings it back.",
  hint: "[what it says]",
  text: `Find the lesson with search_memory, show it to me in full with its id, and ask whether to forget it. After my yes run, from the root of the project:

node ${SERVER_FOLDER}/${SERVER_FILE} forget ID --yes --reason "why"

Where that file is missing, begin with \`node_modules/.bin/sentinel-memory forget\`; where that is missing too, with the command line of the server's entry in .mcp.json, and forget behind it. Forget one lesson at a time, and nothing I have not seen. Which lesson: $ARGUMENTS`,
};

/** Every file of the plugin, by its path in the repository. */
export function pluginFiles(): Readonly<Record<string, string>> {
  const { here, hook = "" } = DEVELOPMENT_DEPENDENCY;
  const manifest = { name: SERVER_NAME, version, description, author: OWNER, license };
  return {
    ...codexFiles(manifest),
    ".claude-plugin/marketplace.json": json({
      name: SERVER_NAME,
      owner: OWNER,
      metadata: { description: "The marketplace of one plugin." },
      plugins: [{ name: SERVER_NAME, source: "./plugin", description }],
    }),
    "plugin/.claude-plugin/plugin.json": json(manifest),
    "plugin/.mcp.json": json({ mcpServers: { [SERVER_NAME]: here } }),
    "plugin/hooks/hooks.json": json({ hooks: pluginHooks(hook) }),
    "plugin/skills/project-memory/SKILL.md": page(
      {
        name: "project-memory",
        description:
          "How to use the project's memory. Follow it in every task: before the first step and after the last.",
      },
      RULES,
    ),
    ...Object.fromEntries(
      listPrompts().map(({ name, ...prompt }) => [commandPath(name), slashCommand(name, prompt)]),
    ),
    [commandPath("forget")]: page(
      { description: FORGET.description, "argument-hint": FORGET.hint },
      FORGET.text,
    ),
  };
}

/** Codex would also read the files of Claude Code, whose hooks call a server under a name that it does not have. */
function codexFiles(manifest: object): Readonly<Record<string, string>> {
  const hooks = "hooks/codex.json";
  return {
    ".agents/plugins/marketplace.json": json({
      name: SERVER_NAME,
      plugins: [
        {
          name: SERVER_NAME,
          source: { source: "local", path: "./plugin" },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    }),
    "plugin/.codex-plugin/plugin.json": json({
      ...manifest,
      skills: "./skills/",
      mcpServers: "./.mcp.json",
      hooks: `./${hooks}`,
    }),
    [`plugin/${hooks}`]: json({ hooks: listed(codex.hooks?.table?.("") ?? {}) }),
  };
}

/** A hook file has a list of entries for each event. */
function listed(table: HookTable): Readonly<Record<string, readonly object[]>> {
  return Object.fromEntries(Object.entries(table).map(([event, entry]) => [event, [entry]]));
}

interface HookEntry {
  readonly hooks: readonly object[];
}

/**
 * Each event calls the plugin's own server and that of the project. Where both start with the same command, Claude Code suppresses the
 * plugin's, and skips its hooks in silence; where both answer, a lesson still comes once.
 */
function pluginHooks(hook: string) {
  const tableOf = (server: string) =>
    claudeCodeHooks(hook, server) as Readonly<Record<string, HookEntry>>;
  const ofProject = tableOf(SERVER_NAME);
  const entries = Object.entries(tableOf(`plugin:${SERVER_NAME}:${SERVER_NAME}`));
  return Object.fromEntries(
    entries.map(([event, { hooks, ...entry }]) => {
      const [own, besides] = [hooks, ofProject[event]?.hooks ?? []];
      const isCall = JSON.stringify(own) !== JSON.stringify(besides);
      return [event, [{ ...entry, hooks: [...own, ...(isCall ? besides : [])] }]];
    }),
  );
}

function commandPath(name: string): string {
  return `plugin/commands/${name}.md`;
}

/** A prompt of the server as a slash command; what the user types after it stands at the end. */
function slashCommand(
  name: string,
  { description, arguments: named = [] }: Omit<ReturnType<typeof listPrompts>[number], "name">,
) {
  const text = promptText(name, {}) ?? "";
  const [argument] = named;
  if (!argument) {
    return page({ description }, text);
  }
  const asked = `${argument.description?.replace(/\.$/, "")}, if I gave one: $ARGUMENTS`;
  return page({ description, "argument-hint": `[${argument.name}]` }, `${text}\n\n${asked}`);
}

function page(head: Readonly<Record<string, string | undefined>>, text: string): string {
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${text}\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
