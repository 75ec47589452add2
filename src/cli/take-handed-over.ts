/** Takes what a client hands over to a capture. */
import { mustBeOn } from "../capture/capture-here.ts";
import { putIntoSpool } from "../capture/spool.ts";
import { fieldsOf } from "../clients/transcripts/fields.ts";
import { type RedactFields, spoolLines } from "../clients/transcripts/opencode-message.ts";
import type { Content } from "../events/event.ts";
import { redactValue } from "../events/redact-value.ts";
import { eventRedactor } from "../events/redactor.ts";
import type { FoundRecord } from "../project/record/find-record.ts";
import { mayRecord } from "../project/record/manifest.ts";
import type { CommandContext } from "./command.ts";

/** Takes what opencode hands over, less what must not be stored. @throws SentinelError as a capture does, and `spool_full`. */
export async function takeHandedOver(
  { readPrivacy }: CommandContext,
  found: FoundRecord,
  sent: unknown,
): Promise<void> {
  const { record } = mustBeOn(found);
  const words = (await readPrivacy()).forStoring();
  const redactor = eventRedactor((text) => words.redact(text).text);
  const redact: RedactFields = (fields, speech) => {
    const clean = (text: string) => redactor(text, speech).text;
    return redactValue(fields as Content, clean, (text) => redactor(text, "fields").text);
  };
  const mayKeep = (at: number, session: string) => mayRecord(record.manifest, { at, session });
  const lines = spoolLines(fieldsOf(sent), redact, mayKeep);
  if (lines.length > 0) await putIntoSpool(record.folder, lines, Date.now());
}
