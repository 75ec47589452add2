import { SentinelError } from "../../ground/core/errors.ts";

const UNCHANGED = "Nothing was recorded.";

export function refused(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", what, `${fix} ${UNCHANGED}`);
}

/** A text of the caller in a message. */
export const inShort = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
