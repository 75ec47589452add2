/**
 * Builds a bundle as a server does, over real standard input and output, and once more here at the story's instant, to see its fields. Checks
 * what holds for every bundle, and what the story expects.
 */
import { defaultsOf } from "../../src/ground/core/policy.ts";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { BUDGETS_POLICY } from "../../src/sessions/bundle/settings/settings.ts";
import { type Event, identityIn } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { chunksOf, eventOfChunk } from "../../src/sessions/storing/chunks.ts";
import { bundleOfProject } from "../support/bundle-of-project.ts";
import { type Check, check, checkText } from "./check.ts";
import type { BundleStep } from "./context-schema.ts";
import type { BundleExpectation, SectionExpectation } from "./expectations.ts";
import type { Path } from "./read-scenario.ts";
import type { Story } from "./story.ts";

/** What no bundle may exceed, whatever a story is about. */
const MOST_POOL = 2_000;
const MOST_BYTES_READ = 8_000_000;
const CAPS = defaultsOf(BUDGETS_POLICY).sections;

/** For the report. */
export interface BundleMeasures {
  readonly query: string;
  readonly tokens: number;
  readonly pool: number;
  readonly bytes: number;
  readonly reads: number;
  /** As a model waits for it. */
  readonly ms: number;
}

type TakenBundle = BundleStep & { readonly as: string; readonly expect: BundleExpectation };

export async function takeBundle(
  step: TakenBundle,
  story: Story,
): Promise<{ readonly text: string; readonly checks: Check[] }> {
  const { bundle: query, intent, channel, max_tokens, session, handoff } = step;
  const store = await story.record();
  const agent = await story.agent(step.as);
  const began = performance.now();
  const { text } = await agent.call("build_acb", {
    query,
    intent,
    channel,
    max_tokens,
    session,
    handoff,
  });
  const ms = Math.round(performance.now() - began);
  const request = { query, intent, channel, session, handoff, maxTokens: max_tokens };
  const made = await bundleOfProject(story.project, request, store, story.now);
  const { token_used_est: tokens, provenance } = made;
  const { bytes, reads } = provenance.read ?? NOT_TOLD;
  story.bundles.push({ query, tokens, pool: provenance.candidate_pool_size, bytes, reads, ms });
  const always = [...sizeChecks(made, max_tokens), ...(await sourceChecks(made, store))];
  return { text, checks: [...always, ...expected(step.expect, made, text)] };
}

/** In other channels than private a bundle does not say what was read for it. */
const NOT_TOLD = { bytes: 0, reads: 0 };

function sizeChecks(
  { token_used_est, budget_tokens, sections, provenance }: Bundle,
  asked: number,
): Check[] {
  const { candidate_pool_size, read } = provenance;
  return [
    most("tokens", Math.min(budget_tokens, asked), token_used_est, []),
    ...sections.map(({ name, token_est }) =>
      most(`tokens in ${name}`, CAPS[name].max_tokens, token_est, []),
    ),
    most("candidates", MOST_POOL, candidate_pool_size, []),
    most("bytes read", MOST_BYTES_READ, (read ?? NOT_TOLD).bytes, []),
  ];
}

/** Whatever is shown names where it comes from, and that is there; what is shown in part can be had whole. */
async function sourceChecks({ sections, omissions }: Bundle, store: EventStore): Promise<Check[]> {
  const items = sections.flatMap((section) => section.items);
  const orphans = items.filter(({ refs }) => refs.length === 0).map(({ text }) => text);
  const shown = items.flatMap((item) => item.refs).filter((ref) => !/^(?:view|lesson):./.test(ref));
  const summaries = (await eventsNamed(shown, store)).filter(({ kind }) => kind === "summary");
  orphans.push(...summaries.filter(({ refs }) => refs.length === 0).map(({ id }) => id));
  const named = [...shown, ...summaries.flatMap(({ refs }) => refs)];
  const there = (await eventsNamed(named, store)).flatMap((event) => [
    event.id,
    ...chunksOf(event).map(({ id }) => id),
  ]);
  const known = new Set(there.map(identityAndPart));
  const lost = named.filter((ref) => !known.has(identityAndPart(ref)));
  const artifacts = omissions.flatMap(({ artifact_id }) => artifact_id ?? []);
  for (const id of new Set(artifacts)) {
    if ((await store.artifact(id)) === undefined) {
      lost.push(id);
    }
  }
  return [
    check([], orphans.length === 0, "nothing without references", orphans.join("\n")),
    check([], lost.length === 0, "references that lead somewhere", lost.join(", ")),
  ];
}

async function eventsNamed(refs: readonly string[], store: EventStore): Promise<readonly Event[]> {
  return store.find([
    ...new Set(refs.map((ref) => (ref.startsWith("chk_") ? eventOfChunk(ref) : ref))),
  ]);
}

/** Of an id, what does not depend on when it was read. */
function identityAndPart(id: string): string {
  return id.startsWith("chk_")
    ? `${identityIn(eventOfChunk(id))}${id.slice(id.lastIndexOf("_"))}`
    : identityIn(id);
}

function expected(expectation: BundleExpectation, bundle: Bundle, text: string): Check[] {
  const {
    sections,
    most_tokens,
    most_pool,
    most_bytes_read,
    omitted,
    conflict,
    least_folded,
    ...said
  } = expectation;
  const { candidate_pool_size, read, conflict_flags, duplicates_folded } = bundle.provenance;
  const { contains, lacks } = said;
  const flags = conflict_flags.map(({ says, against }) => `${says}, and ${against} counts`);
  return [
    ...checkText(said, text, ["expect"]),
    ...checkText({ contains, lacks }, stringsIn(bundle).join("\n"), ["expect"]),
    ...Object.entries(sections).flatMap(([name, wanted]) => sectionChecks(bundle, name, wanted)),
    ...(most_tokens === undefined
      ? []
      : [most("tokens", most_tokens, bundle.token_used_est, ["expect", "most_tokens"])]),
    ...(most_pool === undefined
      ? []
      : [most("candidates", most_pool, candidate_pool_size, ["expect", "most_pool"])]),
    ...(most_bytes_read === undefined
      ? []
      : [
          most("bytes read", most_bytes_read, (read ?? NOT_TOLD).bytes, [
            "expect",
            "most_bytes_read",
          ]),
        ]),
    ...Object.entries(omitted).map(([reason, count]) => {
      const left = bundle.omissions
        .filter((each) => each.reason === reason)
        .reduce((sum, each) => sum + each.count, 0);
      const isRight = count === 0 ? left === 0 : left >= count;
      return check(
        ["expect", "omitted", reason],
        isRight,
        `${count || "nothing"} left out: ${reason}`,
        `${left}`,
      );
    }),
    ...(conflict
      ? [
          check(
            ["expect", "conflict"],
            flags.includes(`${conflict.says}, and ${conflict.against} counts`),
            JSON.stringify(conflict),
            flags.join("; "),
          ),
        ]
      : []),
    ...(least_folded === undefined
      ? []
      : [
          check(
            ["expect", "least_folded"],
            duplicates_folded >= least_folded,
            `${least_folded} folded`,
            `${duplicates_folded}`,
          ),
        ]),
  ];
}

function sectionChecks(
  { sections }: Bundle,
  name: string,
  expectation: SectionExpectation,
): Check[] {
  const { items, most_items = items, each, ...said } = expectation;
  const at = ["expect", "sections", name];
  const held = sections.find((section) => section.name === name)?.items ?? [];
  const count = (is: boolean, wanted: string) =>
    check(at, is, `${wanted} in ${name}`, tellItems(held));
  const others = held.filter(
    ({ text }) => each !== undefined && !new RegExp(each, "mu").test(text),
  );
  return [
    ...checkText(said, held.flatMap((item) => [item.text, ...item.refs]).join("\n"), at),
    ...(items === undefined ? [] : [count(held.length >= items, `${items} items`)]),
    ...(most_items === undefined
      ? []
      : [count(held.length <= most_items, `at most ${most_items} items`)]),
    ...(each === undefined
      ? []
      : [
          check(
            at,
            held.length > 0 && others.length === 0,
            `only items that match /${each}/`,
            tellItems(others),
          ),
        ]),
  ];
}

function tellItems(items: Bundle["sections"][number]["items"]): string {
  return `${items.length} items:${items.map(({ text }) => `\n  ${text}`).join("")}`;
}

function most(what: string, limit: number, actual: number, at: Path): Check {
  return check(at, actual <= limit, `at most ${limit} ${what}`, `${actual}`);
}

/** Every text anywhere in it. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
