import type { TextOptions } from "../../ground/terminal/text-options.ts";
import type { DraftTexts } from "../changes/draft.ts";
import type { When } from "../format/when.ts";

/** @param known what stays of it beside other paths or words. */
export function whenSaid({ when, path, word }: TextOptions, known: When): DraftTexts["when"] {
  if (when !== undefined) return when === false ? "none" : when;
  if (path === undefined && word === undefined) return undefined;
  return { ...known, ...(path && { paths: path }), ...(word && { words: word }) };
}
