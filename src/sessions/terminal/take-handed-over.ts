import { SentinelError } from "../../ground/core/errors.ts";
import { branchOf } from "../../ground/project/git.ts";
import { captureHere } from "../capture/capture.ts";
import { putIntoSpool } from "../capture/sources.ts";
import { type FoundLog, mustBeOn } from "../consent/find-log.ts";
import { noteCapture } from "../consent/last-capture.ts";
import { mayRecord } from "../consent/manifest.ts";
import type { Content } from "../kinds/event.ts";
import { redactValue } from "../storing/redact-draft.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { fieldsOf } from "../transcripts/fields.ts";
import { type RedactFields, spoolLines } from "../transcripts/opencode.ts";
import type { SessionCommandContext } from "./project-log.ts";

/**
 * Stores events that opencode sends. If the spool is full, captures and tries again. @throws SentinelError from the capture, and
 * `spool_full`, which is also noted in the log.
 */
export async function takeHandedOver(
  context: SessionCommandContext,
  found: FoundLog,
  sent: unknown,
): Promise<void> {
  const { record } = mustBeOn(found);
  const words = (await context.readPrivacy()).forStoring();
  const redactor = eventRedactor(words);
  const redact: RedactFields = (fields, speech) => redactValue(fields as Content, redactor, speech);
  const mayKeep = (at: number, session: string) => mayRecord(record.manifest, { at, session });
  const branch = await branchOf(context.project.folder);
  const lines = spoolLines({ ...fieldsOf(sent), branch }, redact, mayKeep);
  if (lines.length === 0) return;
  const put = () => putIntoSpool(record.folder, lines, Date.now());
  try {
    await put();
  } catch (error) {
    if (!isFull(error)) throw error;
    // The next attempt shows whether that helped.
    await captureHere(context, found).catch(() => undefined);
    await put().catch(async (still) => {
      if (isFull(still)) await noteCapture(record.folder, still, Date.now());
      throw still;
    });
  }
}

function isFull(error: unknown): error is SentinelError {
  return error instanceof SentinelError && error.code === "spool_full";
}
