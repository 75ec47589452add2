/** One lesson with its texts, conflicting versions, sources and history, and the controls that change it. */
import { html } from "htm/preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../../../ground/core/text.ts";
import type { LessonTexts, OneLesson } from "../lessons.ts";
import { Around, go, hrefTo, isAt, type Route, useData, useKeys } from "./data.ts";
import { at, Empty, Fields, NAMES, ProblemNote } from "./parts.ts";

const FIELDS = { topic: "Topic", ...NAMES };
type Field = keyof typeof FIELDS;

/** Returns the texts that an edit may change. A principle has no gap. */
function textsIn(texts: Pick<LessonTexts, Field>, type: LessonTexts["type"]) {
  const { topic, missing_context, lesson, ask_next_time, when } = texts;
  const others = { lesson, ask_next_time, when };
  return type === "log" ? { topic, missing_context, ...others } : { topic, ...others };
}

export function LessonView({ id, params }: { id: string; params: Route["params"] }) {
  const { data, problem } = useData<readonly OneLesson[]>("lesson", { id });
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  if (data.length === 0)
    return html`<${Empty}>This lesson is not in the memory any more.</${Empty}>`;
  const back = html`<a class="back" href=${hrefTo("lessons", { ...params, id: "" })}>All lessons</a>`;
  return html`${back}${data.map((lesson) => html`<${Whole} lesson=${lesson} key=${lesson.id} params=${params} />`)}`;
}

function Whole({ lesson, params }: { lesson: OneLesson; params: Route["params"] }) {
  const { readOnly, act } = useContext(Around);
  const [isEdited, setEdited] = useState(false);
  const {
    id,
    type,
    topic,
    times,
    also,
    sources,
    earlier,
    history,
    given,
    created,
    at: changed,
    from,
  } = lesson;
  const forget = async () =>
    (await act("forget", { id })) &&
    isAt("lessons", params.id) &&
    go("lessons", { ...params, id: "" }, true);
  const edit = () => setEdited(true);
  const take = (texts: LessonTexts) => act("edit", { ...textsIn(texts, type), ref: lesson.ref });
  useKeys(readOnly || isEdited ? {} : { e: edit, x: forget });
  const facts = [
    type,
    id.slice(0, 8),
    `learnt ${at(created).day}`,
    ...(changed === created ? [] : [`changed ${at(changed).day}`]),
    ...(times > 1 ? [`met ${times} times`] : []),
  ];
  if (isEdited) return html`<${EditForm} lesson=${lesson} onEnd=${() => setEdited(false)} />`;
  return html`<article>
    <header><h2 dir="auto">${topic}</h2>
      ${!readOnly && html`<span class="buttons"><button onClick=${edit}>Edit <kbd>e</kbd></button><button onClick=${forget}>Forget <kbd>x</kbd></button></span>`}</header>
    <p class="dim">${facts.join(" · ")}${from && html` · <a href=${hrefTo("sessions", { event: from })}>the moment it was learnt from</a>`}</p>
    <${Fields} texts=${lesson} />
    ${
      also.length > 0 &&
      html`<h3>Also said, in conflict</h3><div class="beside">${also.map(
        ({ at: when, reason, texts }) =>
          html`<div class="card warn"><p class="dim">${at(when).day}${texts ? "" : ` · forgotten${reason ? `: ${reason}` : ""}`}</p>${texts && html`<${Fields} texts=${texts} unlike=${lesson} />${!readOnly && html`<button onClick=${() => take(texts)}>Take this one</button>`}`}</div>`,
      )}</div>${!readOnly && html`<p class="buttons"><button onClick=${() => take(lesson)}>Keep what shows</button></p>`}`
    }
    ${sources.length > 0 && html`<h3>${type === "principle" ? "Made from" : "In place of"}</h3><ul class="plain">${sources.map(({ id: source, text }) => html`<li dir="auto"><code>${source.slice(0, 8)}</code> ${text || "its text is not on this machine"}</li>`)}</ul>`}
    <h3>History</h3>
    <ol class="past">${history.map(({ at: when, kind, by, reason }) => html`<li><time>${at(when).day} ${at(when).time}</time> <b>${kind}</b> <bdi class="dim">${by}${reason ? ` · ${reason}` : ""}</bdi></li>`)}</ol>
    ${
      earlier.length > 0 &&
      html`<h3>Earlier texts</h3>${earlier.map(
        ({ ref, at: when, why, texts }) =>
          html`<div class="card"><p class="dim">until ${at(when).day} · ${why}</p><${Fields} texts=${texts} unlike=${lesson} />${!readOnly && html`<button onClick=${() => act("restore", { id: ref })}>Bring back</button>`}</div>`,
      )}`
    }
    <h3>Given</h3><p class="dim">${given.length === 0 ? "Never by a hook on this machine." : `${plural(given.length, "time")}, last on ${at(given[0]).day} ${at(given[0]).time}`}</p>
  </article>`;
}

function EditForm({ lesson: now, onEnd }: { lesson: OneLesson; onEnd: () => void }) {
  // The lesson may change while it's being edited. The form keeps its text, and a save is compared with the version it started from.
  const [lesson] = useState(now);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const { act } = useContext(Around);
  const [texts, setTexts] = useState<Pick<LessonTexts, Field>>(lesson);
  const names = Object.keys(textsIn(lesson, lesson.type)) as Field[];
  const save = async (event?: Event) => {
    event?.preventDefault();
    const changed = names
      .filter((name) => texts[name] !== lesson[name])
      .map((name) => [name, texts[name]]);
    const done =
      changed.length === 0 ||
      (await act("edit", { ref: lesson.ref, ...Object.fromEntries(changed) }));
    if (done) onEnd();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") onEnd();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
    event.stopPropagation();
  };
  return html`<form ref=${form} onSubmit=${save} onKeyDown=${onKey}>
    ${names.map((name) => html`<label>${FIELDS[name]}<textarea dir="auto" rows=${name === "lesson" || name === "missing_context" ? 4 : 1} value=${texts[name]} onInput=${(event: InputEvent) => setTexts({ ...texts, [name]: (event.target as HTMLTextAreaElement).value })}></textarea></label>`)}
    <p class="buttons"><button class="main">Save <kbd>Ctrl ↵</kbd></button><button type="button" onClick=${onEnd}>Cancel <kbd>Esc</kbd></button></p>
  </form>`;
}
