/** Checks for lessons that need a decision, and checks the digest. */
import { plural } from "../../ground/core/text.ts";
import { defaultBranch } from "../../ground/project/git.ts";
import { leftOutOfSources } from "../../lessons/history/difference.ts";
import { goneNames, namesGone } from "../../lessons/history/gone-names.ts";
import { knownVersions, lastTexts } from "../../lessons/history/known-versions.ts";
import { returnedSources } from "../../lessons/history/returned-sources.ts";
import { carriesDigest } from "../../lessons/hooks/digested.ts";
import { agreedOn, digestible } from "../digest/digest.ts";
import { examineDigest } from "../digest/digest-edits.ts";
import { broken, type Context, type Finding, note } from "./finding.ts";
import { memoryName, readableMemory } from "./memory.ts";

/** Finds lessons that mention missing files, principles that left something out, and lessons that an old branch brought back. */
export async function checkLessons(context: Context): Promise<Finding[]> {
  const { project, lessons } = context;
  const snapshot = await readableMemory(context);
  if (!snapshot) return [];
  const found: Finding[] = [];
  const shown = snapshot.lessons().map(({ version }) => version);
  for (const [id, names] of await goneNames(shown, project.folder))
    found.push(note("aged", `${short(id)} ${namesGone(names)}`, "sentinel-memory review"));

  const known = await knownVersions(lessons.location, snapshot, await lessons.removed());
  for (const { id, leftOut } of leftOutOfSources(snapshot, lastTexts(known))) {
    const fix = `edit it, or bring the sources back: sentinel-memory restore ${short(id)}`;
    found.push(note("left_out", `${short(id)} leaves out of its sources: ${leftOut}`, fix));
  }
  for (const { principle, sources } of returnedSources(snapshot, known)) {
    const ids = sources.map(short);
    const what = `${short(principle)} was made from ${ids.join(", ")}, which an old branch brought back. A principle hides its sources for 180 days only.`;
    const fix = `If the principle still covers them: sentinel-memory forget ${ids.join(" ")}. Otherwise keep them.`;
    found.push(note("returned", what, fix));
  }
  const file = memoryName(context);
  return found.map((finding) => ({ ...finding, file }));
}

const short = (id: string): string => id.slice(0, 8);

/** Checks the digest, if it's on. Agents follow it as instructions, so it may only contain lessons that the team agreed on. */
export async function checkDigest({ project, lessons, files }: Context): Promise<Finding[]> {
  if (!carriesDigest(project.folder)) return [];
  const found: Finding[] = [];
  const agreed = (await defaultBranch(project.folder)) ?? "HEAD";
  const current = await digestible(project, await lessons.read(), agreed);
  const differing = examineDigest(current, await agreedOn(project, agreed), files);
  for (const { path, foreign } of differing) {
    const finding = foreign.length === 0 ? BEHIND : differs(foreign);
    found.push({ ...finding, file: path });
  }
  return found;
}

const UPDATE_DIGEST = "sentinel-memory digest";
const BEHIND = note("digest_behind", "The digest differs from the memory.", UPDATE_DIGEST);

function differs(foreign: readonly string[]): Finding {
  const what = `The digest has ${plural(foreign.length, "line")} that no lesson of the default branch contains: ${foreign[0]?.slice(0, 80)}`;
  return broken("digest_differs", what, UPDATE_DIGEST);
}
