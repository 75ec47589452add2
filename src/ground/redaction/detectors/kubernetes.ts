/** The values of a Kubernetes Secret, whatever their keys are called. */
import { isChosenOrRandom } from "../inert.ts";
import { type Detector, matchesIn, spanOf } from "../span.ts";

const KIND = /\bkind["']?:\s{0,3}["']?Secret\b/g;
const BLOCK =
  /^([ \t]*)["']?(data|stringData)["']?:[ \t]*(?![ \t])\{?[ \t]*\r?\n((?:\1[ \t]+\S[^\n]*(?:\n|$)){1,200})/gm;
const FIELD = /^[ \t]+["']?[\w.-]+["']?:[ \t]*["']?([^\s"',]{4,4000})/gm;
const LONGEST_SECRET = 6000;

export const findInKubernetes: Detector = (text, _, spans) => {
  const kinds = matchesIn(text, KIND).map(({ index }) => index);
  if (kinds.length === 0) return;
  for (const { index, 0: block, 2: name = "", 3: lines = "" } of matchesIn(text, BLOCK)) {
    const next = kinds.findIndex((kind) => kind > index - LONGEST_SECRET);
    kinds.splice(0, next < 0 ? kinds.length : next); // blocks come in order: what is far behind one is behind all after it
    if ((kinds[0] ?? Number.POSITIVE_INFINITY) >= index + LONGEST_SECRET) continue;
    const from = index + block.length - lines.length;
    for (const { index: at, 0: field, 1: value = "" } of matchesIn(lines, FIELD)) {
      const start = from + at + field.length - value.length;
      if (isValue(value, name === "data")) spans.push(spanOf(start, value, "kubernetes-secret"));
    }
  }
};

/** Below `data` every value is base64. */
function isValue(value: string, isEncoded: boolean): boolean {
  if (isEncoded) return /^[A-Za-z0-9+/]{6,}={0,2}$/.test(value) && value.length % 4 === 0;
  return isChosenOrRandom(value);
}
