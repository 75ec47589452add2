/** The session log's tools. Every listed tool costs tokens in each session, so they're listed only if sessions are recorded. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import * as tool from "./definitions.ts";
import * as handle from "./handlers.ts";
import type { SessionAnswer, SessionToolContext } from "./recording.ts";
import { type Named, statementArguments, withOurNames } from "./usual-names.ts";

export const SESSION_TOOLS: readonly Tool<SessionToolContext, SessionAnswer>[] = [
  takingUsualNames(bind(tool.buildAcb, handle.buildAcb)),
  takingUsualNames(bind(tool.recordEvent, handle.recordEvent), statementArguments),
  bind(tool.queryDecisions, handle.queryDecisions),
  bind(tool.getArtifact, handle.getArtifact),
];

/** Makes a tool accept other memories' argument names too. */
function takingUsualNames<Context>(
  { definition, prepare }: Tool<Context, SessionAnswer>,
  translate = (args: Named): Named => args,
): Tool<Context, SessionAnswer> {
  const known = Object.keys(definition.input.shape);
  return { definition, prepare: (args) => prepare(translate(withOurNames(args, known))) };
}
