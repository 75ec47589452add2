/**
 * The rules of gitleaks, read from its default configuration (`config/gitleaks.toml`, MIT): keywords, pattern, entropy, what is allowed. Its
 * program is in no registry of packages; its patterns are RE2's, which `re2js` runs.
 */

import { readFileSync } from "node:fs";
import { RE2JS } from "re2js";
import { parse } from "smol-toml";
import { countEach } from "../src/ground/core/collections.ts";

interface Allowed {
  readonly regexes?: readonly string[];
  readonly regexTarget?: "match" | "line";
  readonly stopwords?: readonly string[];
}

interface Config {
  readonly allowlist?: Allowed;
  readonly rules: readonly {
    readonly regex?: string;
    readonly keywords?: readonly string[];
    readonly secretGroup?: number;
    readonly entropy?: number;
    readonly allowlists?: readonly Allowed[];
  }[];
}

type Span = readonly [start: number, end: number];

/** @returns what finds the secrets of a text: where each begins and ends. */
export function gitleaksRules(file: string): (text: string) => Span[] {
  const { rules, allowlist } = parse(readFileSync(file, "utf8")) as unknown as Config;
  const everywhere = allowlist ? [allowlist] : [];
  const ready = rules.flatMap(({ regex, allowlists = [], ...rule }) => {
    if (regex === undefined) return [];
    return [
      {
        ...rule,
        pattern: RE2JS.compile(regex),
        isAllowed: allowing([...everywhere, ...allowlists]),
      },
    ];
  });
  return (text) => {
    const lower = text.toLowerCase();
    return ready.flatMap(({ pattern, keywords = [], secretGroup = 0, entropy = 0, isAllowed }) => {
      if (keywords.length > 0 && !keywords.some((word) => lower.includes(word.toLowerCase())))
        return [];
      const spans: Span[] = [];
      for (const matcher = pattern.matcher(text); matcher.find(); ) {
        const groups = Array.from({ length: matcher.groupCount() }, (_, at) => at + 1);
        const group = secretGroup || (groups.find((at) => matcher.group(at)) ?? 0);
        const secret = matcher.group(group) ?? "";
        if (entropyOf(secret) <= entropy || isAllowed(secret, matcher.group() ?? "", text))
          continue;
        spans.push([matcher.start(group), matcher.end(group)]);
      }
      return spans;
    });
  };
}

function allowing(lists: readonly Allowed[]) {
  const ready = lists.map(({ regexes = [], stopwords = [], regexTarget }) => {
    return { patterns: regexes.map((regex) => RE2JS.compile(regex)), stopwords, regexTarget };
  });
  return (secret: string, match: string, line: string): boolean =>
    ready.some(({ patterns, stopwords, regexTarget }) => {
      const target = regexTarget === "match" ? match : regexTarget === "line" ? line : secret;
      const lower = secret.toLowerCase();
      return (
        patterns.some((one) => one.matcher(target).find()) ||
        stopwords.some((word) => lower.includes(word))
      );
    });
}

/** In bits a character. */
function entropyOf(text: string): number {
  const shares = [...countEach([...text]).values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
