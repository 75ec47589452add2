/**
 * Compaction: which records belong together, and what a principle over them would stand for.
 *
 * Nothing is summarised here. The agent reads the groups and writes the principle (DESIGN.md, "Non-goals").
 */
import { groupBy } from "../../core/grouping.ts";
import { BYTE_LIMITS } from "../format/record.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { countTopics, looksLike, shareLeadingWord } from "./topics.ts";

/** Records that one principle could stand for. */
export interface Group {
  readonly topic: string;
  /** Principles first, then logs, each oldest first. */
  readonly lines: readonly LessonLine[];
  /** The questions of all of them, merged; absent when there are none. */
  readonly question?: Question;
}

interface Question {
  readonly text: string;
  /** Whether it was cut to fit the limit of ask_next_time. */
  readonly cut: boolean;
}

export interface Plan {
  /** Principles made from the same records, as happens when two branches compact at once. */
  readonly siblings: readonly Group[];
  /** Two records or more of one topic. */
  readonly groups: readonly Group[];
  /** Topics that hold a single record, so that nothing can be merged within them. */
  readonly singles: readonly LessonLine[];
  /** Sets of topics that may be one topic under several names. */
  readonly alike: readonly (readonly string[])[];
}

/**
 * Whether a compaction is due: more records than the threshold, and something in them that a compaction ends. That is a log
 * beside another record of its topic, or principles made from the same records. Principles of one topic and topics that
 * look alike may be merged, but an agent that has decided to keep them apart is not asked again with each call.
 */
export function compactionDue(snapshot: Snapshot, threshold: number): boolean {
  if (snapshot.count <= threshold) return false;
  const lines = snapshot.lessons();
  const topics = groupBy(lines, ({ version }) => version.topic).values();
  const isOpen = (group: readonly LessonLine[]) =>
    group.length > 1 && group.some(({ version }) => version.type === "log");
  return [...topics].some(isOpen) || haveSharedSource(lines);
}

/** Whether a plan has nothing to merge, nor topics to compare. */
export function isEmpty({ siblings, groups, alike }: Plan): boolean {
  return siblings.length + groups.length + alike.length === 0;
}

/** Plans a compaction of all topics, or of one and those that look like it. */
export function planCompaction(snapshot: Snapshot, topic?: string): Plan {
  const all = snapshot.lessons();
  const lines = topic === undefined ? all : all.filter(({ version }) => related(version.topic, topic));
  const topics = countTopics(lines.map(({ version }) => version)).map((entry) => entry.topic);
  const alike = clusters(topics, related);
  const ordered = [...alike.flat(), ...topics].filter((name, index, names) => names.indexOf(name) === index);
  const groups = ordered.map((name) =>
    groupOf(
      name,
      lines.filter(({ version }) => version.topic === name),
    ),
  );
  return {
    siblings: siblingPrinciples(lines),
    groups: groups.filter((group) => group.lines.length > 1),
    singles: groups.filter((group) => group.lines.length === 1).flatMap((group) => group.lines),
    alike,
  };
}

/** All different questions of some records, one after the other, cut to the limit on a character boundary. */
function mergeQuestions(lines: readonly LessonLine[]): Question | undefined {
  const questions = [...new Set(lines.map(({ version }) => version.ask_next_time?.trim()).filter((text) => !!text))];
  if (questions.length === 0) return undefined;
  const merged = questions.join(" / ").replaceAll(/\s+/g, " ");
  const bytes = Buffer.from(merged, "utf8");
  if (bytes.length <= BYTE_LIMITS.ask_next_time) return { text: merged, cut: false };
  let end = BYTE_LIMITS.ask_next_time;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return { text: bytes.subarray(0, end).toString("utf8").trimEnd(), cut: true };
}

function groupOf(topic: string, lines: readonly LessonLine[]): Group {
  const sorted = [...lines].sort((a, b) => {
    const principles = Number(b.version.type === "principle") - Number(a.version.type === "principle");
    return principles || a.instant - b.instant || (a.raw < b.raw ? -1 : 1);
  });
  const question = mergeQuestions(sorted);
  return { topic, lines: sorted, ...(question && { question }) };
}

function siblingPrinciples(lines: readonly LessonLine[]): Group[] {
  const principles = lines.filter(({ version }) => version.type === "principle");
  const shareSources = (a: LessonLine, b: LessonLine) => {
    return Object.keys(a.version.meta.sources ?? {}).some((id) => b.version.meta.sources?.[id] !== undefined);
  };
  return clusters(principles, shareSources).map((cluster) => groupOf(cluster[0]?.version.topic ?? "", cluster));
}

/** Whether some record is a source of two principles. */
function haveSharedSource(lines: readonly LessonLine[]): boolean {
  const seen = new Set<string>();
  for (const { version } of lines) {
    if (version.type !== "principle") continue;
    for (const id of Object.keys(version.meta.sources ?? {})) {
      if (seen.has(id)) return true;
      seen.add(id);
    }
  }
  return false;
}

function related(a: string, b: string): boolean {
  return a === b || looksLike(a, b) || shareLeadingWord(a, b);
}

/** Sets of two or more items that are connected, directly or through others. */
function clusters<T>(items: readonly T[], connected: (a: T, b: T) => boolean): T[][] {
  const left = new Set(items);
  const found: T[][] = [];
  for (const item of left) {
    left.delete(item);
    const cluster = [item];
    for (const member of cluster) {
      for (const other of left) {
        if (!connected(member, other)) continue;
        left.delete(other);
        cluster.push(other);
      }
    }
    if (cluster.length > 1) found.push(cluster);
  }
  return found;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
