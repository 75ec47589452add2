/** Formats a bundle for a model: sections in the fence of notes, and the omissions. Pure. */
import { fenced, grouped, oneLine, plural, present } from "../../ground/core/text.ts";
import { quoted, shortSession } from "../answers/render.ts";
import type { Bundle, BundleSection, GivenBundle, Omission } from "./bundle.ts";
import type { ConflictFlag } from "./conflicts.ts";

const TERMS = 80;
const MOST_ARTIFACTS = 5;

const HEADINGS = {
  identity: "identity",
  rules: "rules and preferences",
  task_state: "task",
  lessons: "lessons",
  relevant_decisions: "decisions",
  retrieved_evidence: "from the session log",
  recent_window: "last in this session, the newest first",
  tool_state: "commands and files",
} as const;

/** Enough digits of a bundle's id to look it up. */
const ID_CHARACTERS = 10;

export function bundleText({
  acb_id,
  sections,
  omissions,
  provenance,
}: Omit<Bundle, "budget_tokens" | "token_used_est">): string {
  const { intent, session, query_terms, conflict_flags } = provenance;
  const terms = query_terms.length === 0 ? "" : `: ${quoted(query_terms.join(" "), TERMS)}`;
  const isRule = ({ name }: BundleSection) => isOfRules({ section: name });
  const blocks = sections.filter((section) => !isRule(section)).map(sectionText);
  // An empty session log has no session and no id to look up, so neither is shown.
  const isEmpty = session === "" && sections.length === 0;
  const isLeftOut = omissions.some(
    (omission) => omission.reason === "budget" && !isOfRules(omission),
  );
  const none = isLeftOut
    ? "What is recorded has no room here."
    : "Nothing is recorded that helps with this.";
  const about = session === "" ? "" : `, session ${shortSession(session)}`;
  return present(
    !isEmpty && `Bundle ${acb_id.slice(0, ID_CHARACTERS)}${about}, intent ${intent}${terms}.`,
    ...sections.filter(isRule).map(sectionText),
    blocks.length > 0 ? fenced(blocks) : none,
    ...conflict_flags.map(conflictLine),
    ...omissionLines(omissions),
  ).join("\n");
}

export function sectionText({ name, items }: Pick<BundleSection, "name" | "items">): string {
  return [`== ${HEADINGS[name]} ==`, ...items.map(({ text }) => text)].join("\n");
}

/** Formats the record of a bundle: the query, and the ids in each section. */
export function givenText({ at, query, sections, ...given }: GivenBundle): string {
  const tokens = `${grouped(given.token_used_est)} of ${grouped(given.budget_tokens)} tokens`;
  const sectionsOfRefs = sections.map((section) => ({
    ...section,
    items: section.items.map((item) => ({ ...item, text: item.refs.map(oneLine).join(" ") })),
  }));
  return [
    `${given.acb_id}, ${at.slice(0, 16)}, ${given.provenance.filters.channel}, ${tokens}`,
    `query: ${oneLine(query)}`,
    bundleText({ ...given, sections: sectionsOfRefs }),
  ].join("\n");
}

function conflictLine({ summary, says, event, against }: ConflictFlag): string {
  return `Conflict: a summary (${summary}) says ${quoted(says, TERMS)}, and ${event} says ${quoted(against, TERMS)}, which counts.`;
}

/** Whether the section contains rules that people wrote for every agent here. Other sections quote messages and output. */
const isOfRules = ({ section }: Pick<Omission, "section">): boolean =>
  section === "identity" || section === "rules";

function omissionLines(omissions: readonly Omission[]): string[] {
  const count = (reason: Omission["reason"]) =>
    omissions
      .filter((omission) => omission.reason === reason)
      .reduce((sum, each) => sum + each.count, 0);
  const parts = [
    [count("budget"), "without room"],
    [count("duplicate"), "said already"],
    [count("weak_match"), "that hardly match"],
    [count("contradicted"), "contradicted by an event"],
    [count("no_refs"), "said by a summary alone"],
    [count("superseded"), "superseded"],
    [count("privacy"), "not for this channel"],
  ] as const;
  const left = parts.filter(([number]) => number > 0).map(([number, why]) => `${number} ${why}`);
  const artifacts = [...new Set(omissions.flatMap(({ artifact_id }) => artifact_id ?? []))];
  const notIndexed = omissions.filter(({ reason }) => reason === "not_indexed_yet");
  const unavailableSections = omissions.flatMap(({ reason, section }) =>
    reason === "not_here" && section ? [HEADINGS[section]] : [],
  );
  return present(
    left.length > 0 && `Left out: ${left.join(", ")}.`,
    artifacts.length > 0 &&
      `Shown in part; get_artifact has ${plural(artifacts.length, "whole output")}: ${artifacts.slice(0, MOST_ARTIFACTS).join(", ")}.`,
    ...notIndexed.map(({ note }) => `Not searched yet: ${note}.`),
    unavailableSections.length > 0 &&
      `Missing, because the daemon doesn't have it: ${unavailableSections.join(", ")}.`,
  );
}
