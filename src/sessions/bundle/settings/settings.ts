/**
 * The settings of bundles: the policies `budgets.yaml` and `channels.yaml`, and the views, of a project and its user or of a daemon's
 * tenant (docs/design/sessions.md, "Views and policies").
 */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { SentinelError } from "../../../ground/core/errors.ts";
import {
  mustBeFaultless,
  type PolicyProblem,
  type PolicySchema,
  type PolicyValues,
  policyNotes,
  readPolicy,
} from "../../../ground/core/policy.ts";
import { plural, present } from "../../../ground/core/text.ts";
import { fileError } from "../../../ground/files/file-errors.ts";
import { readBytes } from "../../../ground/files/read-files.ts";
import { type ConfigFolders, configFolders } from "../../../ground/project/config-folders.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { readPolicyFile, readSmallText } from "../../../ground/project/small-text.ts";
import { hidePrivate } from "../../../ground/redaction/private.ts";
import { redact } from "../../../ground/redaction/redact.ts";
import type { Event } from "../../kinds/event.ts";
import { MOST_HITS } from "../../store.ts";

/** The most tokens of any bundle. */
export const CEILING = 65_000;

/** The keys of `budgets.yaml`, with their values and defaults: the size of bundles in estimated tokens, and the work for one. @internal */
export const BUDGETS_POLICY = {
  version: 1,
  fields: {
    /** The most that a bundle may take. */
    max_tokens: integer(500, CEILING, CEILING),
    /** The part of the ceiling that bundles leave free. The default is 0, because a caller that gives a size knows the rest of its call. */
    reserve_tokens: integer(0, 60_000, 0),
    /** The most tokens of each section. */
    sections: {
      kind: "section",
      fields: {
        identity: section(1_200),
        rules: section(6_000),
        task_state: section(3_000),
        lessons: section(3_000),
        relevant_decisions: section(2_000),
        retrieved_evidence: section(28_000),
        recent_window: section(12_000),
        tool_state: section(1_000),
      },
    },
    limits: {
      kind: "section",
      fields: {
        /** The most search hits that a bundle is chosen from. */
        chunks: integer(1, MOST_HITS, MOST_HITS),
      },
    },
  },
} as const satisfies PolicySchema;

export type Budgets = PolicyValues<typeof BUDGETS_POLICY>;

export type SectionName = keyof Budgets["sections"];

/** The file's name in messages. */
export const BUDGETS_NAME = contextFolder(CONTEXT_FOLDER).budgetsPolicy;

/** The sections in the order of a bundle. */
export const SECTIONS = Object.keys(
  BUDGETS_POLICY.fields.sections.fields,
) as readonly SectionName[];

/** The most tokens that any request may get. */
export function mostTokens({ max_tokens, reserve_tokens }: Budgets): number {
  return Math.min(max_tokens, CEILING - reserve_tokens);
}

function integer(min: number, max: number, value: number) {
  return { kind: "integer", min, max, default: value } as const;
}

function section(tokens: number) {
  return { kind: "section", fields: { max_tokens: integer(0, CEILING, tokens) } } as const;
}

const SHARED_VIEWS = ["identity", "rules.project", "glossary"] as const;
const ALL_VIEWS = [...SHARED_VIEWS, "preferences"] as const;
type ViewName = (typeof ALL_VIEWS)[number];

/** The keys of `channels.yaml`, with their values and defaults. No value can share secrets. @internal */
export const CHANNELS_POLICY = {
  version: 1,
  fields: {
    private: channel(ALL_VIEWS, ["none", "low", "high"], "high"),
    team: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    agent: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    public: channel(SHARED_VIEWS, ["none", "low"], "low"),
  },
} as const satisfies PolicySchema & { fields: Record<Event["channel"], unknown> };

type Channels = PolicyValues<typeof CHANNELS_POLICY>;

/** The file's name in messages. */
export const CHANNELS_NAME = contextFolder(CONTEXT_FOLDER).channelsPolicy;

/** A channel that loads all its views by default. */
function channel<View extends ViewName, Sensitivity extends string>(
  views: readonly View[],
  sensitivities: readonly Sensitivity[],
  highest: Sensitivity,
) {
  return {
    kind: "section",
    fields: {
      views: { kind: "choices", of: views, default: views },
      max_sensitivity: { kind: "choice", of: sensitivities, default: highest },
    },
  } as const;
}

export interface View {
  readonly name: ViewName;
  /** Without comments, private passages and secrets. */
  readonly text: string;
  /** The file's name in messages. */
  readonly place: string;
}

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

/** Keyed by file name. An empty text counts as missing. */
export type SharedTexts = Map<string, string>;

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

function versionOf(budgets: Budgets, channels: Channels): string {
  const digest = hash("sha256", JSON.stringify([budgets, channels]));
  return `bud${BUDGETS_POLICY.version}-chan${CHANNELS_POLICY.version}-${digest.slice(0, 8)}`;
}

/** The views that a bundle for a channel shows, in the order of its policy. */
export function viewsFor(
  channel: Event["channel"],
  { channels, views }: Pick<Settings, "channels" | "views">,
): View[] {
  return channels[channel].views.flatMap((name) => views.filter((view) => view.name === name));
}

/** Matches a block of code, which stays, or a Markdown comment. Without an end, either runs to the end of the text. */
const CODE_OR_COMMENT =
  /^ {0,3}(`{3,}|~{3,})(?:[\s\S]*?^ {0,3}\1.*$|[\s\S]*)|^ {0,3}<!--(?:[\s\S]*?-->|[\s\S]*)/gm;

/** Reads the existing views. @param own the user's folders. */
async function readViews({ folder, context }: Project, own: ConfigFolders) {
  const shared = SHARED_VIEWS.map((name) => {
    const file = `${name}.md`;
    return readView(
      name,
      join(context.views, file),
      join(contextFolder(CONTEXT_FOLDER).views, file),
      folder,
    );
  });
  const preferences = [own.general, own.ofProject].map((place) => {
    const path = join(place, "preferences.md");
    return readView("preferences", path, path);
  });
  return present(...(await Promise.all([...shared, ...preferences])));
}

/** Undefined if the file doesn't exist. @param folder of the project that shares it. Absent for a user's file. */
async function readView(name: ViewName, path: string, place: string, folder?: string) {
  try {
    const written = await readSmallText(path, folder);
    if (written === undefined) {
      return undefined;
    }
    const { text, secrets } = shown(written);
    const view: View | undefined = text === "" ? undefined : { name, text, place };
    return { place, view, problems: present(secrets > 0 && held(secrets, place)) };
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", "the file cannot be read");
    const problem: PolicyProblem = { file: place, message: `${message}, so it is not shown.`, fix };
    return { place, view: undefined, problems: [problem] };
  }
}

function held(secrets: number, file: string): PolicyProblem {
  const message = `${plural(secrets, "secret")} in it ${secrets === 1 ? "is" : "are"} not shown.`;
  return { file, message, fix: "Remove it from the file, and change it everywhere it's used." };
}

/** The text that a bundle may show. Private tags may be in comments, so they are handled first. */
function shown(written: string): { text: string; secrets: number } {
  const open = hidePrivate(written.replaceAll("\r\n", "\n"), "hides the rest").text;
  const { text, findings } = redact(
    open.replace(CODE_OR_COMMENT, (part, code) => (code ? part : "")),
  );
  return { text: text.trim(), secrets: findings.reduce((sum, { count }) => sum + count, 0) };
}

const AT_THE_DOOR = { consequence: "the file is refused" };
const POLICIES: Readonly<Record<string, PolicySchema>> = {
  "budgets.yaml": { ...BUDGETS_POLICY, ...AT_THE_DOOR },
  "channels.yaml": { ...CHANNELS_POLICY, ...AT_THE_DOOR },
};
const NAMES = [...SHARED_VIEWS.map((name) => `${name}.md`), ...Object.keys(POLICIES)];

/** The views as bundles show them. `readTexts` has already removed comments and private passages. */
function viewsIn(texts: SharedTexts) {
  return SHARED_VIEWS.map((name) => {
    const place = `${name}.md`;
    const text = texts.get(place) ?? "";
    return { place, view: text === "" ? undefined : { name, text, place }, problems: [] };
  });
}

/** Reads files to share. Comments and private passages of views are removed. @throws SentinelError `bad_argument`, `not_found`. */
export async function readTexts(paths: readonly string[]): Promise<SharedTexts> {
  const texts: SharedTexts = new Map();
  for (const path of paths) {
    texts.set(basename(path), await readText(path));
  }
  return texts;
}

async function readText(path: string): Promise<string> {
  const name = SHARED_VIEWS.find((view) => `${view}.md` === basename(path));
  const schema = POLICIES[basename(path)];
  if (!name && !schema) {
    throw new SentinelError(
      "bad_argument",
      `${path} is neither a view nor a policy.`,
      `Name it ${NAMES.join(", ")} or memory_log.jsonl.`,
    );
  }
  const text = await mustReadText(path);
  const view = name && (await readView(name, path, path));
  const policy = schema && (await readPolicyFile(path, schema));
  mustBeFaultless(path, (policy ?? view)?.problems ?? []);
  return schema ? text : (view?.view?.text ?? "");
}

/** @throws SentinelError `not_found` */
export async function mustReadText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes) {
    return bytes.toString("utf8");
  }
  throw new SentinelError("not_found", `There is no file ${path}.`, "Give the path of a file.");
}
