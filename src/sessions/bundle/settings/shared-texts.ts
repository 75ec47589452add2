/** The views and policies that a daemon keeps for a tenant, for use without a clone of the project. */
import { basename } from "node:path";
import { SentinelError } from "../../../ground/core/errors.ts";
import { mustBeFaultless, type PolicySchema } from "../../../ground/core/policy.ts";
import { readBytes } from "../../../ground/files/read-files.ts";
import { readPolicyFile } from "../../../ground/project/small-text.ts";
import { BUDGETS_POLICY, CHANNELS_POLICY, SHARED_VIEWS } from "./policies.ts";
import { readView } from "./views.ts";

/** Keyed by file name. An empty text counts as missing. */
export type SharedTexts = Map<string, string>;

const AT_THE_DOOR = { consequence: "the file is refused" };
const POLICIES: Readonly<Record<string, PolicySchema>> = {
  "budgets.yaml": { ...BUDGETS_POLICY, ...AT_THE_DOOR },
  "channels.yaml": { ...CHANNELS_POLICY, ...AT_THE_DOOR },
};
const NAMES = [...SHARED_VIEWS.map((name) => `${name}.md`), ...Object.keys(POLICIES)];

/** The views as bundles show them. `readTexts` has already removed comments and private passages. */
export function viewsIn(texts: SharedTexts) {
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
