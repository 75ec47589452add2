/** Which settings are in force, where each is from, and what is wrong with the files (docs/design/sessions.md, "Views and policies"). */
import { existsSync } from "node:fs";
import { defaultsOf, policyFindings } from "../../../ground/core/policy.ts";
import { stringify } from "../../../ground/core/read-policy.ts";
import { showControls } from "../../../ground/core/text.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { json } from "../../../ground/terminal/layout.ts";
import { MEMORY_POLICY, MEMORY_POLICY_NAME, readMemoryPolicy } from "../../../lessons/policy.ts";
import { BUDGETS_NAME, BUDGETS_POLICY } from "../../../sessions/bundle/settings/budgets.ts";
import { CHANNELS_NAME, CHANNELS_POLICY } from "../../../sessions/bundle/settings/channels.ts";
import { readSettings } from "../../../sessions/bundle/settings/settings.ts";
import { readLogLimits } from "../../../sessions/consent/limits.ts";
import { limitsInWords } from "../../../sessions/terminal/limits-in-words.ts";
import type { AddCommand, CommandContext } from "../command.ts";

export const addConfig: AddCommand = (program, open) => {
  program
    .command("config")
    .description("show the settings in force and their problems")
    .option("--json", "print them as JSON")
    .action(async (options) => {
      const context = open();
      const found = await inForce(context);
      context.terminal.print(options.json ? json(found) : await yamlOf(found));
      // After the list it is an error: nothing can be stored as long as that is so.
      (await context.readPrivacy()).forStoring();
    });
};

type Policies = Awaited<ReturnType<typeof inForce>>;

async function inForce({ project, readPrivacy }: CommandContext) {
  const { memoryPolicy, budgetsPolicy, channelsPolicy } = project.context;
  const memory = await readMemoryPolicy(project.context);
  const { budgets, channels, views, files, version } = await readSettings(project);
  const privacy = await readPrivacy();
  const { problems, ...record } = await readLogLimits(project.folder);
  const policy = (name: string, path: string, file: string, values: object, defaults: object) => {
    return { name, ...(existsSync(path) && { file }), values, defaults };
  };
  return {
    policies: [
      policy("memory", memoryPolicy, MEMORY_POLICY_NAME, memory.values, defaultsOf(MEMORY_POLICY)),
      policy("budgets", budgetsPolicy, BUDGETS_NAME, budgets, defaultsOf(BUDGETS_POLICY)),
      policy("channels", channelsPolicy, CHANNELS_NAME, channels, defaultsOf(CHANNELS_POLICY)),
    ],
    // Never the words themselves.
    privacy: privacy.files.map(({ name, words, patterns }) => {
      return { file: name, words: words.length, patterns: patterns.length };
    }),
    record,
    views: views.map(({ name, place, text }) => ({
      name,
      file: place,
      tokens: estimateTokens(text),
    })),
    version,
    problems: [
      ...[{ name: MEMORY_POLICY_NAME, ...memory }, ...files, ...privacy.files].flatMap((file) =>
        policyFindings(file.name, file),
      ),
      ...problems,
    ].map(({ what, fix }) => ({ what, fix })),
  };
}

async function yamlOf({ policies, record, ...others }: Policies): Promise<string> {
  const values = policies.map(({ name, file = "none, so the defaults", values }) => [
    name,
    { file, ...values },
  ]);
  const limits = limitsInWords(record.limits);
  const shown = { ...Object.fromEntries(values), record: { ...record, limits }, ...others };
  const lines = stringify(shown, { aliasDuplicateObjects: false }).trimEnd().split("\n");
  return lines.map(showControls).join("\n");
}
