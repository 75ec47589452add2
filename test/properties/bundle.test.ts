/** What holds for every bundle, whatever was recorded and asked for (docs/design/sessions.md, "The bundle"). */
import fc from "fast-check";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type Bundle, INTENTS } from "../../src/sessions/bundle/bundle.ts";
import { bundleText } from "../../src/sessions/bundle/bundle-text.ts";
import {
  CHANNELS,
  type EventDraft,
  eventId,
  identityFrom,
  identityIn,
  SENSITIVITIES,
} from "../../src/sessions/kinds/event.ts";
import { BARE, type BundleRecord, logOf, NOW, saidAgo, saidIn } from "../support/bundle-record.ts";
import { ODD_TEXTS } from "../support/odd-texts.ts";
import { USUAL_TEXTS } from "../support/usual-texts.ts";

const RUNS = { numRuns: 12 };
const CAPS = BARE.settings.budgets.sections;

const words = fc.constantFrom(
  "the invoice counts VAT twice",
  "src/checkout/vat.ts",
  "retry the webhook after 30 seconds",
  "결제 취소 흐름을 고쳐 줘",
  "부가세는 두 번 계산된다",
  "支付回调需要重试",
  "FAIL test/vat.test.ts > rounds down\n  expected 24 to be 25",
  "export function vatOf(price: number): number { return price * 0.24; }",
  "2026-11-20T10:00:00Z ERROR worker-3 timeout after 5000 ms",
  "pallet 31 of row 217 is stacked by 4 of 9",
);
const text = fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(". "));
const usualTexts = fc.constantFrom(...Object.values(USUAL_TEXTS));
const oddTexts = fc.constantFrom(...Object.entries(ODD_TEXTS).map(([, texts]) => texts));

const event = (said: fc.Arbitrary<string>): fc.Arbitrary<EventDraft> =>
  fc
    .record({
      minutes: fc.integer({ min: 0, max: 30 * 24 * 60 }),
      session: fc.constantFrom("s1", "s2"),
      channel: fc.constantFrom(...CHANNELS),
      sensitivity: fc.constantFrom(...SENSITIVITIES),
      kind: fc.constantFrom(
        "message",
        "reply",
        "decision",
        "task_update",
        "pin",
        "tool_result",
        "summary",
      ),
      said,
    })
    .map(({ minutes, said: words, kind, ...more }) => {
      if (kind === "reply") {
        return saidAgo(minutes, words, { ...more, actor: { type: "agent", id: "claude-code" } });
      }
      return saidAgo(minutes, words, {
        ...more,
        kind,
        content: contentOf(kind, words),
      } as Partial<EventDraft>);
    });

function contentOf(kind: string, said: string): EventDraft["content"] {
  if (kind === "decision") {
    return { decision: said, rationale: [said] };
  }
  if (kind === "task_update") {
    return { task: said.slice(0, 20), title: said, status: "open" };
  }
  if (kind === "tool_result") {
    return { tool: "Read", path: "src/vat.ts", text: said };
  }
  return { text: said };
}

const request = fc.record({
  query: fc.oneof(
    words,
    fc.constantFrom("", "continue", "왜 그렇게 결정했지?", "what is this project?"),
  ),
  intent: fc.option(fc.constantFrom(...INTENTS), { nil: undefined }),
  maxTokens: fc.integer({ min: 200, max: 6_000 }),
  channel: fc.constantFrom(...CHANNELS),
});

describe("every bundle", () => {
  it("keeps its caps, comes out the same again, and counts what it leaves out", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event(text), { maxLength: 60 }), request, async (drafts, asked) => {
        const record = await logOf(drafts);
        const bundle = await record.bundle(asked);
        expectCaps(bundle, asked.maxTokens);
        expect(await record.bundle(asked)).toEqual(bundle);
        const shown = new Set(
          bundle.sections.flatMap(({ items }) => items.flatMap(({ refs }) => refs)),
        );
        const counted = bundle.omissions.filter(
          ({ reason }) => reason === "budget" || reason === "duplicate",
        );
        const left = counted.flatMap(({ candidates }) => candidates);
        expect(left.filter((ref) => shown.has(ref) && ref.startsWith("chk_"))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("takes no more tokens than its budget, of usual texts; of drawn tables 3 % more", async () => {
    await fc.assert(
      fc.asyncProperty(
        usualTexts.chain((usual) => fc.array(event(usual), { minLength: 10, maxLength: 30 })),
        fc.integer({ min: 400, max: 3_000 }),
        async (drafts, most) => {
          const bundle = await (await logOf(drafts)).bundle({
            query: "the invoice",
            maxTokens: most,
          });
          const text = bundleText(bundle);
          const isDrawn = /[═━]{4}/.test(text);
          expect(o200k(text)).toBeLessThanOrEqual(isDrawn ? most * 1.03 : most);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("takes at most 18 % more than its caps, of odd texts", async () => {
    await fc.assert(
      fc.asyncProperty(
        oddTexts.chain((odd) => fc.array(event(odd), { minLength: 10, maxLength: 30 })),
        fc.integer({ min: 400, max: 3_000 }),
        async (drafts, most) => {
          const bundle = await (await logOf(drafts)).bundle({
            query: "the invoice",
            maxTokens: most,
          });
          expect(o200k(bundleText(bundle))).toBeLessThanOrEqual(most * 1.18);
          for (const { name, items } of bundle.sections) {
            expect(o200k(items.map((item) => item.text).join("\n"))).toBeLessThanOrEqual(
              CAPS[name].max_tokens * 1.18,
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("shows nothing that its channel may not see, in no field", async () => {
    const secret = "kangaroo";
    const hidden = event(fc.constant(`${secret} of the invoice`)).map((draft) => ({
      ...draft,
      channel: "private" as const,
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(event(text), hidden), { maxLength: 60 }),
        async (drafts) => {
          const record = await logOf(drafts);
          const ids = await idsOfHidden(record, secret);
          for (const channel of ["public", "team", "agent"] as const) {
            const written = JSON.stringify(
              await record.bundle({ query: `invoice ${channel}`, channel }),
            );
            expect(written).not.toContain(secret);
            for (const id of ids) {
              expect(written).not.toContain(identityIn(id));
            }
          }
        },
      ),
      RUNS,
    );
  });

  it("names nothing hidden that something refers to, and lets nothing stand that it replaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ hides: fc.boolean(), kind: fc.constantFrom("decision", "pin") }), {
          minLength: 2,
          maxLength: 12,
        }),
        fc.array(fc.nat({ max: 11 }), { minLength: 12, maxLength: 12 }),
        fc.constantFrom(...CHANNELS),
        async (things, targets, channel) => {
          const drafts = things.map(({ hides, kind }, at) =>
            chained(at, { hides, kind, names: targets[at] as number }),
          );
          const record = await logOf(drafts);
          const bundle = await record.bundle({ query: "invoice", channel });
          const isHidden = (at: number) => channel !== "private" && things[at]?.hides === true;
          const written = JSON.stringify(bundle);
          for (const at of things.keys()) {
            if (isHidden(at)) {
              expect(written).not.toContain(identityOfChained(at));
            }
          }
          const replaced = things.flatMap(({ kind }, at) => {
            const target = (targets[at] as number) % Math.max(1, at);
            return at > 0 && things[target]?.kind === kind ? [target] : [];
          });
          const said = `${saidIn(bundle, "relevant_decisions")}${saidIn(bundle, "task_state")}`;
          for (const at of things.keys()) {
            expect(said.includes(`Number ${at} `)).toBe(!isHidden(at) && !replaced.includes(at));
          }
        },
      ),
      RUNS,
    );
  });

  it("has only references that lead somewhere", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event(text), { minLength: 5, maxLength: 40 }),
        request,
        async (drafts, asked) => {
          const record = await logOf(drafts);
          const bundle = await record.bundle(asked);
          const refs = bundle.sections.flatMap(({ items }) => items.flatMap((item) => item.refs));
          const events = refs.map((ref) =>
            ref.startsWith("chk_") ? `evt_${ref.slice(4, ref.lastIndexOf("_"))}` : ref,
          );
          const found = new Set((await record.store.find(events)).map(({ id }) => identityIn(id)));
          expect(events.filter((ref) => !found.has(identityIn(ref)))).toEqual([]);
        },
      ),
      RUNS,
    );
  });

  it("has sections that take no more than the whole, however many short items they have", async () => {
    const record = await logOf(
      Array.from({ length: 400 }, (_, at) =>
        saidAgo(at + 1, `${at}: invoice ${at * 7} is sent.`, { session: "s2" }),
      ),
    );
    for (const maxTokens of [200, 300, 500, 1_000, 2_000, 4_000, 8_000, 20_000]) {
      for (const query of ["invoice", "continue"]) {
        expectCaps(await record.bundle({ query, maxTokens }), maxTokens);
      }
    }
  });

  it("has among its decisions none without a word of the query, however near to one it was said", async () => {
    const decided = (minutes: number, decision: string) =>
      saidAgo(minutes, "", {
        kind: "decision",
        session: "s2",
        content: { decision },
      } as Partial<EventDraft>);
    const record = await logOf([
      saidAgo(9, "How is the VAT of books rounded in the checkout?", { session: "s2" }),
      decided(8, "Penguins live in Antarctica"),
      decided(7, "The VAT of books is rounded half even"),
      decided(6, "Icons have 16 pixels"),
    ]);
    const bundle = await record.bundle({ query: "the VAT of books in the checkout" });
    const decisions = saidIn(bundle, "relevant_decisions");
    expect(decisions).toContain("rounded half even");
    expect(decisions).not.toMatch(/Penguins|Icons/);
  });
});

/** The one of so many that refers to an earlier one and replaces it. */
function chained(
  at: number,
  { hides, kind, names }: { hides: boolean; kind: string; names: number },
): EventDraft {
  const target = at === 0 ? [] : [idOfChained(names % at)];
  return saidAgo(100 - at, "", {
    kind,
    key: `chained ${at}`,
    channel: hides ? "private" : "public",
    content: {
      [kind === "pin" ? "note" : "decision"]: `Number ${at} of the invoice`,
      supersedes: target,
    },
    refs: target,
  } as Partial<EventDraft>);
}

function identityOfChained(at: number): string {
  return identityFrom(`chained ${at}`);
}

function idOfChained(at: number): string {
  return eventId(NOW - (100 - at) * 60_000, identityOfChained(at));
}

function expectCaps(bundle: Bundle, most: number): void {
  expect(bundle.token_used_est).toBeLessThanOrEqual(most);
  const ofSections = bundle.sections.reduce((sum, { token_est }) => sum + token_est, 0);
  expect(ofSections).toBeLessThanOrEqual(bundle.token_used_est);
  for (const { name, token_est } of bundle.sections) {
    expect(token_est).toBeLessThanOrEqual(CAPS[name].max_tokens);
  }
}

async function idsOfHidden({ store }: BundleRecord, word: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, content } of store.read()) {
    if (JSON.stringify(content).includes(word)) {
      ids.push(id);
    }
  }
  return ids;
}
