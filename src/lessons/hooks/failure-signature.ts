/** The part of a failed command that the hooks' state may keep. */
import { oneLine, stablePart } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import { redact } from "../../ground/redaction/redact.ts";
import type { FailedCommand } from "./session-file.ts";
import { failureIn } from "./solved-failures.ts";

/** The pattern of a failed command and the stable part of its error. Leaves out a part with a secret, an own word or a private passage. */
export function failureSignature(
  command: string,
  output: string,
  words: OwnWords,
): FailedCommand | undefined {
  const failure = failureIn(command, output);
  if (!failure) return undefined;
  const isHarmless = (text: string) =>
    text !== "" && words.redact(redact(hidePrivate(text).text).text).text === text;
  const line = stablePart(oneLine(failure.line));
  const program = isHarmless(failure.command) ? failure.command : undefined;
  const error = isHarmless(failure.line) && isHarmless(line) ? line : undefined;
  if (program === undefined && error === undefined) return undefined;
  return { command: program, error };
}
