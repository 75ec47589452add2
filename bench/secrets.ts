import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../src/memory/sanitizer/sanitize.ts";

const dir = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const show = process.argv.includes("--misses");
const read = (f: string) =>
  readFileSync(join(dir, f), "utf8")
    .trim()
    .split("\n")
    .map((l) => JSON.parse(l));
redact("warm");
const tiers = new Map<string, [number, number]>();
for (const p of read("positives.jsonl")) {
  const out = redact(p.text).text;
  const rest = p.text.replace(p.secret, "");
  const caught = p.random.every((part: string) => {
    if (part.length < 8) return rest.includes(part) || !out.includes(part);
    for (let i = 0; i + 8 <= part.length; i++) {
      const w = part.slice(i, i + 8);
      if (out.includes(w) && !rest.includes(w)) return false;
    }
    return true;
  });
  const t = tiers.get(p.tier) ?? [0, 0];
  t[1]++;
  if (caught) t[0]++;
  else if (show)
    console.log(
      "MISS",
      p.tier,
      p.kind,
      "|",
      p.text.replaceAll("\n", "⏎").slice(0, 260),
      "|| OUT:",
      out.replaceAll("\n", "⏎").slice(0, 200),
    );
  tiers.set(p.tier, t);
}
for (const [t, [c, n]] of tiers) console.log(t, c, n, ((100 * c) / n).toFixed(1));
const groups = new Map<string, [number, number]>();
const times: number[] = [];
for (const n of read("negatives.jsonl")) {
  const t0 = performance.now();
  const r = redact(n.text);
  times.push(performance.now() - t0);
  const g = groups.get(n.group) ?? [0, 0];
  g[1]++;
  if (r.text !== n.text) {
    g[0]++;
    if (show && n.group === "strict")
      console.log(
        "FP",
        n.kind,
        JSON.stringify(r.findings),
        n.text.replaceAll("\n", "⏎").slice(0, 400),
        "||",
        r.text.replaceAll("\n", "⏎").slice(0, 400),
      );
  }
  groups.set(n.group, g);
}
console.log(groups);
times.sort((a, b) => a - b);
console.log(times[times.length >> 1], times[Math.floor(times.length * 0.95)], times.at(-1));
