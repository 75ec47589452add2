/** The speaker of a line of Claude Code with the user's role. Newer versions give the source, for others the tags show it. */
import { fieldsOf, textOf } from "./fields.ts";
import { isOnlyElements, voiceOfText } from "./parts.ts";
import type { Fields, Voice } from "./transcript.ts";

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
/** Programs that use the client's library send prompts too, as `sdk`. Queued prompts may come from any source. */
const PROMPT_SOURCES: ReadonlyMap<string, Voice> = new Map(
  Object.entries({ typed: "user", queued: "user", sdk: "user", system: "client" } as const),
);

const OF_PEER =
  /^\s*(?:(?:Another Claude|A peer) session sent a message[^\n]*:\s*\n|The coordinator sent a message while you were working:\s*\n|<(?:teammate-message|cross-session-message|agent-message|slack-tag-message)[\s>]|<channel\s+source=)/;
const OF_CLIENT = /^(?:scheduled-task|tick|[\w-]+-hook)$/;
/** The output of a hook, which begins with the name of its event. A user would write `my` hook or `the` hook. */
const OF_HOOK =
  /^\s*(?!(?:An?|My|Our|The|This|That|Your)\s)[A-Z]\w*(?::\S+)? hook (?:feedback|(?:non-)?blocking error)(?: (?:from|for|in|\()[^\n:]*)?:/;

/** @param fields of the line or of its attachment. @param text one of its texts. */
export function voiceOfLine(fields: Fields, text: string): Voice {
  const named = namedVoice(fields);
  if (named !== undefined) return named;
  if (OF_PEER.test(text)) return "peer";
  if (OF_HOOK.test(text) || isOnlyElements(text, (name) => OF_CLIENT.test(name))) return "client";
  return textOf(fields.promptSource) === undefined ? voiceOfText(text) : "user";
}

/** The voice that the client gives. Undefined for prompts of programs and of the queue, which may come from any source. */
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
