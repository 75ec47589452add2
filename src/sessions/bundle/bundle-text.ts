/** Formats a bundle for a model: sections in the fence of notes, and the omissions. Pure. */
import { fenced, grouped, oneLine, plural, present } from "../../ground/core/text.ts";
import { quoted, shortSession } from "../answers/render.ts";
import type { Bundle, BundleSection, GivenBundle, Omission } from "./bundle.ts";
import type { ConflictFlag } from "./claims/conflicts.ts";

const TERMS = 80;
const MOST_ARTIFACTS = 5;
const MOST_NEAR = 3;

const HEADINGS = {
  identity: "identity",
  rules: "rules and preferences",
  task_state: "task",
  lessons: "lessons",
  relevant_decisions: "decisions",
  retrieved_evidence: "from the session log",
  recent_window: "last in this session, the oldest first",
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
  const isNear = omissions.some(({ reason }) => reason === "weak_match");
  const nothing = isNear
    ? "Nothing that is recorded clearly matches this"
    : "Nothing is recorded that helps with this";
  const none = `${isLeftOut ? "What is recorded has no room here" : nothing}.`;
  const about = session === "" ? "" : `, session ${shortSession(session)}`;
  return present(
    !isEmpty && `Bundle ${acb_id.slice(0, ID_CHARACTERS)}${about}, intent ${intent}${terms}.`,
    ...sections.filter(isRule).map(sectionText),
    blocks.length > 0 ? fenced(blocks) : none,
    ...conflict_flags.map(conflictLine),
    ...omissionLines(omissions),
    !sections.some(({ name }) => name === "lessons") && nearLine(omissions),
  ).join("\n");
}

export const sectionText = ({ name, items }: BundleSection): string =>
  [`== ${HEADINGS[name]} ==`, ...items.map(({ text }) => text)].join("\n");

/** Formats the record of a bundle: the query, and the ids in each section. */
export function givenText({
  acb_id,
  at,
  query,
  sections,
  omissions,
  ...given
}: GivenBundle): string {
  const { session, intent, filters } = given.provenance;
  const tokens = `${grouped(given.token_used_est)} of ${grouped(given.budget_tokens)} tokens`;
  const head = [
    at.slice(0, 16),
    `session ${shortSession(session)}`,
    filters.channel,
    intent,
    tokens,
  ];
  const shown = sections.map(({ name, items }) => {
    const refs = items.map((item) => item.refs.map(oneLine).join(" "));
    return [`== ${HEADINGS[name]} ==`, ...refs].join("\n");
  });
  const left = omissions.map(({ reason, section, count, candidates }) => {
    const where = section === undefined ? "" : ` in ${HEADINGS[section]}`;
    return `${count} ${reason.replaceAll("_", " ")}${where}: ${candidates.map(oneLine).join(" ")}`;
  });
  return present(
    `${acb_id}, ${head.join(", ")}`,
    `query: ${oneLine(query)}`,
    ...shown,
    left.length > 0 && "== left out ==",
    ...left,
  ).join("\n");
}

/** A line about lessons that a search would show, although none clearly matches. */
function nearLine(omissions: readonly Omission[]): string | undefined {
  const near = omissions.find(
    ({ reason, section }) => reason === "weak_match" && section === "lessons",
  );
  if (near === undefined) return undefined;
  const names = near.candidates.slice(0, MOST_NEAR).map((ref) => ref.replace("lesson:", ""));
  return `Lessons that hardly match, for search_memory: ${names.join(", ")}${near.count > names.length ? ", …" : ""}.`;
}

function conflictLine({ summary, says, event, against }: ConflictFlag): string {
  return `Conflict: a summary (${summary}) says ${quoted(says, TERMS)}, and ${event} says ${quoted(against, TERMS)}, which counts.`;
}

/** Whether the section contains rules that people wrote for every agent here. Other sections quote messages and output. */
const isOfRules = ({ section }: Pick<Omission, "section">): boolean =>
  section === "identity" || section === "rules";

function omissionLines(omissions: readonly Omission[]): string[] {
  const count = (reason: Omission["reason"], is = (_: Omission) => true) =>
    omissions
      .filter((omission) => omission.reason === reason && is(omission))
      .reduce((sum, each) => sum + each.count, 0);
  const parts = [
    [count("budget", isOfRules), "lines of the rules without room"],
    [count("budget", (omission) => !isOfRules(omission)), "without room"],
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
