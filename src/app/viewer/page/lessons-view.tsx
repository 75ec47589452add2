/** All lessons with a search box, and next to them the selected lesson. */
import { useMemo } from "preact/hooks";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import type { AllLessons, Gone, LessonRow } from "../lessons.ts";
import { go, hrefTo, type Params, stepsIn, useData, useKeys, type ViewProps } from "./data.ts";
import { LessonView } from "./lesson-view.tsx";
import {
  at,
  Change,
  Empty,
  Fields,
  LongList,
  ProblemNote,
  Scrolled,
  SearchBox,
  useInSight,
} from "./parts.tsx";

/** The values of the choice of topics that aren't topics. */
const CONFLICT = ":conflict";
const GONE = ":gone";

export function LessonsView({ params }: ViewProps) {
  const { q = "", topic = "", id = "" } = params;
  const { data, problem } = useData<AllLessons>("lessons");
  const { data: found } = useData<readonly string[] | null>("search", data ? { q } : null);
  const shown = useMemo(() => chosenOf(data?.lessons ?? [], found, topic), [data, found, topic]);
  const chosen = shown.findIndex((row) => id !== "" && row.id.startsWith(id));
  const steps = stepsIn(shown, chosen, (row) =>
    go("lessons", { ...params, id: row.id }, id !== ""),
  );
  const change = (more: Params) => go("lessons", { ...params, ...more }, true);
  useKeys({ ...steps, Escape: () => change({ id: "" }) });
  useInSight(".row[aria-current=true]", chosen);
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  return (
    <div class={id ? "split one" : "split"}>
      <section class="list" aria-label="Lessons">
        <div class="tools">
          <SearchBox
            value={q}
            label="Search lessons"
            onInput={(text) => change({ q: text, id: "" })}
          />
          <Topics data={data} topic={topic} choose={(value) => change({ topic: value })} />
        </div>
        {topic === GONE && <GoneList gone={data.gone} />}
        {topic !== GONE && (
          <List all={data.lessons} shown={shown} chosen={chosen} params={params} />
        )}
        {data.lessons.length === 0 && <Empty>Nothing was learnt here yet.</Empty>}
      </section>
      <section class="detail" aria-label="Lesson">
        {id && <LessonView id={id} params={params} key={id} />}
        {!id && <Empty>Choose a lesson: j and k step, / searches.</Empty>}
      </section>
    </div>
  );
}

/** Returns the lessons to show. @param found ids, best match first. Absent means all lessons. */
function chosenOf(
  all: readonly LessonRow[],
  found: readonly string[] | null | undefined,
  topic: string,
): readonly LessonRow[] {
  let rows = all;
  if (found) {
    const byId = new Map(all.map((row) => [row.id, row]));
    rows = found.map((id) => byId.get(id)).filter((row) => row !== undefined);
  }
  if (topic === "") {
    return rows;
  }
  if (topic === CONFLICT) {
    return rows.filter(({ isContested }) => isContested);
  }
  return rows.filter((row) => row.topic === topic);
}

interface TopicsProps {
  readonly data: AllLessons;
  readonly topic: string;
  readonly choose: (topic: string) => void;
}

function Topics({ data: { lessons, topics, gone }, topic, choose }: TopicsProps) {
  const hasConflict = lessons.some(({ isContested }) => isContested);
  return (
    <select
      aria-label="Topic"
      value={topic}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">All topics</option>
      {topics.map((one) => (
        <option value={one.topic} key={one.topic}>
          {one.topic} ({one.count}) {at(one.last).day}
        </option>
      ))}
      {hasConflict && <option value={CONFLICT}>In conflict</option>}
      {gone.length > 0 && <option value={GONE}>Not in the memory any more ({gone.length})</option>}
    </select>
  );
}

interface ListProps {
  readonly all: readonly LessonRow[];
  readonly shown: readonly LessonRow[];
  readonly chosen: number;
  readonly params: Params;
}

function List({ all, shown, chosen, params }: ListProps) {
  const count = plural(all.length, "lesson");
  return (
    <>
      <p class="count" role="status">
        {shown.length === all.length ? count : `${shown.length} of ${count}`}
      </p>
      {shown.length > 0 && (
        <Scrolled label="List of lessons">
          <LongList
            rows={shown}
            chosen={chosen}
            show={(row) => <Row row={row} params={params} />}
          />
        </Scrolled>
      )}
    </>
  );
}

function Row({ row, params }: { row: LessonRow; params: Params }) {
  const { id, topic, lesson, at: when, times, type, isContested } = row;
  const isChosen = params.id !== undefined && params.id !== "" && id.startsWith(params.id);
  return (
    <a
      class="row"
      href={hrefTo("lessons", { ...params, id })}
      aria-current={isChosen ? "true" : undefined}
    >
      <span class="line">
        <bdi class="topic">{topic}</bdi>
        {type === "principle" && <span class="tag">principle</span>}
        {isContested && <span class="tag warn">in conflict</span>}
        <span class="dim end">
          {times > 1 && `${times}× · `}
          {at(when).day}
        </span>
      </span>
      <span class="words" dir="auto">
        {visibleLines(lesson)}
      </span>
    </a>
  );
}

function GoneList({ gone }: { gone: readonly Gone[] }) {
  return (
    <Scrolled label="Forgotten">
      {gone.map(({ ref, at: when, why, texts }) => (
        <article class="card" key={ref}>
          <p class="dim">
            {at(when).day} · {why} · <bdi>{texts.topic}</bdi>
          </p>
          <Fields texts={texts} />
          <Change call="restore" body={{ id: ref }} label="Bring back" />
        </article>
      ))}
    </Scrolled>
  );
}
