import type { Frame } from "../../../ground/clients/client.ts";
import { type Path, valueAt } from "./json.ts";
import { unixLines } from "./line-end.ts";

/** A file to put our part into: the text, unless it is missing or blank. */
export function orFrame(text: string | undefined, frame: Frame): string {
  return text === undefined || isBlank(text) ? framed(frame) : text;
}

/** Whether a file is there and holds nothing, not even an object. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The text, unless nothing is left in it that anybody would miss. */
export function unlessFrame(text: string, frame: Frame): string | undefined {
  const holdsNothing = /^\s*\{\s*\}\s*$/.test(text);
  return holdsNothing || unixLines(text) === framed(frame) ? undefined : text;
}

/** Which objects and lists a file had before our part came in; none where that is not known. */
export function partsOf(before: string | undefined, frame: Frame): (path: Path) => boolean {
  const text = before === undefined ? undefined : orFrame(before.replace(/^\uFEFF/, ""), frame);
  return (path) => text !== undefined && valueAt(text, path) !== undefined;
}

function framed(frame: Frame): string {
  return `${JSON.stringify(frame, null, 2)}\n`;
}
