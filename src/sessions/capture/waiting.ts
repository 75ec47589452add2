/** What no capture has recorded yet: what agents keep themselves, and what was handed over and lies in the spool. */
import { plural } from "../../ground/core/text.ts";
import type { FoundLog } from "../consent/find-log.ts";
import { firstOn } from "../consent/manifest.ts";
import { mustBeOn } from "./capture-here.ts";
import { leftToRead } from "./left-to-read.ts";
import { type ReaderHere, readersOf, spoolReader } from "./readers.ts";
import type { LeftToRead } from "./report.ts";
import { findSourcesAtHand } from "./sources.ts";

export interface Waiting {
  /** Of what clients keep, written since recording was first turned on. */
  readonly kept: LeftToRead;
  readonly spool: LeftToRead;
}

/** @throws SentinelError `not_recorded` where recording is not on. */
export async function waitingIn(found: FoundLog): Promise<Waiting> {
  const { record, home } = mustBeOn(found);
  const began = firstOn(record.manifest);
  const left = async (readers: readonly ReaderHere[]) => {
    const { transcripts } = await findSourcesAtHand({ record, home, readers });
    return leftToRead(record.folder, transcripts, began);
  };
  return { kept: await left(readersOf(found.places)), spool: await left([spoolReader(record.folder)]) };
}

export function waitingInWords({ kept, spool }: Waiting): string {
  const parts = [
    ...(kept.transcripts > 0 ? [`${plural(kept.bytes, "byte")} in ${plural(kept.transcripts, "transcript")}`] : []),
    ...(spool.transcripts > 0 ? [`${plural(spool.bytes, "byte")} in the spool`] : []),
  ];
  return parts.length === 0 ? "nothing waits to be recorded" : `to be recorded wait ${parts.join(" and ")}`;
}
