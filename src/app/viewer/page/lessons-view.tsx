/** All lessons with a search box, and next to them the selected lesson. */
import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import { LABELS } from "../fields.ts";
import type { AllLessons, Gone, LessonRow, LessonTexts, OneLesson } from "../lessons.ts";
import {
  Around,
  formKeys,
  go,
  hrefTo,
  isAt,
  type Params,
  stepsIn,
  useData,
  useKeys,
  type ViewProps,
} from "./data.ts";
import {
  at,
  Button,
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
  if (!data) return <ProblemNote problem={problem} />;
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
  if (topic === "") return rows;
  if (topic === CONFLICT) return rows.filter(({ isContested }) => isContested);
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

const FIELDS = { topic: "Topic", ...LABELS };
type Field = keyof typeof FIELDS;

/** Returns the fields that an edit may change. A principle has no gap. */
function fieldsOf(type: LessonTexts["type"]): Field[] {
  const names = Object.keys(FIELDS) as Field[];
  return names.filter((name) => type === "log" || name !== "missing_context");
}

interface LessonProps {
  readonly lesson: OneLesson;
}

function LessonView({ id, params }: { id: string; params: Params }) {
  const { data, problem } = useData<readonly OneLesson[]>("lesson", { id });
  if (!data) return <ProblemNote problem={problem} />;
  if (data.length === 0) return <Empty>This lesson is not in the memory any more.</Empty>;
  return (
    <>
      <a class="back" href={hrefTo("lessons", { ...params, id: "" })}>
        All lessons
      </a>
      {data.map((lesson) => (
        <Whole lesson={lesson} params={params} key={lesson.id} />
      ))}
    </>
  );
}

function Whole({ lesson, params }: LessonProps & { params: Params }) {
  const { readOnly, act } = useContext(Around);
  const [isEdited, setEdited] = useState(false);
  const { id, topic } = lesson;
  const edit = () => setEdited(true);
  const forget = async () => {
    const done = await act("forget", { id });
    if (done && isAt("lessons", params.id)) go("lessons", { ...params, id: "" }, true);
  };
  useKeys(readOnly || isEdited ? {} : { e: edit, x: forget });
  if (isEdited) return <EditForm lesson={lesson} onEnd={() => setEdited(false)} />;
  return (
    <article>
      <header>
        <h2 dir="auto">{topic}</h2>
        {!readOnly && (
          <span class="buttons">
            <Button label="Edit" of="e" act={edit} />
            <Button label="Forget" of="x" act={forget} />
          </span>
        )}
      </header>
      <Facts lesson={lesson} />
      <Fields texts={lesson} />
      {lesson.also.length > 0 && <Conflict lesson={lesson} />}
      {lesson.sources.length > 0 && <Sources lesson={lesson} />}
      <History lesson={lesson} />
      {lesson.earlier.length > 0 && <Earlier lesson={lesson} />}
      <Given times={lesson.given} />
    </article>
  );
}

function Facts({ lesson: { type, id, created, at: changed, times, from } }: LessonProps) {
  const facts = [type, id.slice(0, 8), `learnt ${at(created).day}`];
  if (changed !== created) facts.push(`changed ${at(changed).day}`);
  if (times > 1) facts.push(`met ${times} times`);
  return (
    <p class="dim">
      {facts.join(" · ")}
      {from && (
        <>
          {" · "}
          <a href={hrefTo("sessions", { event: from })}>the moment it was learnt from</a>
        </>
      )}
    </p>
  );
}

/** The other texts of a lesson that two branches changed. */
function Conflict({ lesson }: LessonProps) {
  const bodyWith = (texts: LessonTexts): object => {
    const fields = fieldsOf(lesson.type).map((name) => [name, texts[name]]);
    return { ref: lesson.ref, ...Object.fromEntries(fields) };
  };
  return (
    <>
      <h3>Also said, in conflict</h3>
      <div class="beside">
        {lesson.also.map(({ at: when, reason, texts }) => (
          <div class="card warn">
            <p class="dim">
              {at(when).day}
              {!texts && ` · forgotten${reason && `: ${reason}`}`}
            </p>
            {texts && <Fields texts={texts} unlike={lesson} />}
            {texts && <Change call="edit" body={bodyWith(texts)} label="Take this one" />}
          </div>
        ))}
      </div>
      <p class="buttons">
        <Change call="edit" body={bodyWith(lesson)} label="Keep what shows" />
      </p>
    </>
  );
}

function Sources({ lesson: { type, sources } }: LessonProps) {
  return (
    <>
      <h3>{type === "principle" ? "Made from" : "In place of"}</h3>
      <ul class="plain">
        {sources.map(({ id, text }) => (
          <li dir="auto" key={id}>
            <code>{id.slice(0, 8)}</code> {visibleLines(text || "its text is not on this machine")}
          </li>
        ))}
      </ul>
    </>
  );
}

function History({ lesson: { history } }: LessonProps) {
  return (
    <>
      <h3>History</h3>
      <ol class="past">
        {history.map(({ at: when, kind, by, reason }) => (
          <li>
            <time>
              {at(when).day} {at(when).time}
            </time>{" "}
            <b>{kind}</b> <bdi class="dim">{reason ? `${by} · ${reason}` : by}</bdi>
          </li>
        ))}
      </ol>
    </>
  );
}

function Earlier({ lesson }: LessonProps) {
  return (
    <>
      <h3>Earlier texts</h3>
      {lesson.earlier.map(({ ref, at: when, why, texts }) => (
        <div class="card" key={ref}>
          <p class="dim">
            until {at(when).day} · {why}
          </p>
          <Fields texts={texts} unlike={lesson} />
          <Change call="restore" body={{ id: ref }} label="Bring back" />
        </div>
      ))}
    </>
  );
}

function Given({ times }: { times: readonly number[] }) {
  const { day, time } = at(times[0]);
  const said = `${plural(times.length, "time")}, last on ${day} ${time}`;
  return (
    <>
      <h3>Given</h3>
      <p class="dim">{times.length === 0 ? "Never by a hook on this machine." : said}</p>
    </>
  );
}

function EditForm({ lesson: now, onEnd }: LessonProps & { onEnd: () => void }) {
  const { act } = useContext(Around);
  // The lesson may change while it's being edited. The form keeps its text, and a save is compared with the version it started from.
  const [lesson] = useState(now);
  const [texts, setTexts] = useState<Readonly<Record<Field, string>>>(lesson);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const names = fieldsOf(lesson.type);
  const save = async () => {
    const changed = names.filter((name) => texts[name] !== lesson[name]);
    const changes = Object.fromEntries(changed.map((name) => [name, texts[name]]));
    if (changed.length === 0 || (await act("edit", { ref: lesson.ref, ...changes }))) onEnd();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void save();
  };
  const onKey = formKeys(() => void save(), onEnd);
  return (
    <form ref={form} onSubmit={onSubmit} onKeyDown={onKey}>
      {names.map((name) => (
        <label key={name}>
          {FIELDS[name]}
          <textarea
            dir="auto"
            rows={name === "lesson" || name === "missing_context" ? 4 : 1}
            value={texts[name]}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <p class="buttons">
        <button type="submit" class="main">
          Save <kbd>Ctrl ↵</kbd>
        </button>
        <Button label="Cancel" of="Esc" act={onEnd} />
      </p>
    </form>
  );
}
