/** Accepts other memories' names, so clients written for them work. Pure. */
import type { Content, Json } from "../kinds/event.ts";

/** Other memories' names for our arguments. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  query_text: "query",
  session_id: "session",
  budget_tokens: "max_tokens",
};

export type Named = Readonly<Record<string, unknown>>;

export const isNamed = (value: unknown): value is Named =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Renames arguments to ours if there is a match. @param known our names. */
export function withOurNames(given: Named, known: readonly string[]): Named {
  const ours = (name: string): string => {
    const other = ARGUMENTS[name];
    return other !== undefined && known.includes(other) && given[other] === undefined
      ? other
      : name;
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [ours(name), value]));
}

/** Normalizes the arguments of `record_event`: an actor may be an object with a type, and the sensitivity "none" is dropped. */
export function statementArguments({ actor, sensitivity, ...others }: Named): Named {
  const type = isNamed(actor) ? actor.type : actor;
  // The actor of a tool_result is always its tool.
  const speaker = type === "tool" ? undefined : type;
  return {
    ...others,
    actor: speaker,
    sensitivity: sensitivity === "none" ? undefined : sensitivity,
  };
}

const LABELS = "The labels of citations are not stored.";
const THEIR_ARTIFACT =
  "artifact_id was left out: the session log stores what is cut from a text itself.";

/** The content with our field names, and notes on dropped fields. */
export function statedContent(kind: string, content: Named): { content: Named; notes: string[] } {
  const { citations, isLabelled } = citedIds(content.citations as Json | undefined);
  const cited = citations === undefined ? content : { ...content, citations };
  const notes = isLabelled ? [LABELS] : [];
  if (kind !== "tool_result" || cited.excerpt_text === undefined) return { content: cited, notes };
  const { excerpt_text, artifact_id, text = excerpt_text, ...others } = cited;
  return {
    content: { ...others, text },
    notes: artifact_id === undefined ? notes : [...notes, THEIR_ARTIFACT],
  };
}

/** The content of a draft. Its citations may be objects with chunk ids. */
export function draftedContent(content: Content): { content: Content; notes: string[] } {
  const { citations, isLabelled } = citedIds(content.citations);
  if (citations === undefined) return { content, notes: [] };
  return { content: { ...content, citations }, notes: isLabelled ? [LABELS] : [] };
}

/** Replaces `{chunk_id, label}` items with their ids and keeps all others. */
function citedIds(citations: Json | undefined): {
  citations: Json | undefined;
  isLabelled: boolean;
} {
  if (!Array.isArray(citations)) return { citations, isLabelled: false };
  const all: readonly Json[] = citations;
  const labels = all.filter(
    (one) => isNamed(one) && typeof one.chunk_id === "string" && one.label !== undefined,
  );
  return { citations: all.map(idOfCitation), isLabelled: labels.length > 0 };
}

const idOfCitation = (one: Json): Json =>
  isNamed(one) && typeof one.chunk_id === "string" ? one.chunk_id : one;
