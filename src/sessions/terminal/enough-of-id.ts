/** How much of an id a person has to give where what it names goes for good. */
import { SentinelError } from "../../ground/core/errors.ts";
import { safeLine } from "../../ground/terminal/layout.ts";

/** Less of an id may be a slip of the hand. */
export const ENOUGH_CHARACTERS = 6;

/** @param fix what to give instead. */
export function tooLittle(name: string, fix: string): SentinelError {
  const what = `"${safeLine(name)}" is too little of an id for what cannot be undone; nothing was changed.`;
  return new SentinelError("bad_argument", what, fix);
}
