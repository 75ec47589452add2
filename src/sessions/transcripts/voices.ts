/** The speaker of a message with the user's role. Clients also use that role for texts of other agents, hooks and their own. */
import { type Part, unknownPart } from "./json-lines.ts";
import { type ImageNote, VOICES, type Voice } from "./transcript.ts";

export interface VoicedText {
  readonly text: string;
  readonly voice: Voice;
}

/** The type of a message without a known speaker, among those that a reader does not understand. */
export const UNKNOWN_SPEAKER = "unknown speaker";

const OPENING_TAG = /\s*<([a-z][\w.:-]*)(?:\/|\s[^<>]*)?>/iy;
/** Clients name their elements in snake_case or kebab-case. Plain words come from HTML, XML or code that a user pasted. */
const OF_PROGRAM = /^(?!private-session$)[a-z][a-z\d]*(?:[_-][a-z\d]+)+$/;

/** The voice of a text without a source. */
export const voiceOfText = (text: string): Voice =>
  isOnlyElements(text, (name) => OF_PROGRAM.test(name)) ? "unknown" : "user";

/** Whether a text consists only of elements with such names. */
export function isOnlyElements(text: string, isWanted: (name: string) => boolean): boolean {
  const { names, rest } = leadingElements(text, isWanted);
  return names.length > 0 && rest === "";
}

/** The names of the wanted elements at the beginning of a text, and the rest of it. */
export function leadingElements(text: string, isWanted = (_name: string): boolean => true) {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    OPENING_TAG.lastIndex = at;
    const [tag = "", name] = OPENING_TAG.exec(text) ?? [];
    const end =
      name !== undefined && isWanted(name)
        ? endOfElement(text, at + tag.length, tag, name)
        : undefined;
    if (name === undefined || end === undefined) return { names, rest: text.slice(at).trim() };
    names.push(name);
    at = end;
  }
}

/** The end of an element. Undefined if nothing closes it. @param from the end of its opening tag. */
function endOfElement(text: string, from: number, tag: string, name: string): number | undefined {
  if (tag.endsWith("/>")) return from;
  const closing = new RegExp(`</${name.replaceAll(".", "\\.")}(?:\\s[^<>]*)?>`, "gi");
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : undefined;
}

/** A request for each voice, the user's first, and a note if one is unknown. */
export function requestsOf(
  texts: readonly VoicedText[],
  images: readonly ImageNote[] = [],
): Part[] {
  const voices = VOICES.filter((voice) => texts.some((one) => one.voice === voice));
  if (voices.length === 0 && images.length > 0) return [{ kind: "request", text: "", images }];
  const requests = voices.map((voice, index): Part => {
    const own = texts.filter((one) => one.voice === voice).map(({ text }) => text);
    const request = {
      kind: "request",
      text: own.join("\n"),
      images: index === 0 ? images : [],
    } as const;
    return voice === "user" ? request : { ...request, voice };
  });
  return voices.includes("unknown") ? [...requests, unknownPart(UNKNOWN_SPEAKER)] : requests;
}
