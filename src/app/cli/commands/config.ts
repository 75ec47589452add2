/** Lists the settings in effect, their sources, and the faults of the files (docs/design/sessions.md, "Views and policies"). */
import { existsSync } from "node:fs";
import { defaultsOf } from "../../../ground/core/policy.ts";
import { stringify } from "../../../ground/core/read-policy.ts";
import { showControls } from "../../../ground/core/text.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { json } from "../../../ground/terminal/layout.ts";
import { MEMORY_POLICY, MEMORY_POLICY_NAME, readMemoryPolicy } from "../../../lessons/policy.ts";
import { BUDGETS_NAME, BUDGETS_POLICY } from "../../../sessions/bundle/settings/budgets.ts";
import { CHANNELS_NAME, CHANNELS_POLICY } from "../../../sessions/bundle/settings/channels.ts";
import { readSettings } from "../../../sessions/bundle/settings/settings.ts";
import { type LogLimits, readLogLimits } from "../../../sessions/consent/limits.ts";
import { limitsInWords } from "../../../sessions/terminal/limits-in-words.ts";
import { findingsIn } from "../../findings/areas.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { findingAsJson } from "../print-findings.ts";

export const addConfig: AddCommand = (program, open) => {
  program
    .command("config")
    .description("show the settings in force and their problems")
    .option("--json", "print them as JSON")
    .action((options: { json?: boolean }) => config(open(), options.json ?? false));
};

/** @throws SentinelError `privacy_unreadable` after printing the list, because nothing can be stored until that is fixed. */
async function config(context: CommandContext, isJson: boolean): Promise<void> {
  const settings = await settingsInForce(context);
  context.terminal.print(isJson ? json(settings) : await yamlOf(settings));
  (await context.readPrivacy()).forStoring();
}

interface PolicyInForce {
  readonly name: string;
  /** Absent if there is no file. */
  readonly file: string | undefined;
  readonly values: object;
  readonly defaults: object;
}

interface SettingsInForce {
  readonly policies: readonly PolicyInForce[];
  /** The number of own words in each file. The words themselves are private. */
  readonly privacy: readonly { file: string; words: number; patterns: number }[];
  readonly record: Omit<LogLimits, "problems">;
  readonly views: readonly { name: string; file: string; tokens: number }[];
  readonly version: string;
  readonly findings: readonly object[];
}

async function settingsInForce(context: CommandContext): Promise<SettingsInForce> {
  const { project, readPrivacy, spelt } = context;
  const { memoryPolicy, budgetsPolicy, channelsPolicy } = project.context;
  const memory = await readMemoryPolicy(project.context);
  const { budgets, channels, views, version } = await readSettings(project);
  const privacy = await readPrivacy();
  const { problems: _, ...record } = await readLogLimits(project.folder);
  const fileOf = (path: string, name: string) => (existsSync(path) ? name : undefined);
  const found = await findingsIn(["settings", "privacy", "session log limits"], {
    ...context,
    files: new ProjectFiles(project.folder),
  });
  const faults = found.filter(({ level }) => level !== "ok");
  return {
    policies: [
      {
        name: "memory",
        file: fileOf(memoryPolicy, MEMORY_POLICY_NAME),
        values: memory.values,
        defaults: defaultsOf(MEMORY_POLICY),
      },
      {
        name: "budgets",
        file: fileOf(budgetsPolicy, BUDGETS_NAME),
        values: budgets,
        defaults: defaultsOf(BUDGETS_POLICY),
      },
      {
        name: "channels",
        file: fileOf(channelsPolicy, CHANNELS_NAME),
        values: channels,
        defaults: defaultsOf(CHANNELS_POLICY),
      },
    ],
    privacy: privacy.files.map(({ name, words, patterns }) => {
      return { file: name, words: words.length, patterns: patterns.length };
    }),
    record,
    views: views.map(({ name, place, text }) => {
      return { name, file: place, tokens: estimateTokens(text) };
    }),
    version,
    findings: faults.map((finding) => findingAsJson(finding, spelt)),
  };
}

async function yamlOf({ policies, record, ...others }: SettingsInForce): Promise<string> {
  const values: Record<string, object> = {};
  for (const { name, file = "none, so the defaults", values: inForce } of policies)
    values[name] = { file, ...inForce };
  const limits = limitsInWords(record.limits);
  const shown = { ...values, record: { ...record, limits }, ...others };
  const lines = stringify(shown, { aliasDuplicateObjects: false }).trimEnd().split("\n");
  return lines.map(showControls).join("\n");
}
