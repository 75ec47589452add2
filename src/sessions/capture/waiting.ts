/** What no capture has recorded yet: what agents keep themselves, and what was handed over and lies in the spool. */
import { plural, present } from "../../ground/core/text.ts";
import type { FoundLog } from "../consent/find-log.ts";
import { firstOn } from "../consent/manifest.ts";
import { mustBeOn } from "./capture-here.ts";
import { leftToRead } from "./capture-state.ts";
import { type ReaderHere, readersOf, spoolReader } from "./readers.ts";
import { findSourcesAtHand } from "./sources.ts";

export type Waiting = Awaited<ReturnType<typeof waitingIn>>;

/** Of what clients keep only what was written since recording was first turned on. @throws SentinelError `not_recorded` where it is not on. */
export async function waitingIn(found: FoundLog) {
  const { record, home } = mustBeOn(found);
  const began = firstOn(record.manifest);
  const left = async (readers: readonly ReaderHere[]) => {
    const { transcripts } = await findSourcesAtHand({ record, home, readers });
    return leftToRead(record.folder, transcripts, began);
  };
  return { kept: await left(readersOf(found.places)), spool: await left([spoolReader(record.folder)]) };
}

export function waitingInWords({ kept, spool }: Waiting): string {
  const parts = present(
    kept.transcripts > 0 && `${plural(kept.bytes, "byte")} in ${plural(kept.transcripts, "transcript")}`,
    spool.transcripts > 0 && `${plural(spool.bytes, "byte")} in the spool`,
  );
  return parts.length === 0 ? "nothing waits to be recorded" : `to be recorded wait ${parts.join(" and ")}`;
}
