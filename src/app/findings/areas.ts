/** The areas of a project, each with its check. `doctor` shows all of them. `check`, `config` and `sessions status` show some. */
import { problemOf } from "../../ground/core/errors.ts";
import { ProjectFiles } from "../setup/project-files.ts";
import { checkCursorFiles } from "./cursor-files.ts";
import { type Check, type Context, type Finding, ok } from "./finding.ts";
import { checkRepository, checkSharing } from "./git.ts";
import { checkHooks } from "./hooks.ts";
import {
  checkCheckout,
  checkDigest,
  checkLessons,
  checkMemory,
  checkSize,
  checkWritable,
} from "./memory.ts";
import { checkServers } from "./servers.ts";
import { checkSessionLog } from "./session-log.ts";
import { checkCopy, checkInitFiles, checkNode, checkPackage } from "./set-up.ts";
import { checkLimits, checkPrivacy, checkSettings } from "./settings.ts";

/** The checks, in the order that doctor shows them. */
const CHECKS = {
  node: checkNode,
  project: ({ project }) => [ok("project", `Project ${project.folder}: ${project.how}`)],
  checkout: checkCheckout,
  package: checkPackage,
  "server copy": checkCopy,
  servers: checkServers,
  "set-up": checkInitFiles,
  hooks: checkHooks,
  "Cursor files": checkCursorFiles,
  memory: checkMemory,
  "memory size": checkSize,
  "memory access": checkWritable,
  lessons: checkLessons,
  digest: checkDigest,
  settings: checkSettings,
  privacy: checkPrivacy,
  "session log limits": checkLimits,
  repository: checkRepository,
  sharing: checkSharing,
  "session log": checkSessionLog,
} as const satisfies Record<string, Check>;

export type Area = keyof typeof CHECKS;

/** A finding with its area. */
export interface FindingInArea extends Finding {
  readonly area: Area;
}

export const AREAS = Object.keys(CHECKS) as readonly Area[];

/** Checks some areas, in the order given. If an area can't be examined, that is a finding too. */
export async function findingsIn(
  areas: readonly Area[],
  context: Omit<Context, "files">,
): Promise<FindingInArea[]> {
  const examined = { ...context, files: new ProjectFiles(context.project.folder) };
  const found: FindingInArea[] = [];
  for (const area of areas) {
    const findings = await examine(CHECKS[area], examined);
    found.push(...findings.map((finding) => ({ ...finding, area })));
  }
  return found;
}

async function examine(check: Check, context: Context): Promise<Finding[]> {
  try {
    return await check(context);
  } catch (error) {
    const { code, what, fix } = problemOf(error);
    return [{ id: code, level: "broken", what, fix }];
  }
}
