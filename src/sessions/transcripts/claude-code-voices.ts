/** Who speaks in a line of Claude Code with the user's role: newer versions name the source, for the others their tags do. */
import { fieldsOf, textOf } from "./fields.ts";
import type { Fields, Voice } from "./transcript.ts";
import { isOnlyElements, voiceOfText } from "./voices.ts";

const ORIGINS: ReadonlyMap<string, Voice> = new Map(
  Object.entries({
    human: "user",
    peer: "peer",
    channel: "peer",
    coordinator: "peer",
    observer: "peer",
    "observer-activity": "client",
    "task-notification": "client",
    "auto-continuation": "client",
  } as const),
);
/** Programs that use the client's library send prompts too, as `sdk`; what waits in the queue may be anybody's. */
const PROMPT_SOURCES: ReadonlyMap<string, Voice> = new Map(
  Object.entries({ typed: "user", queued: "user", sdk: "user", system: "client" } as const),
);

const OF_PEER =
  /^\s*(?:(?:Another Claude|A peer) session sent a message[^\n]*:\s*\n|The coordinator sent a message while you were working:\s*\n|<(?:teammate-message|cross-session-message|agent-message|slack-tag-message)[\s>]|<channel\s+source=)/;
const OF_CLIENT = /^(?:scheduled-task|tick|[\w-]+-hook)$/;
/** What a hook said, by the name of its event; a person writes of `my` hook or of `the` hook. */
const OF_HOOK =
  /^\s*(?!(?:An?|My|Our|The|This|That|Your)\s)[A-Z]\w*(?::\S+)? hook (?:feedback|(?:non-)?blocking error)(?: (?:from|for|in|\()[^\n:]*)?:/;

/** @param fields of the line or of what is attached to it. @param text one of its texts. */
export function voiceOfLine(fields: Fields, text: string): Voice {
  const named = namedVoice(fields);
  if (named !== undefined) return named;
  if (OF_PEER.test(text)) return "peer";
  if (OF_HOOK.test(text) || isOnlyElements(text, (name) => OF_CLIENT.test(name))) return "client";
  return textOf(fields.promptSource) === undefined ? voiceOfText(text) : "user";
}

/** The voice that the client names, whatever the text; what programs and the queue say may be anybody's. */
export function namedVoice({ origin, promptSource }: Fields): Voice | undefined {
  const source = textOf(promptSource);
  const bySource = source === undefined ? undefined : (PROMPT_SOURCES.get(source) ?? "unknown");
  const byOrigin = voiceOfOrigin(origin);
  const named = [byOrigin, bySource].find((voice) => voice !== undefined && voice !== "user");
  if (named !== undefined) return named;
  return byOrigin === "user" || source === "typed" ? "user" : undefined;
}

function voiceOfOrigin(origin: unknown): Voice | undefined {
  if (origin === undefined || origin === null) return undefined;
  const kind = textOf(fieldsOf(origin).kind) ?? textOf(origin) ?? "";
  return ORIGINS.get(kind) ?? "unknown";
}
