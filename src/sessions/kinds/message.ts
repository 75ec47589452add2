/** A message from a person, an agent or another program. */
import { eventKind, isOfChildAgent, isQuoted, type Slot, shortened, type Told } from "./kind.ts";
import { isCommandAlone, isRealRequest } from "./texts/requests.ts";

const QUESTION = 300;
/** Quotes, brackets and emphasis may follow the mark. */
const ASKS = /[?？]["'”’)*_`\]]*$/;
const SENTENCE = /(?<=[.!?。？！]["'”’)*_`\]]*)\s+|\n+/;
/** The number of requests per session that are kept for the time after a compaction. */
const REQUESTS = 5;

export const message = eventKind({
  name: "message",
  fields: {
    text: "text",
    interrupted: "flag",
    images: "json",
    /** The speaker's sources. */
    citations: "texts",
    /** From 0 to 1. */
    confidence: "number",
    /** Only in briefs: the question at the end of a long message. */
    question: "text",
  },
  form: { name: "A message", needs: ["text"], may: ["citations", "confidence"] },
  searched: ["text"],
  brief(event) {
    if (isOfChildAgent(event) || event.actor.type === "tool") {
      return undefined;
    }
    const { actor, content } = event;
    const isAgentsOwn = actor.type === "agent" && !isQuoted(content);
    const question = isAgentsOwn ? lastQuestion(content.text ?? "", QUESTION) : undefined;
    return {
      ...shortened(content, { text: 700, quotes: 40, interrupted: "flag" }),
      ...shortened({ question }, { question: QUESTION }),
    };
  },
  slots({ id, actor, content }): readonly Slot[] {
    if (!isOfPerson({ actor, content })) {
      return [{ list: "reply", name: "", most: 1 }];
    }
    if (content.interrupted === true) {
      return [{ list: "stop", name: "", most: 1 }];
    }
    return [{ list: sortOf(content.text ?? ""), name: id, most: REQUESTS }];
  },
  windowTokens: 300,
  importance: 0.3,
});

function sortOf(request: string): string {
  if (isCommandAlone(request)) {
    return "client's command";
  }
  return isRealRequest(request) ? "request" : "short";
}

type Speaking = Pick<Told<Record<never, never>>, "actor" | "content">;

/** Whether it's from a person, or an agent's quote of one. */
export function isFromPerson({ kind, ...event }: Speaking & { readonly kind: string }): boolean {
  return kind === message.name && isOfPerson(event);
}

/** Whether it's from neither the user nor an agent of this session. The actor's id is the voice, such as `peer`. */
export const isOfOtherVoice = ({
  kind,
  actor,
}: Pick<Speaking, "actor"> & { readonly kind: string }): boolean =>
  kind === message.name && actor.type === "tool";

const VOICES: ReadonlyMap<string, string> = new Map([
  ["peer", "another agent"],
  ["client", "client"],
  ["unknown", "unknown speaker"],
]);

/** The voice's name for display. @param id of the actor. A daemon's clients choose it, so it may be unknown. */
export const voiceName = (id: string): string => VOICES.get(id) ?? "another program";

const isOfPerson = ({ actor, content }: Speaking): boolean =>
  actor.type === "human" || isQuoted(content);

/**
 * The question at the end of a text, with the sentence before it if both fit into `most` characters. Undefined if the text doesn't end with
 * one. @internal
 */
export function lastQuestion(text: string, most: number): string | undefined {
  const sentences = text.trim().split(SENTENCE);
  const question = sentences.at(-1) ?? "";
  if (!ASKS.test(question)) {
    return undefined;
  }
  const before = sentences.at(-2);
  const both = before === undefined ? question : `${before} ${question}`;
  return both.length <= most ? both : question;
}
