import type { BigIntStats } from "node:fs";

/** A stamp that changes with the bytes of a file. @param stats as BigInt, because the time of a change in ms is too coarse. */
export const fileStamp = ({
  ino,
  size,
  ctimeNs,
}: Pick<BigIntStats, "ino" | "size" | "ctimeNs">): string => `${ino} ${size} ${ctimeNs}`;
