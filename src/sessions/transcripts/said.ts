import type { Said } from "./transcript.ts";

export interface SaidIn {
  readonly says: readonly Said[];
  readonly leftOut?: readonly string[];
  readonly unknown?: readonly string[];
}

/** A type that is left out on purpose. */
export function leaveOut(type: string, subtype?: unknown): SaidIn {
  return { says: [], leftOut: [typeof subtype === "string" ? `${type}/${subtype}` : type] };
}

export function joinSaid(parts: readonly SaidIn[]): Required<SaidIn> {
  return {
    says: parts.flatMap(({ says }) => says),
    leftOut: parts.flatMap(({ leftOut = [] }) => leftOut),
    unknown: parts.flatMap(({ unknown = [] }) => unknown),
  };
}

export function isNothing({ says, leftOut = [], unknown = [] }: SaidIn): boolean {
  return says.length + leftOut.length + unknown.length === 0;
}
