/** What a purge reaches: what was made from a lesson and still holds its words, and what comes back when that goes too. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { writtenWords } from "../../ground/search/tokenizer.ts";
import { toLine } from "../format/file-lines.ts";
import { instantOf, isTombstone, type Lesson, revisionOf } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { isLessonLine, latestFirst, sourcesOf } from "../merge/versions.ts";
import { type TellingWords, tellingWordsOf, wordsWith } from "../queries/telling-words.ts";
import { cuesOfRecords, withoutCues } from "./purge.ts";

/** A lesson that holds words, and where on this machine. */
export interface Holding {
  /** As it shows, or its last version. */
  readonly lesson: Lesson;
  readonly words: readonly string[];
  /** Where a version of it holds some, for people. */
  readonly places: readonly string[];
}

export type PurgePlan = Readonly<ReturnType<typeof planPurge>>;

/** Plans a purge (docs/design/lessons.md, "Purging what was derived"). @param removed lessons that this machine has outside of the memory. */
export function planPurge(id: string, snapshot: Snapshot, removed: readonly Lesson[]) {
  const atHand = new AtHand(snapshot, removed);
  const made = atHand.madeFrom(id);
  const origins = atHand.origins([id]);
  const kin = new Set(
    [...origins, ...atHand.origins(made)].filter((other) => other !== id && !made.has(other)),
  );
  const family = new Set([id, ...made, ...kin]);
  const others = atHand.ids().flatMap((other) => (family.has(other) ? [] : atHand.versions(other)));
  const words = tellingWordsOf(atHand.versions(id), others);
  const cues = cuesOfRecords(new Set([id]), snapshot, removed);
  const holding = (other: string) =>
    atHand.holding(other, (version) => words(withoutCues(version, cues(version))));

  const related = [...made].flatMap(holding);
  const derived = related.filter(holdsWords);
  const ids = new Set([id, ...derived.map(({ lesson }) => lesson.id)]);
  // An older text of the lesson is not what else somebody would miss.
  const left = atHand.last(id)?.type === "log" ? origins : new Set<string>();
  const needed = unsaidWithout(ids, snapshot, atHand).filter((other) => !left.has(other));
  const back = needed.flatMap(holding);
  const isBack = new Set(back.map(({ lesson }) => lesson.id));
  return {
    /** The ids of the lesson, and of all that goes with it when what was derived goes too. */
    ids,
    /** Made from it, at any remove, with telling words of it. */
    derived,
    /** Made from it, without any. */
    withoutWords: related.filter((held) => !holdsWords(held)).map(({ lesson }) => lesson),
    /** What these, or the lesson itself, were made from, with such words; they stay where they are. */
    sources: [...kin]
      .flatMap((other) => (isBack.has(other) ? [] : holding(other)))
      .filter(holdsWords),
    /** What the derived lessons stand for and nothing else would say: they come back when those go. */
    back,
    /** Ids of such lessons whose text is nowhere on this machine. */
    lost: needed.filter((other) => !isBack.has(other)),
  };
}

export const holdsWords = ({ words }: Holding): boolean => words.length > 0;

/** All lessons on this machine whose texts hold a word, or another of the same text. */
export function textsWith(
  text: string,
  snapshot: Snapshot,
  removed: readonly Lesson[],
): readonly Holding[] {
  const atHand = new AtHand(snapshot, removed);
  const words = wordsWith(writtenWords(text));
  return atHand
    .ids()
    .flatMap((id) => atHand.holding(id, words))
    .filter(holdsWords);
}

/** The lessons that only these stand for, without those that one of them stands for itself. */
function unsaidWithout(
  doomed: ReadonlySet<string>,
  snapshot: Snapshot,
  atHand: AtHand,
): readonly string[] {
  const shown = snapshot.lessons().map(({ version }) => version);
  const [going, staying] = [
    shown.filter(({ id }) => doomed.has(id)),
    shown.filter(({ id }) => !doomed.has(id)),
  ];
  const elsewhere = new Set(staying.flatMap((lesson) => sourcesOf(lesson).map(([id]) => id)));
  const stoodFor = atHand.origins(
    going.map(({ id }) => id),
    (id) => doomed.has(id),
  );
  const unsaid = [...stoodFor].filter((id) => {
    return (
      !doomed.has(id) &&
      !elsewhere.has(id) &&
      snapshot.shown(id).length === 0 &&
      !wasTakenOut(id, snapshot)
    );
  });
  return unsaid.filter(
    (id) => !unsaid.some((other) => other !== id && atHand.standsFor(other, id)),
  );
}

/** Whether somebody forgot or purged it: what stood for it is not why it does not show. */
function wasTakenOut(id: string, snapshot: Snapshot): boolean {
  const cover = snapshot.coveredBy(id)?.version;
  return cover !== undefined && cover.id === id && isTombstone(cover);
}

/** Every version that this machine has, in the memory or the trash. */
class AtHand {
  readonly #byId: ReadonlyMap<
    string,
    readonly { readonly version: Lesson; readonly place: string }[]
  >;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, removed: readonly Lesson[]) {
    const kept = snapshot.lines().filter(isLessonLine);
    const inMemory = kept.map(({ version }) => ({ version, place: "the memory file" }));
    const inTrash = removed.map((version) => ({ version, place: "the trash of this machine" }));
    this.#snapshot = snapshot;
    this.#byId = groupBy([...inMemory, ...inTrash], ({ version }) => version.id);
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }

  versions(id: string): readonly Lesson[] {
    return (this.#byId.get(id) ?? []).map(({ version }) => version);
  }

  /** As it shows, or its last version; undefined where none is here. */
  last(id: string): Lesson | undefined {
    const shown = this.#snapshot.shown(id)[0]?.version;
    return (
      shown ?? this.versions(id).map(toLine).filter(isLessonLine).sort(latestFirst)[0]?.version
    );
  }

  /** Nothing for a lesson of which nothing is here. */
  holding(id: string, wordsIn: TellingWords): Holding[] {
    const lesson = this.last(id);
    const found = (this.#byId.get(id) ?? []).map(({ version, place }) => ({
      words: wordsIn(version),
      place,
    }));
    const words = new Set(found.flatMap((each) => each.words));
    const places = new Set(found.flatMap((each) => (each.words.length > 0 ? each.place : [])));
    return lesson ? [{ lesson, words: [...words], places: [...places] }] : [];
  }

  /** The lessons that were made from one, and those from these. */
  madeFrom(id: string): ReadonlySet<string> {
    const pairs = this.ids().flatMap((made) =>
      this.#sources(made).map((source) => ({ source, made })),
    );
    const makers = groupBy(pairs, ({ source }) => source);
    return reached([id], (source) => (makers.get(source) ?? []).map(({ made }) => made));
  }

  /** The lessons that some were made from, and these from others. @param goesOn which are followed further. */
  origins(
    ids: Iterable<string>,
    goesOn: (id: string) => boolean = () => true,
  ): ReadonlySet<string> {
    const starts = new Set(ids);
    return reached(starts, (id) => (starts.has(id) || goesOn(id) ? this.#sources(id) : []));
  }

  #sources(id: string): string[] {
    return this.versions(id).flatMap((version) => sourcesOf(version).map(([source]) => source));
  }

  /** Whether a lesson that can come back stands for the last version of another. */
  standsFor(id: string, other: string): boolean {
    const cover = this.last(id)?.meta.sources?.[other];
    const covered = this.last(other);
    return (
      cover !== undefined && (!covered || instantOf(revisionOf(covered.meta)) <= instantOf(cover))
    );
  }
}

/** What can be reached from some ids, without these. */
function reached(
  starts: Iterable<string>,
  next: (id: string) => readonly string[],
): ReadonlySet<string> {
  const from = new Set(starts);
  const found = new Set(from);
  // A set that grows while it is walked is walked to its end.
  for (const id of found) for (const other of next(id)) found.add(other);
  for (const id of from) found.delete(id);
  return found;
}
