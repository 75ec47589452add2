/** One lesson with its texts, conflicting versions, sources and history, and the controls that change it. */
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import { LABELS } from "../fields.ts";
import type { LessonTexts, OneLesson } from "../lessons.ts";
import { Around, formKeys, go, hrefTo, isAt, type Params, useData, useKeys } from "./data.ts";
import { at, Button, Change, Empty, Fields, ProblemNote } from "./parts.tsx";

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

export function LessonView({ id, params }: { id: string; params: Params }) {
  const { data, problem } = useData<readonly OneLesson[]>("lesson", { id });
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  if (data.length === 0) {
    return <Empty>This lesson is not in the memory any more.</Empty>;
  }
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
    if (done && isAt("lessons", params.id)) {
      go("lessons", { ...params, id: "" }, true);
    }
  };
  useKeys(readOnly || isEdited ? {} : { e: edit, x: forget });
  if (isEdited) {
    return <EditForm lesson={lesson} onEnd={() => setEdited(false)} />;
  }
  return (
    <article>
      <header>
        <h2 dir="auto">{topic}</h2>
        {!readOnly && (
          <span class="buttons">
            <Button label="Edit" shortcut="e" act={edit} />
            <Button label="Forget" shortcut="x" act={forget} />
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
  if (changed !== created) {
    facts.push(`changed ${at(changed).day}`);
  }
  if (times > 1) {
    facts.push(`met ${times} times`);
  }
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
    if (changed.length === 0 || (await act("edit", { ref: lesson.ref, ...changes }))) {
      onEnd();
    }
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
        <Button label="Cancel" shortcut="Esc" act={onEnd} />
      </p>
    </form>
  );
}
