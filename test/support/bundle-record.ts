/** A session log in a folder of the test, and bundles of it without a project around: the defaults of all policies, no lessons, no views. */

import { defaultsOf } from "../../src/ground/core/policy.ts";
import type { LessonStore } from "../../src/lessons/store.ts";
import { buildBundle } from "../../src/sessions/bundle/build-bundle.ts";
import type { Bundle, BundleRequest } from "../../src/sessions/bundle/bundle.ts";
import { gather, type Sources } from "../../src/sessions/bundle/gather.ts";
import { BUDGETS_POLICY, CHANNELS_POLICY } from "../../src/sessions/bundle/settings/settings.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { testFolder } from "./in-test.ts";
import { UNREDACTED } from "./unredacted.ts";

export const NOW = Date.parse("2026-11-21T12:00:00.000Z");

/** Nothing but the session log. */
export const BARE: Omit<Sources, "events" | "now"> = {
  lessons: { read: async () => ({ count: 0 }) } as unknown as LessonStore,
  settings: {
    budgets: defaultsOf(BUDGETS_POLICY),
    channels: defaultsOf(CHANNELS_POLICY),
    views: [],
    files: [],
    notes: [],
    version: "defaults",
  },
  branch: "main",
};

const ASKED: BundleRequest = {
  query: "",
  session: "s1",
  channel: "private",
  maxTokens: 4_000,
};

export interface BundleRecord {
  readonly store: EventStore;
  bundle(request: Partial<BundleRequest>): Promise<Bundle>;
}

export async function logOf(drafts: readonly EventDraft[]): Promise<BundleRecord> {
  const store = jsonlEventStore({ folder: testFolder(), redactor: UNREDACTED, now: () => NOW });
  await store.append(drafts);
  return {
    store,
    async bundle(request) {
      const whole = { ...ASKED, ...request };
      const material = await gather(whole, { ...BARE, events: store, now: NOW });
      return buildBundle(whole, { ...material, cost: { ms: 0, bytes: 0, reads: 0 } });
    },
  };
}

/** Something said, so many minutes before now. */
export function saidAgo(minutes: number, text: string, more: Partial<EventDraft> = {}): EventDraft {
  return {
    session: "s1",
    agent: "claude-code",
    actor: { type: "human", id: "user" },
    kind: "message",
    content: { text },
    ts: new Date(NOW - minutes * 60_000).toISOString(),
    ...more,
  };
}

/** All that a bundle says. */
export function saidIn(bundle: Bundle, section?: string): string {
  const sections = bundle.sections.filter(({ name }) => section === undefined || name === section);
  return sections.flatMap(({ items }) => items.map(({ text }) => text)).join("\n");
}
