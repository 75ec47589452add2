/**
 * Prompts that need nothing ("commit", "go on"): what would be given unasked at them? A hook gives lessons there. Nothing gives parts of
 * the session log at a prompt; how well a threshold would tell the prompts that need some is measured as if something did.
 */
import { lessonsFor } from "../src/lessons/queries/prompt-lessons.ts";
import type { Event } from "../src/sessions/kinds/event.ts";
import { touchesOf } from "../src/sessions/projections/relevant-files.ts";
import type { SearchHit } from "../src/sessions/store.ts";
import { snapshotOf } from "../test/support/lines.ts";
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { bundleOf } from "./bundle-conversations.ts";
import { replay } from "./bundle-replay.ts";
import type { Sessions } from "./coding-sessions.ts";
import { type Moment, momentsOf } from "./moments.ts";
import { sized } from "./sized.ts";
import { quantile, type Row, round, type Section } from "./table.ts";

const MOMENT = { now: "2026-11-25" };

const SHORT_PROMPT = 20;
const MOST_FALSE = 0.05;
const HITS = 10;
const LESSONS = sized(300, 10);

interface Asked {
  readonly needs: boolean;
  readonly prompt: string;
  readonly hits: readonly SearchHit[];
  readonly showsEvidence: boolean;
  /** Whether it is about a file that is touched next. */
  readonly isRight: (hit: SearchHit) => boolean;
}

export async function measureControls(sessions: Sessions): Promise<Section> {
  const all: Asked[] = [];
  for await (const replayed of replay(sessions, (events) =>
    [...needless(events), ...momentsOf(events)].sort(inOrder),
  )) {
    const { moment, before, store } = replayed;
    if (moment.kind === "after compaction") continue;
    const { hits } = await store.search({ text: moment.prompt, limit: HITS });
    const bundle = await bundleOf(replayed.request, replayed);
    const touched = new Set(
      touchesOf(before).flatMap(({ event, path }) => (moment.touched.has(path) ? [event] : [])),
    );
    all.push({
      needs: moment.touched.size > 0,
      prompt: moment.prompt,
      hits,
      showsEvidence: bundle.sections.some(({ name }) => name === "retrieved_evidence"),
      isRight: ({ event }) => touched.has(event.id),
    });
  }
  const odd = all.filter((_, at) => at % 2 === 1);
  const even = all.filter((_, at) => at % 2 === 0);
  // Each half is judged by what the other one says.
  const judged = [judge(odd, thresholdOf(even)), judge(even, thresholdOf(odd))].flat();
  const snapshot = snapshotOf(
    ...realisticMemory(LESSONS).lessons.map((lesson) => JSON.stringify(lesson)),
  );
  const row = (needs: boolean): Row => {
    const asked = judged.filter((each) => each.needs === needs);
    const shown = asked.flatMap(({ above }) => above);
    return {
      prompts: needs ? "that touch known files" : `of ${SHORT_PROMPT} characters or fewer`,
      n: asked.length,
      "given lessons %": percent(
        asked,
        ({ prompt }) => lessonsFor(snapshot, prompt, MOMENT).length > 0,
      ),
      "asked for, evidence in the bundle %": percent(asked, ({ showsEvidence }) => showsEvidence),
      "above a threshold %": percent(asked, ({ above }) => above.length > 0),
      "parts shown": shown.length,
      "on files touched next %": shown.length === 0 ? "" : percent(shown, ({ isRight }) => isRight),
    };
  };
  const limits = [even, odd].map((half) => round(thresholdOf(half), 3)).join(" and ");
  const title = `${sessions.name}: what prompts would be given unasked; thresholds ${limits}, each from the other half`;
  return { title, rows: [row(false), row(true)] };
}

/** So high that it lets pass one in twenty of the prompts that need nothing. */
function thresholdOf(asked: readonly Asked[]): number {
  const scores = asked.filter(({ needs }) => !needs).map(({ hits }) => hits[0]?.score ?? 0);
  return quantile(scores, 1 - MOST_FALSE);
}

function judge(asked: readonly Asked[], threshold: number) {
  return asked.map((each) => ({
    ...each,
    above: each.hits
      .filter(({ score }) => score > threshold)
      .map((hit) => ({ isRight: each.isRight(hit) })),
  }));
}

/** Later prompts of a person that are too short to ask for anything of their own. */
function needless(events: readonly Event[]): Moment[] {
  const seen = new Set<string>();
  return events.flatMap(({ kind, actor, session, content }, at): Moment[] => {
    if (kind !== "message" || actor.type !== "human") return [];
    const isFirst = !seen.has(session);
    seen.add(session);
    const prompt = String(content.text);
    if (isFirst || prompt.trim().length > SHORT_PROMPT || prompt.startsWith("[Request interrupted"))
      return [];
    return [{ kind: "later prompt", at, session, prompt, touched: new Set() }];
  });
}

function inOrder(a: Moment, b: Moment): number {
  return a.at - b.at;
}

function percent<T>(all: readonly T[], is: (one: T) => boolean): number {
  return round((100 * all.filter(is).length) / all.length, 1);
}
