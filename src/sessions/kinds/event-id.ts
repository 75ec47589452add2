/** Ids of events: `evt_` and a ULID of the time and, for 80 bits, the origin: the same line has the same ones on any machine and in any store. */
import { hash } from "node:crypto";
import { isUlid, TAIL_BYTES, timeOfUlid, ulidTail, ulidTime } from "../../ground/core/ulid.ts";

export const PREFIX = "evt_";
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;
/** Characters of the identity in a short id: 40 bits. */
export const SHORT_LENGTH = 8;

/** The number of bytes that `identityOf` encodes. */
export const IDENTITY_BYTES = TAIL_BYTES;

/** @param time ms since 1970; what a ULID cannot hold becomes the nearest that it can. @param identity the last 16 characters of the id. */
export const eventId = (time: number, identity: string): string => PREFIX + ulidTime(time) + identity;

/** What makes an event the same event: 16 characters from the first 80 bits of SHA-256 of its origin or key. */
export const identityFrom = (origin: string): string => identityOf(hash("sha256", origin, "buffer"));

/** 16 characters from the first 10 bytes. */
export const identityOf = (bytes: Uint8Array): string => ulidTail(bytes);

/** The hash of an event. @param contentJson the content as stored, as JSON. */
export const contentHash = (kind: string, contentJson: string): string =>
  `sha256:${hash("sha256", `${kind} ${contentJson}`)}`;

/** The part of an event's id that two readings of the same thing have in common. */
export const identityIn = (id: string): string => id.slice(-IDENTITY_LENGTH);

/** An id in short: its end tells events apart, its beginning is a time. */
export const shortEventId = (id: string): string => PREFIX + id.slice(-SHORT_LENGTH);

/** The end of the identity that a short id gives; undefined for anything else. */
export function readShortEventId(id: string): string | undefined {
  const rest = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : "";
  return rest.length === SHORT_LENGTH ? rest.toUpperCase() : undefined;
}

/** The time and the identity that an id names; undefined where it is not the id of an event. */
export function readEventId(id: string): { time: number; identity: string } | undefined {
  const rest = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : "";
  return isUlid(rest) ? { time: timeOfUlid(rest), identity: rest.slice(TIME_LENGTH) } : undefined;
}
