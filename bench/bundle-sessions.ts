/** Bundles of coding sessions: the files touched next that they name, beside simpler ways, and what they say again. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Bundle } from "../src/sessions/bundle/bundle.ts";
import { bundleText } from "../src/sessions/bundle/bundle-text.ts";
import { filesBefore, lastTokens, namedIn } from "./bundle-baselines.ts";
import { type Build, bundleOf } from "./bundle-conversations.ts";
import { BUNDLE_TOKENS, replay } from "./bundle-replay.ts";
import type { Sessions } from "./coding-sessions.ts";
import { MOMENTS } from "./moments.ts";
import { type Row, round, type Section } from "./table.ts";

interface Named {
  /** Of the files touched next. */
  share: number;
  files: number;
  tokens: number;
}

type Way = "prompt" | "bundle" | "last tokens" | "latest files";

export async function measureSessions(sessions: Sessions): Promise<Section[]> {
  const named = new Map<string, Named[]>();
  const repeats = new Repeats();
  for await (const replayed of replay(sessions)) {
    const { kind, session, touched } = replayed.moment;
    const { request } = replayed;
    const bundle = await bundleOf(request, replayed);
    repeats.add(session, bundle);
    const text = bundleText(bundle);
    const files = filesBefore(replayed.before);
    const inBundle = namedIn(text, files);
    const last = lastTokens(replayed.before, BUNDLE_TOKENS);
    const latest = files.slice(0, inBundle.length);
    const ways: Record<Way, { files: readonly string[]; tokens: number }> = {
      prompt: { files: namedIn(request.query, files), tokens: countTokens(request.query) },
      bundle: { files: inBundle, tokens: countTokens(text) },
      "last tokens": { files: namedIn(last, files), tokens: countTokens(last) },
      "latest files": { files: latest, tokens: countTokens(latest.join("\n")) },
    };
    for (const [way, { files: shown, tokens }] of Object.entries(ways)) {
      const share = shown.filter((path) => touched.has(path)).length / touched.size;
      const key = `${kind} ${way}`;
      named.set(key, [...(named.get(key) ?? []), { share, files: shown.length, tokens }]);
    }
  }
  const rows = MOMENTS.map((kind): Row => {
    const of = (way: Way) => named.get(`${kind} ${way}`) ?? [];
    return {
      moment: kind,
      n: of("bundle").length,
      "bundle %": mean(of("bundle"), (each) => 100 * each.share),
      [`last ${BUNDLE_TOKENS} tokens %`]: mean(of("last tokens"), (each) => 100 * each.share),
      "as many latest files %": mean(of("latest files"), (each) => 100 * each.share),
      "the prompt itself %": mean(of("prompt"), (each) => 100 * each.share),
      "files in the bundle": mean(of("bundle"), ({ files }) => files),
      "in the last tokens": mean(of("last tokens"), ({ files }) => files),
      "tokens of the bundle": mean(of("bundle"), ({ tokens }) => tokens),
      "of the list": mean(of("latest files"), ({ tokens }) => tokens),
    };
  });
  return [
    { title: `${sessions.name}: known files touched next that are named`, rows },
    {
      title: `${sessions.name}: said again in a session, in % of the tokens of its later bundles`,
      rows: repeats.rows(),
    },
  ];
}

/** How many of the files touched next bundles name, in %, at each kind of moment. */
export async function measureMoments(sessions: Sessions, build: Build): Promise<Row> {
  const shares = new Map<string, number[]>();
  for await (const { moment, before, request, store, now } of replay(sessions)) {
    const named = namedIn(bundleText(await build(request, { store, now })), filesBefore(before));
    const share = named.filter((path) => moment.touched.has(path)).length / moment.touched.size;
    shares.set(moment.kind, [...(shares.get(moment.kind) ?? []), 100 * share]);
  }
  return Object.fromEntries(
    [...shares].map(([kind, of]) => [`${kind} %`, mean(of, (share) => share)]),
  );
}

function mean<T>(all: readonly T[], of: (one: T) => number): number {
  return round(all.reduce((sum, one) => sum + of(one), 0) / all.length, 1);
}

/** What the bundles of a session say that an earlier one of it said, word for word. */
class Repeats {
  readonly #shown = new Map<string, Set<string>>();
  readonly #tokens = new Map<string, { all: number; again: number }>();

  add(session: string, { sections }: Bundle): void {
    const before = this.#shown.get(session);
    const shown = before ?? new Set();
    this.#shown.set(session, shown);
    for (const { name, items } of sections)
      for (const { text } of items) {
        if (before) this.#count(name, countTokens(text), shown.has(text));
        shown.add(text);
      }
  }

  #count(section: string, tokens: number, isAgain: boolean): void {
    for (const name of [section, "all"]) {
      const sum = this.#tokens.get(name) ?? { all: 0, again: 0 };
      this.#tokens.set(name, sum);
      sum.all += tokens;
      if (isAgain) sum.again += tokens;
    }
  }

  rows(): Row[] {
    return [...this.#tokens].map(([section, { all, again }]) => ({
      section,
      tokens: all,
      "said again": again,
      "%": round((100 * again) / all, 1),
    }));
  }
}
