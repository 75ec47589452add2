/** All that a project and a person decide about their bundles, read in one go (docs/design/sessions.md, "Views and policies"). */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { defaultsOf, type PolicyReport, policyNotes } from "../../../ground/core/policy.ts";
import { type ConfigFolders, configFolders } from "../../../ground/project/config-folders.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { readPolicyFile } from "../../../ground/project/policy-file.ts";
import type { Event } from "../../kinds/event.ts";
import { BUDGETS_NAME, BUDGETS_POLICY, type Budgets } from "./budgets.ts";
import { CHANNELS_NAME, CHANNELS_POLICY, type Channels } from "./channels.ts";
import { readViews, type View } from "./views.ts";

export interface Settings {
  readonly budgets: Budgets;
  readonly channels: Channels;
  /** All of them: a bundle shows those of `viewsFor`. */
  readonly views: readonly View[];
  readonly files: readonly (PolicyReport & { readonly name: string })[];
  /** What is wrong with the files, a line each, for every answer that goes by them; empty when nothing is. */
  readonly notes: readonly string[];
  /** Which policies are in force, for the provenance of a bundle. Views are not in it: a digest would tell of what is private. */
  readonly version: string;
}

function defaultSettings(): Settings {
  const [budgets, channels] = [defaultsOf(BUDGETS_POLICY), defaultsOf(CHANNELS_POLICY)];
  return { budgets, channels, views: [], files: [], notes: [], version: versionOf(budgets, channels) };
}

/**
 * Reads the files as they are now. What is missing or does not hold is at its default; without a clone of the project everything is.
 * @param own the person's folders.
 */
export async function readSettings(project: Project | undefined, own?: ConfigFolders): Promise<Settings> {
  return project ? settingsOf(project, own ?? configFolders(project.folder)) : defaultSettings();
}

async function settingsOf(project: Project, own: ConfigFolders): Promise<Settings> {
  const { budgetsPolicy, channelsPolicy } = project.context;
  const budgets = await readPolicyFile(budgetsPolicy, BUDGETS_POLICY, project.folder);
  const channels = await readPolicyFile(channelsPolicy, CHANNELS_POLICY, project.folder);
  const views = await readViews(project, own);
  const files = [
    ...(existsSync(budgetsPolicy) || budgets.problems.length > 0 ? [{ name: BUDGETS_NAME, ...budgets }] : []),
    ...(existsSync(channelsPolicy) || channels.problems.length > 0 ? [{ name: CHANNELS_NAME, ...channels }] : []),
    ...views.map(({ place, problems }) => ({ name: place, problems, unknown: [] })),
  ].map(({ name, problems, unknown }) => ({ name, problems, unknown }));
  return {
    budgets: budgets.values,
    channels: channels.values,
    views: views.flatMap(({ view }) => view ?? []),
    files,
    notes: files.flatMap((file) => policyNotes(file.name, file)),
    version: versionOf(budgets.values, channels.values),
  };
}

/** The views that a bundle for a channel shows, in the order in which its policy names them. */
export function viewsFor(channel: Event["channel"], { channels, views }: Settings): View[] {
  return channels[channel].views.flatMap((name) => views.filter((view) => view.name === name));
}

function versionOf(budgets: Budgets, channels: Channels): string {
  const digest = hash("sha256", JSON.stringify([budgets, channels]));
  return `bud${BUDGETS_POLICY.version}-chan${CHANNELS_POLICY.version}-${digest.slice(0, 8)}`;
}
