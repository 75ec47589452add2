/** Cuts the long texts of an event. The whole text becomes an artifact, named by its hash so that it's stored once. */
import { hash } from "node:crypto";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import type { Content, Json, Kind } from "../kinds/event.ts";
import { excerpt, extentOf } from "./excerpt.ts";
import { mapTexts } from "./field-texts.ts";

/** Cuts long texts. (docs/design/sessions.md, "What an event holds") @param content redacted. @returns also the whole texts, by the ids of their artifacts. */
export function cutContent(kind: Kind, content: Content) {
  const artifacts = new Map<string, string>();
  const { text, ...others } = content;
  if (kind !== "tool_result" || typeof text !== "string")
    return {
      content: cutTexts(content, kind === "tool_call" ? "head" : "head and tail", artifacts),
      artifacts,
    };
  return {
    content: { ...cutTexts(others, "head", artifacts), ...cutResult(text, others, artifacts) },
    artifacts,
  };
}

/** The fields that are stored instead of the text of a tool's result. */
function cutResult(
  text: string,
  { path, line_range, truncated }: Content,
  artifacts: Map<string, string>,
): Content {
  // The end of a command's output shows how it ended. The end of a file doesn't.
  const isFile = typeof path === "string";
  const {
    text: shown,
    isCut,
    headLines,
  } = excerpt(text as RedactedText, isFile ? "head" : "head and tail");
  const first = Array.isArray(line_range) ? line_range[0] : undefined;
  const stats = { ...extentOf(text) };
  const result: Content = { excerpt_text: shown, truncated: isCut || truncated === true, stats };
  if (!isCut) return result;
  const whole = { ...result, artifact_id: keep(text, artifacts) };
  if (!isFile || typeof first !== "number") return whole;
  return { line_range: [first, first + headLines - 1], ...whole };
}

function cutTexts(
  content: Content,
  parts: "head" | "head and tail",
  artifacts: Map<string, string>,
): Content {
  const cuts: Json[] = [];
  const short = mapTexts(content, (whole, field) => {
    const { text, isCut } = excerpt(whole as RedactedText, parts);
    if (isCut) cuts.push({ field, ...extentOf(whole), artifact_id: keep(whole, artifacts) });
    return text;
  });
  return cuts.length > 0 ? { ...short, cuts } : short;
}

/** @returns the artifact's id. */
function keep(text: string, artifacts: Map<string, string>): string {
  const id = `art_${hash("sha256", text)}`;
  artifacts.set(id, text);
  return id;
}
