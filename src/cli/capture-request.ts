/** Captures what belongs to this project, for every command that does so. */
import { capture, captureSome } from "../capture/capture.ts";
import type { CaptureLimit, CaptureRequest } from "../capture/capture-request.ts";
import { noteCapture } from "../capture/last-capture.ts";
import type { CaptureReport } from "../capture/report.ts";
import { emptySpool, putIntoSpool, spoolFolder } from "../capture/spool.ts";
import { fieldsOf } from "../clients/transcripts/fields.ts";
import { type RedactFields, spoolLines } from "../clients/transcripts/opencode-message.ts";
import { opencodeReader } from "../clients/transcripts/opencode-reader.ts";
import { SentinelError } from "../core/errors.ts";
import type { Content } from "../events/event.ts";
import { redactValue } from "../events/redact-value.ts";
import { eventRedactor } from "../events/redactor.ts";
import { noteMove } from "../project/record/change-record.ts";
import type { FoundRecord, ProjectRecord } from "../project/record/find-record.ts";
import { readRecordLimits } from "../project/record/limits.ts";
import { mayRecord } from "../project/record/manifest.ts";
import type { Home } from "../project/record/record-id.ts";
import type { CommandContext } from "./command.ts";
import { readersOf } from "./project-record.ts";

/**
 * Captures, makes what is new ready to be searched, and notes beside the record how that ended.
 *
 * @param more `limit` for an agent that waits; everything is read without.
 *
 * @throws SentinelError `not_recorded`, `privacy_unreadable`, and what a capture throws.
 */
export async function captureHere(
  context: CommandContext,
  found: FoundRecord,
  {
    limit,
    ...more
  }: Pick<CaptureRequest, "again" | "ended" | "only" | "stop" | "onProgress"> & { limit?: CaptureLimit } = {},
): Promise<CaptureReport> {
  const { record } = mustBeOn(found);
  try {
    const request = { ...(await captureRequest(context, found)), ...more };
    const report = await (limit ? captureSome(request, limit) : capture(request));
    emptySpool(record.folder);
    if (report.wasTurnedOff) return report;
    while (!limit && !more.stop?.aborted && (await request.store.prepareSearch()));
    report.wasStopped ||= more.stop?.aborted ?? false;
    await noteCapture(record.folder, undefined, Date.now());
    return report;
  } catch (error) {
    // What cannot be written down either is for the caller alone.
    if (error instanceof SentinelError) await noteCapture(record.folder, error, Date.now()).catch(() => undefined);
    throw error;
  }
}

async function captureRequest(
  { project, openEvents, readPrivacy }: CommandContext,
  found: FoundRecord,
): Promise<CaptureRequest> {
  const { record, home } = mustBeOn(found);
  const words = (await readPrivacy()).forStoring();
  await noteMove(record, found);
  const { limits } = await readRecordLimits(project.folder);
  const store = openEvents(record.folder, words);
  const spool = { reader: opencodeReader, clientFolder: spoolFolder(record.folder) };
  const readers = [...readersOf(found.places), spool];
  return { record, home, store, now: Date.now(), readers, ...(limits && { limits }) };
}

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

/** @throws SentinelError `not_recorded`. */
export function mustBeOn({ status, record, home }: FoundRecord): { record: ProjectRecord; home: Home } {
  if (status === "on" && record && home) return { record, home };
  throw new SentinelError(
    "not_recorded",
    "Recording is not on here, so nothing was read.",
    "sentinel-memory record status says more; sentinel-memory record on turns it on.",
  );
}
