/** Checks the settings files: whether each is valid, and whether every view can be shown. */
import { existsSync } from "node:fs";
import type { PolicyProblem } from "../../ground/core/policy.ts";
import { plural } from "../../ground/core/text.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../../lessons/policy.ts";
import { readSettings } from "../../sessions/bundle/settings/settings.ts";
import { findLog } from "../../sessions/consent/find-log.ts";
import { readLogLimits } from "../../sessions/consent/limits.ts";
import type { Context, Finding, Level } from "./finding.ts";

/** Checks the team's settings and views. */
export async function checkSettings({ project }: Context): Promise<Finding[]> {
  const memory = await readMemoryPolicy(project.context);
  const { files } = await readSettings(project);
  const found = files.flatMap((file) => findingsOf(file, "warning", "nothing wrong with it"));
  if (!existsSync(project.context.memoryPolicy) && memory.problems.length === 0) {
    return found;
  }
  const values = Object.entries(memory.values).map(([key, value]) => `${key} ${value}`);
  const report = { name: MEMORY_POLICY_NAME, ...memory };
  return [...findingsOf(report, "warning", values.join(", ")), ...found];
}

/** Checks the files with words that are never stored. While one of them is invalid, nothing is stored. */
export async function checkPrivacy({ project, env, readPrivacy }: Context): Promise<Finding[]> {
  const { files } = await readPrivacy();
  const isRecorded = files.length > 0 && (await findLog(project.folder, env)).record !== undefined;
  // Adding a word doesn't remove it from stored events.
  const earlier = isRecorded
    ? "; sentinel-memory sessions purge --text WORD removes earlier events"
    : "";
  return files.flatMap((file) => {
    const { words, patterns } = file;
    const counts = `${plural(words.length, "word")} and ${plural(patterns.length, "pattern")}`;
    return findingsOf(file, "broken", `${counts} that are never stored${earlier}`);
  });
}

/** Checks how long the session log keeps its data, in the user's own files. */
export async function checkLimits({ project }: Context): Promise<Finding[]> {
  const { problems } = await readLogLimits(project.folder);
  return problems.map((fault) => findingOf(fault, "warning"));
}

/** Returns the faults of a file, or a fact about it if it has no faults. */
function findingsOf(
  { name, problems }: { readonly name: string; readonly problems: readonly PolicyProblem[] },
  level: Level,
  fact: string,
): Finding[] {
  if (problems.length === 0) {
    return [{ id: "settings", level: "ok", what: fact, file: name }];
  }
  return problems.map((problem) => findingOf(problem, level));
}

function findingOf({ file, line, message, fix, isIgnored }: PolicyProblem, level: Level): Finding {
  return {
    id: isIgnored ? "setting_ignored" : "setting_invalid",
    level: isIgnored ? "note" : level,
    what: message,
    fix,
    file,
    lines: line === undefined ? [] : [line],
  };
}
