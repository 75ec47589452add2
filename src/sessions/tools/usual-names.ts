/** Accepts other memories' names, so clients written for them work. Pure. */
import { isObject } from "../../ground/core/collections.ts";

/** Our name of an argument, by another memory's. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  query_text: "query",
  session_id: "session",
  budget_tokens: "max_tokens",
};

export type Named = Readonly<Record<string, unknown>>;

/** Renames arguments to ours if there is a match. @param known our names. */
export function withOurNames(given: Named, known: readonly string[]): Named {
  const ours = (name: string): string => {
    const ourName = OUR_NAMES[name];
    const isFree = ourName !== undefined && known.includes(ourName) && given[ourName] === undefined;
    return isFree ? ourName : name;
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [ours(name), value]));
}

/** Normalizes the arguments of `record_event`: an actor may be an object with a type, and the sensitivity "none" is dropped. */
export function statementArguments({ actor, sensitivity, ...others }: Named): Named {
  const type = isObject(actor) ? actor.type : actor;
  // The actor of a tool_result is always its tool.
  const speaker = type === "tool" ? undefined : type;
  return {
    ...others,
    actor: speaker,
    sensitivity: sensitivity === "none" ? undefined : sensitivity,
  };
}

/** Returns the content with our field names. */
export function statedContent(kind: string, content: Named): Named {
  const cited = withCitedIds(content);
  if (kind !== "tool_result" || cited.excerpt_text === undefined) {
    return cited;
  }
  const { excerpt_text, artifact_id: _, text = excerpt_text, ...others } = cited;
  return { ...others, text };
}

/** Replaces `{chunk_id, label}` citations with their ids and keeps all others. */
export function withCitedIds<C extends Named>(content: C): C {
  const { citations } = content;
  if (!Array.isArray(citations)) {
    return content;
  }
  return { ...content, citations: citations.map(idOfCitation) };
}

const idOfCitation = (one: unknown): unknown =>
  isObject(one) && typeof one.chunk_id === "string" ? one.chunk_id : one;
