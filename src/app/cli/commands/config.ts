/** Lists the settings in effect, their sources, and the faults of the files (docs/design/sessions.md, "Views and policies"). */
import { existsSync } from "node:fs";
import { stringify } from "../../../ground/core/policy.ts";
import { visibleLines } from "../../../ground/core/text.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { json } from "../../../ground/terminal/layout.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../../../lessons/policy.ts";
import {
  BUDGETS_NAME,
  CHANNELS_NAME,
  readSettings,
} from "../../../sessions/bundle/settings/settings.ts";
import { readLogLimits } from "../../../sessions/consent/limits.ts";
import { limitsInWords } from "../../../sessions/terminal/limits-in-words.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { findingsIn } from "../../findings/areas.ts";
import { findingAsJson } from "../print.ts";

export const addConfig: AddSessionCommand = (program, open) => {
  program
    .command("config")
    .description("show the settings in force and their problems")
    .option("--json", "print them as JSON")
    .action((options: { json?: boolean }) => config(open(), options.json ?? false));
};

/** @throws SentinelError `privacy_unreadable` after printing the list, because nothing can be stored until that is fixed. */
async function config(context: SessionCommandContext, isJson: boolean): Promise<void> {
  const settings = await settingsInForce(context);
  context.terminal.print(isJson ? json(settings) : yamlOf(settings));
  (await context.readPrivacy()).forStoring();
}

async function settingsInForce(context: SessionCommandContext) {
  const { project, readPrivacy, spelt } = context;
  const { memoryPolicy, budgetsPolicy, channelsPolicy } = project.context;
  const memory = await readMemoryPolicy(project.context);
  const { budgets, channels, views, version } = await readSettings(project);
  const { files } = await readPrivacy();
  const { problems: _, ...record } = await readLogLimits(project.folder);
  const found = await findingsIn(["settings", "privacy", "session log limits"], context);
  const faults = found.filter(({ level }) => level !== "ok");
  return {
    memory: { file: fileIn(memoryPolicy, MEMORY_POLICY_NAME), ...memory.values },
    budgets: { file: fileIn(budgetsPolicy, BUDGETS_NAME), ...budgets },
    channels: { file: fileIn(channelsPolicy, CHANNELS_NAME), ...channels },
    record: { ...record, limits: limitsInWords(record.limits) },
    /** The number of own words in each file. The words themselves are private. */
    privacy: files.map(({ name, words, patterns }) => {
      return { file: name, words: words.length, patterns: patterns.length };
    }),
    views: views.map(({ name, place, text }) => {
      return { name, file: place, tokens: estimateTokens(text) };
    }),
    version,
    findings: faults.map((finding) => findingAsJson(finding, spelt)),
  };
}

const fileIn = (path: string, name: string): string =>
  existsSync(path) ? name : "none, so the defaults";

const yamlOf = (settings: object): string =>
  visibleLines(stringify(settings, { aliasDuplicateObjects: false }).trimEnd());
