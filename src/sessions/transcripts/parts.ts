/** Parts of a message, for the readers of all clients: replies, requests with their speakers, images, and blocks that programs add. */
import { hash } from "node:crypto";
import { fieldsOf, textOf } from "./fields.ts";
import { type ImageNote, type Part, type Spoken, VOICES, type Voice } from "./transcript.ts";

export const unknownPart = (type: string): Part => ({ kind: "unknown", type });

/** Empty for a blank reply. */
export function replyOf(text: unknown): Part[] {
  const said = (textOf(text) ?? "").trim();
  return said === "" ? [] : [{ kind: "reply", text: said }];
}

/** Undefined for a call without an id or a name. */
export function callOf(id: unknown, name: unknown, input: unknown) {
  const call = textOf(id);
  const tool = textOf(name);
  if (call === undefined || tool === undefined) {
    return undefined;
  }
  return { kind: "call", call, tool, input: fieldsOf(input) } as const;
}

/** A compaction, and the agent's own account of what happened so far. */
export const summaryParts = (text: string): Part[] => [
  { kind: "compaction" },
  { kind: "summary", text },
];

/** A request of the user. */
export const requestOf = (text: string): Part => ({
  kind: "request",
  text,
  voice: "user",
  images: [],
});

/** The type of a message without a known speaker, among those that a reader does not understand. */
export const UNKNOWN_SPEAKER = "unknown speaker";

const ELEMENT = /\s*<([a-z][\w.:-]*)(?:\s[^<>]*?)?(?:\/>|>[\s\S]*?<\/\1(?:\s[^<>]*)?>)/iy;
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
export function leadingElements(text: string, isWanted: (name: string) => boolean) {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    ELEMENT.lastIndex = at;
    const [element = "", name] = ELEMENT.exec(text) ?? [];
    if (name === undefined || !isWanted(name)) {
      return { names, rest: text.slice(at).trim() };
    }
    names.push(name);
    at += element.length;
  }
}

/** A request for each voice, the user's first, and a note if one is unknown. The first one has the images. */
export function requestsOf(texts: readonly Spoken[], images: readonly ImageNote[] = []): Part[] {
  const voices = VOICES.filter((voice) => texts.some((one) => one.voice === voice));
  if (voices.length === 0 && images.length > 0) {
    return [{ kind: "request", text: "", voice: "user", images }];
  }
  const requests = voices.map((voice, index): Part => {
    const own = texts.filter((one) => one.voice === voice).map(({ text }) => text);
    return { kind: "request", text: own.join("\n"), voice, images: index === 0 ? images : [] };
  });
  return voices.includes("unknown") ? [...requests, unknownPart(UNKNOWN_SPEAKER)] : requests;
}

/** A request of a client that adds texts and doesn't give the speaker. Empty without any. */
export function requestIn(typed: readonly string[], images: readonly ImageNote[] = []): Part[] {
  const text = typed.map(withoutInjected).join("\n").trim();
  return requestsOf(text === "" ? [] : [{ text, voice: voiceOfText(text) }], images);
}

const DATA_URL = /^data:([^;,]*)[^,]*,([\s\S]*)$/;

export function noteOfImage(type: string | undefined, base64: string): ImageNote {
  const bytes = Buffer.from(base64, "base64");
  return { type: type ?? "unknown", bytes: bytes.length, sha256: hash("sha256", bytes) };
}

/** Undefined for an address that doesn't contain the image itself. */
export function noteOfDataUrl(url: string): ImageNote | undefined {
  const [, type, base64] = DATA_URL.exec(url) ?? [];
  return base64 === undefined ? undefined : noteOfImage(type || undefined, base64);
}

/** Editors also add blocks, with the open files and the selection. */
const BLOCK =
  /^[ \t]*<(system-reminder|sentinel-memory|ide_opened_file|ide_selection|ide_diagnostics|post-tool-use-hook)>[\s\S]*?<\/\1>[ \t]*\n?/gm;
const LAST_BLOCKS = /(?:\n*<(system-reminder|sentinel-memory)>(?:(?!<\/?\1>)[\s\S])*<\/\1>\s*)+$/;

/** A message without the blocks that begin on a new line. */
export function withoutInjected(message: string): string {
  return message.includes("</") ? message.replace(BLOCK, "").trim() : message;
}

/** A tool's output without the blocks at its end. Further up, they may be the contents of a file. */
export function withoutInjectedEnd(output: string): string {
  return output.trimEnd().endsWith(">") ? output.replace(LAST_BLOCKS, "") : output;
}
