/** A session of the data as Claude Code would have written it, with what the data still has of it. */
import { Session } from "../../test/support/transcript.ts";
import type { Line } from "./coding-sessions.ts";

/** What the client says of a command that its user runs: not a part of the conversation. */
const CAVEAT = /^<local-command-caveat>/;

/** @param lines of one session, in their order. @param cwd where it worked. */
export function asClaudeCode(lines: readonly Line[], cwd: string): Session {
  const session = new Session({ id: lines[0]?.session ?? "", cwd });
  const answers = new Map(
    lines.flatMap(({ kind, id, text }) => (kind === "tool_result" && id ? [[id, text]] : [])),
  );
  for (const line of lines) {
    write(session.at(line.ts), withQuestions(line, answers.get(line.id ?? "")));
  }
  return session;
}

/** The data has lost what was asked and the choices; the answer still has the questions. */
function withQuestions(line: Line, answer = ""): Line {
  if (line.kind !== "tool_use" || line.tool !== "AskUserQuestion") {
    return line;
  }
  const questions = [...answer.matchAll(/"([^"]+)"="/g)].map(([, question = ""]) => ({
    question,
    options: [],
  }));
  return { ...line, input: { ...line.input, questions } };
}

function write(
  session: Session,
  { kind, text = "", tool = "", id, input = {}, error, meta }: Line,
): void {
  switch (kind) {
    case "user":
      session.asks(text);
      break;
    case "injected":
      session.asks(text, { isMeta: CAVEAT.test(text) });
      break;
    case "assistant":
      session.says(text);
      break;
    case "compact_boundary":
      session.add({ type: "system", subtype: "compact_boundary", compactMetadata: meta });
      break;
    case "compact_summary":
      session.asks(text, { isCompactSummary: true });
      break;
    case "tool_use":
      session.calls(tool, input, id);
      break;
    case "tool_result":
      session.answers(text, { call: id, error: error ?? false });
  }
}
