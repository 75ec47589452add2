/** Who speaks in a line of Claude Code with the user's role: newer versions name the source, for the others their tags do. */
import { fieldsOf, textOf } from "./fields.ts";
import type { Fields, Voice } from "./transcript.ts";
import { voiceOfText } from "./voices.ts";

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
const OF_CLIENT =
  /^\s*(?:<(?:scheduled-task|tick|[\w-]+-hook)[\s>]|(?:Stop|SubagentStop|UserPromptSubmit|PreToolUse|PostToolUse|PostToolUseFailure|TeammateIdle|TaskCreated|TaskCompleted)(?::\S+)? hook feedback:)/;

/** @param fields of the line or of what is attached to it. @param text one of its texts. */
export function voiceOfLine({ origin, promptSource }: Fields, text: string): Voice {
  const source = textOf(promptSource);
  const bySource = source === undefined ? undefined : (PROMPT_SOURCES.get(source) ?? "unknown");
  const byOrigin = voiceOfOrigin(origin);
  const named = [byOrigin, bySource].find((voice) => voice !== undefined && voice !== "user");
  if (named !== undefined) return named;
  if (byOrigin === "user" || source === "typed") return "user";
  if (OF_PEER.test(text)) return "peer";
  if (OF_CLIENT.test(text)) return "client";
  return bySource ?? voiceOfText(text);
}

function voiceOfOrigin(origin: unknown): Voice | undefined {
  if (origin === undefined || origin === null) return undefined;
  const kind = textOf(fieldsOf(origin).kind) ?? textOf(origin) ?? "";
  return ORIGINS.get(kind) ?? "unknown";
}
