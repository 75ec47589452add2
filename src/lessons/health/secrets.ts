/** Secrets that got in by hand, past the filter that every save goes through. */

import { redact } from "../../redaction/redact.ts";
import { cuesOf } from "../format/cues.ts";
import type { UnrecognisedLine } from "../format/file-lines.ts";
import { isTombstone, type Version } from "../format/record.ts";
import type { Finding } from "./finding.ts";
import type { PlacedVersion } from "./records.ts";

const TEXTS = ["topic", "missing_context", "lesson", "ask_next_time"] as const;
const FIX_RECORD =
  "Revoke the secret and use a new one; then purge the record, which also names the commits that hold it.";
const FIX_LINE = "Revoke the secret and use a new one; then delete the line.";

/** "2 × password in lesson", for every field of a version that holds a secret; never the secret. */
export function secretsIn(version: Version): string[] {
  if (isTombstone(version)) return kindsIn(JSON.stringify(version.meta), "meta");
  const { id: _, type: __, topic, missing_context, lesson, ask_next_time = "", meta, ...others } = version;
  const { cues: ___, ...rest } = meta;
  const texts = { topic, missing_context, lesson, ask_next_time };
  return [
    ...TEXTS.flatMap((field) => kindsIn(texts[field], field)),
    // Each by itself: words that stand side by side by chance are no sentence.
    ...cuesOf(meta).flatMap((cue) => kindsIn(cue, "cues")),
    ...kindsIn(JSON.stringify({ ...others, meta: rest }), "other fields"),
  ];
}

/** Secrets in records, and in lines that are not records. */
export function examineSecrets(placed: readonly PlacedVersion[], unrecognised: readonly UnrecognisedLine[]): Finding[] {
  return [
    ...placed.flatMap(({ version, bare, numbers }) => {
      // As it stands in the file: the save that gives it an id also takes the secret out.
      if (bare !== undefined)
        return told(
          "A line without an id holds what looks like a secret",
          kindsIn(textOf(bare), "it"),
          numbers,
          FIX_LINE,
        );
      return told(`${version.id} holds what looks like a secret`, secretsIn(version), numbers, FIX_RECORD);
    }),
    ...unrecognised.flatMap(({ raw, number }) => {
      const kinds = kindsIn(textOf(raw), "it");
      return told("A line that is no record holds what looks like a secret", kinds, [number], FIX_LINE);
    }),
  ];
}

function told(where: string, kinds: readonly string[], lines: readonly number[], fix: string): Finding[] {
  if (kinds.length === 0) return [];
  return [{ code: "secret", level: "broken", what: `${where}: ${kinds.join(", ")}.`, lines, fix }];
}

function textOf(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}

function kindsIn(text: string, field: string): string[] {
  return redact(text).findings.map(({ kind, count }) => `${count} × ${kind} in ${field}`);
}
