/** Conversations in bundles: how much of the evidence for a question stands in a bundle of a size, beside the best search results alone. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import MiniSearch from "minisearch";
import { buildBundle } from "../src/sessions/bundle/build-bundle.ts";
import type { Bundle, BundleRequest } from "../src/sessions/bundle/bundle.ts";
import { bundleText } from "../src/sessions/bundle/bundle-text.ts";
import { gather } from "../src/sessions/bundle/gather.ts";
import { JsonlEventStore } from "../src/sessions/files/store.ts";
import { identityFrom, identityIn } from "../src/sessions/kinds/event.ts";
import type { EventStore } from "../src/sessions/store.ts";
import { BARE } from "../test/support/bundle-record.ts";
import { scratchFolder } from "../test/support/scratch.ts";
import { UNREDACTED } from "../test/support/unredacted.ts";

import type { Conversation } from "./locomo.ts";
import { type Row, round } from "./table.ts";

const SIZES = [2_000, 8_000, 28_000];
const START = Date.UTC(2026, 0, 1);

/** Makes a bundle of what a store holds. */
export type Build = (
  request: BundleRequest,
  from: { readonly store: EventStore; readonly now: number },
) => Promise<Bundle>;

export const bundleOf: Build = async (request, { store, now }) =>
  buildBundle(request, await gather(request, { ...BARE, events: store, now }));

interface Sum {
  evidence: number;
  tokens: number;
  over: number;
}

/** Means over all questions, in %, with the tokens that the bundles really take, by o200k. */
export async function measureConversations(
  conversations: readonly Conversation[],
  sizes: readonly number[] = SIZES,
  build: Build = bundleOf,
): Promise<Row[]> {
  const sums = new Map<string, Sum>();
  let asked = 0;
  for (const { turns, questions } of conversations) {
    const now = START + 1000 * turns.length;
    const store = new JsonlEventStore({
      folder: scratchFolder(),
      redactor: UNREDACTED,
      now: () => now,
    });
    await store.append(
      turns.map(({ id, session, text }, index) => ({
        session,
        agent: "agent",
        actor: { type: "human" as const, id: "user" },
        kind: "message" as const,
        content: { text },
        origin: id,
        ts: new Date(START + 1000 * index).toISOString(),
      })),
    );
    while (await store.prepareSearch());
    const ids = new Map(turns.map(({ id }) => [identityFrom(id), id]));
    const costs = new Map(turns.map(({ id, text }) => [id, countTokens(text) + 1]));
    const mini = new MiniSearch({ fields: ["text"] });
    mini.addAll(turns.map(({ id, text }) => ({ id, text })));
    for (const { text, evidence } of questions) {
      asked++;
      const found = mini.search(text).map(({ id }) => id as string);
      for (const size of sizes) {
        const request: BundleRequest = {
          query: text,
          intent: "recall",
          session: "asks",
          channel: "private",
          maxTokens: size,
        };
        const bundle = await build(request, { store, now });
        const shown = bundle.sections.flatMap(({ items }) =>
          items.flatMap(({ refs }) => refs.map((ref) => ids.get(identityIn(ref)))),
        );
        const tokens = countTokens(bundleText(bundle));
        add(sums, `bundle ${size}`, share(new Set(shown), evidence), tokens, size);
        const { packed, used } = packGreedily(found, costs, size);
        add(sums, `MiniSearch ${size}`, share(packed, evidence), used, size);
      }
    }
  }
  return [...sums].map(([name, { evidence, tokens, over }]) => ({
    what: name,
    "evidence %": round((100 * evidence) / asked, 1),
    tokens: round(tokens / asked, 0),
    "over cap": over,
  }));
}

function add(
  sums: Map<string, Sum>,
  name: string,
  evidence: number,
  tokens: number,
  size: number,
): void {
  const sum = sums.get(name) ?? { evidence: 0, tokens: 0, over: 0 };
  sums.set(name, sum);
  sum.evidence += evidence;
  sum.tokens += tokens;
  if (tokens > size) sum.over++;
}

/** The best that fit, one after the other. */
function packGreedily(ids: readonly string[], costs: ReadonlyMap<string, number>, size: number) {
  const packed = new Set<string>();
  let used = 0;
  for (const id of ids) {
    const cost = costs.get(id) ?? 0;
    if (used + cost > size) continue;
    used += cost;
    packed.add(id);
  }
  return { packed, used };
}

function share(shown: ReadonlySet<unknown>, evidence: ReadonlySet<string>): number {
  return [...evidence].filter((id) => shown.has(id)).length / evidence.size;
}
