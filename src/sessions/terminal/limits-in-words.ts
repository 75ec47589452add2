import { plural } from "../../ground/core/text.ts";
import { inMegabytes } from "../../ground/terminal/layout.ts";
import type { RetentionLimits } from "../store.ts";

/** @param limits undefined if a file is invalid. */
export function limitsInWords(limits: RetentionLimits | undefined): string {
  if (!limits) {
    return "none hold: a record.yaml has a mistake, so nothing is dropped";
  }
  const { eventsDays, artifactsDays, artifactsBytes } = limits;
  const events =
    eventsDays === undefined ? "all events stay" : `events ${plural(eventsDays, "day")}`;
  return `${events}; artifacts ${plural(artifactsDays, "day")} and ${inMegabytes(artifactsBytes)}`;
}
