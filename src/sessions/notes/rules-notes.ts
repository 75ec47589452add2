/** What the project says to its agents, and why it decided as it did. */
import type { NoteText } from "./note.ts";
import { rulesIn } from "./texts-of.ts";

const RULES =
  /(?:^|\/)(?:CLAUDE|AGENTS)\.md$|^\.cursorrules$|(?:^|\/)\.cursor\/rules\/.*\.mdc?$|^\.claude\/rules\/.*\.md$|^\.github\/(?:copilot-instructions|instructions\/.*\.instructions)\.md$/;
const DECISION = /(?:^|\/)(?:adrs?|decisions|decision-records?)\/[^/]*\d[^/]*\.md$/i;
const NOT_IN_FORCE =
  /^(?:#+\s*)?(?:\*\*)?status(?:\*\*)?:?(?:\*\*)?\s*\n*\s*(?:-\s*)?(?:\*\*)?(?:superseded|rejected|deprecated|proposed)/im;

/** @param folder the project's. @param files of it, which git sees. */
export async function rulesNotes(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const ours = files.filter((file) => !file.includes("node_modules/"));
  const rules = ours.filter((file) => RULES.test(file));
  const decisions = ours.filter((file) => DECISION.test(file));
  return [...(await rulesIn(folder, rules)), ...(await rulesIn(folder, decisions)).flatMap(inForce)];
}

/** Only what was decided, not what was weighed. */
function inForce(decision: NoteText): NoteText[] {
  if (NOT_IN_FORCE.test(decision.text)) return [];
  let isDecided = false;
  const lines = decision.text.split("\n").map((line, at) => {
    if (/^#/.test(line))
      isDecided = /decision|decided|consequence/i.test(line) && !/driver|options/i.test(line) && at > 0;
    return isDecided || /^# /.test(line) ? line : "";
  });
  return [{ ...decision, text: lines.join("\n") }];
}
