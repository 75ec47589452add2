/** The user's limits for a session log, from `record.yaml` for this project or for all. Team settings can't change them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import {
  type PolicyProblem,
  type PolicySchema,
  type PolicyValues,
  parseDocument,
  placedMessage,
} from "../../ground/core/policy.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { configFolders } from "../../ground/project/config-folders.ts";
import { readPolicyFile } from "../../ground/project/small-text.ts";
import type { RetentionLimits } from "../store.ts";

const NAME = "record.yaml";
const MEGABYTE = 1_000_000;
const MOST_DAYS = 36_500;

const SCHEMA = {
  version: 1,
  // A typo in a larger limit must not fall back to the smaller default.
  consequence: "nothing is dropped",
  fields: {
    /** Older events are removed. 0 keeps all. */
    events_days: { kind: "integer", min: 0, max: MOST_DAYS, default: 0 },
    /** Artifacts that no event has used for this long are removed. */
    artifacts_days: { kind: "integer", min: 1, max: MOST_DAYS, default: 90 },
    /** The oldest artifacts are removed to stay below this size on disk. */
    artifacts_mb: { kind: "integer", min: 1, max: 10_000_000, default: 1_000 },
    /** The words of a command that extracts lessons from a session (docs/review.md). None by default. */
    extractor: { kind: "placed texts" },
    extractor_runs_a_day: { kind: "integer", min: 1, max: 1_000, default: 5 },
    extractor_tokens_a_day: { kind: "integer", min: 1_000, max: 100_000_000, default: 100_000 },
  },
} as const satisfies PolicySchema;

/** The user's file for a project. */
export const limitsFile = (projectFolder: string): string =>
  join(configFolders(projectFolder).ofProject, NAME);

/** The settings of a session log, and the problems in their files. */
export interface LogLimits {
  /** The files that exist. */
  readonly files: readonly string[];
  readonly problems: readonly PolicyProblem[];
  /** The retention limits. Undefined if a file is invalid, so nothing is removed. */
  readonly limits: RetentionLimits | undefined;
  readonly extractor: Extractor | undefined;
}

/** The user's command that extracts lessons from a session, and its daily limits. */
export interface Extractor {
  readonly command: readonly string[];
  readonly runsADay: number;
  readonly tokensADay: number;
}

export async function readLogLimits(projectFolder: string): Promise<LogLimits> {
  const own = configFolders(projectFolder);
  const paths = [join(own.general, NAME), join(own.ofProject, NAME)] as const;
  const general = await readPolicyFile(paths[0], SCHEMA);
  const ofProject = await readPolicyFile(paths[1], withDefaults(general.values));
  const problems = [...general.problems, ...ofProject.problems];
  const files = paths.filter((path) => existsSync(path));
  if (problems.length > 0) {
    return { files, problems, limits: undefined, extractor: undefined };
  }
  return {
    files,
    problems,
    limits: limitsOf(ofProject.values),
    extractor: extractorOf(ofProject.values, general.values),
  };
}

type Values = PolicyValues<typeof SCHEMA>;

/** The schema of the project's file, with the general file's values as defaults. */
function withDefaults(values: Values): PolicySchema & { fields: typeof SCHEMA.fields } {
  const fields = Object.entries(SCHEMA.fields).map(([key, field]) => {
    return [key, { ...field, default: values[key as keyof Values] }];
  });
  return { ...SCHEMA, fields: Object.fromEntries(fields) };
}

/** The project's command, or the general one. Undefined if neither is set. */
function extractorOf(ofProject: Values, general: Values): Extractor | undefined {
  const { extractor, extractor_runs_a_day, extractor_tokens_a_day } = ofProject;
  const words = extractor.length > 0 ? extractor : general.extractor;
  if (words.length === 0) {
    return undefined;
  }
  return {
    command: words.map(({ text }) => text),
    runsADay: extractor_runs_a_day,
    tokensADay: extractor_tokens_a_day,
  };
}

function limitsOf({ events_days, artifacts_days, artifacts_mb }: Values): RetentionLimits {
  const artifacts = { artifactsDays: artifacts_days, artifactsBytes: artifacts_mb * MEGABYTE };
  return events_days === 0 ? artifacts : { eventsDays: events_days, ...artifacts };
}

/** Parses a number of days. 0 keeps all events. @throws SentinelError `bad_argument`. */
export function daysIn(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (days <= MOST_DAYS) {
    return days;
  }
  const fix = `Give a whole number from 1 to ${MOST_DAYS}, or 0 to keep all events.`;
  throw new SentinelError("bad_argument", `"${text}" is not a number of days.`, fix);
}

/** Sets the days in the project's `record.yaml`. Other settings and comments stay. @throws SentinelError `bad_argument` for an invalid file. */
export async function keepEventsFor(projectFolder: string, days: number): Promise<void> {
  await mustBeUsable(projectFolder);
  await changeUserFile(limitsFile(projectFolder), (text = "") => {
    const settings = parseDocument(text);
    if (!settings.has("version")) {
      settings.set("version", SCHEMA.version);
    }
    settings.set("events_days", days);
    return settings.toString({ lineWidth: 0, flowCollectionPadding: false });
  });
}

async function mustBeUsable(projectFolder: string): Promise<void> {
  const { limits, problems } = await readLogLimits(projectFolder);
  const [first] = problems;
  if (!limits && first) {
    throw new SentinelError("bad_argument", placedMessage(first), first.fix);
  }
}
