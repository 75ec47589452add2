/** Reads the policies and views of a project and a user (docs/design/sessions.md, "Views and policies"). */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import {
  type PolicyProblem,
  type PolicySchema,
  policyNotes,
  readPolicy,
} from "../../../ground/core/policy.ts";
import { type ConfigFolders, configFolders } from "../../../ground/project/config-folders.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { readPolicyFile } from "../../../ground/project/small-text.ts";
import type { Event } from "../../kinds/event.ts";
import { BUDGETS_POLICY, type Budgets, CHANNELS_POLICY, type Channels } from "./policies.ts";
import { type SharedTexts, viewsIn } from "./shared-texts.ts";
import { readViews, type View } from "./views.ts";

export interface Settings {
  readonly budgets: Budgets;
  readonly channels: Channels;
  /** All views. A bundle shows those of `viewsFor`. */
  readonly views: readonly View[];
  /** The existing files, each with its problems. */
  readonly files: readonly SettingsFile[];
  /** Problems of the files, a line each, for every answer that depends on them. */
  readonly notes: readonly string[];
  /** The version of the policies in force, for a bundle's provenance. It excludes views, because a digest would reveal private texts. */
  readonly version: string;
}

interface SettingsFile {
  readonly name: string;
  readonly problems: readonly PolicyProblem[];
}

/** Reads the current files. Missing and invalid values have their defaults. @param own the user's folders. */
export async function readSettings(
  from: Project | SharedTexts,
  own?: ConfigFolders,
): Promise<Settings> {
  const budgets = await policyOf(from, "budgetsPolicy", BUDGETS_POLICY);
  const channels = await policyOf(from, "channelsPolicy", CHANNELS_POLICY);
  const views =
    from instanceof Map ? viewsIn(from) : await readViews(from, own ?? configFolders(from.folder));
  const ofViews = views.map(({ place, problems }) => ({ name: place, problems }));
  const files = [...budgets.files, ...channels.files, ...ofViews];
  return {
    budgets: budgets.values,
    channels: channels.values,
    views: views.flatMap(({ view }) => view ?? []),
    files,
    notes: policyNotes(files.flatMap(({ problems }) => problems)),
    version: versionOf(budgets.values, channels.values),
  };
}

/** The values of a policy, and the problems of its file if it exists. */
async function policyOf<Schema extends PolicySchema>(
  from: Project | SharedTexts,
  file: "budgetsPolicy" | "channelsPolicy",
  schema: Schema,
) {
  const name = contextFolder(CONTEXT_FOLDER)[file];
  const isShared = from instanceof Map;
  const { values, problems } = isShared
    ? readPolicy(from.get(basename(name)) ?? "", schema, name)
    : await readPolicyFile(from.context[file], schema, from.folder);
  const isThere = isShared || existsSync(from.context[file]) || problems.length > 0;
  return { values, files: isThere ? [{ name, problems }] : [] };
}

/** The views that a bundle for a channel shows, in the order of its policy. */
export function viewsFor(
  channel: Event["channel"],
  { channels, views }: Pick<Settings, "channels" | "views">,
): View[] {
  return channels[channel].views.flatMap((name) => views.filter((view) => view.name === name));
}

function versionOf(budgets: Budgets, channels: Channels): string {
  const digest = hash("sha256", JSON.stringify([budgets, channels]));
  return `bud${BUDGETS_POLICY.version}-chan${CHANNELS_POLICY.version}-${digest.slice(0, 8)}`;
}
