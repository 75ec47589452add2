/** Shows one candidate at a time, evidence first. You keep it, reword it, refuse it permanently, or leave it for later. */
import { html } from "htm/preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../../../ground/core/text.ts";
import type { InboxRow } from "../inbox.ts";
import { Around, go, hrefTo, type Route, stepsIn, useData, useKeys } from "./data.ts";
import { Empty, Fields, ProblemNote, Text, useInSight } from "./parts.ts";

export function InboxView({ params }: Pick<Route, "params">) {
  const { data, problem } = useData<readonly InboxRow[]>("inbox");
  const rows = data ?? [];
  const place = useRef(0);
  const found = rows.findIndex(({ id }) => id === params.id);
  // A decision removes a candidate from the list, so the next one has the same index.
  const index = Math.max(
    0,
    params.id && found < 0 ? Math.min(place.current, rows.length - 1) : found,
  );
  place.current = index;
  const steps = stepsIn(rows, index, ({ id }) => go("inbox", { id }, true));
  useKeys({ ...steps, s: steps.j });
  useInSight("[aria-current=true]", index);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  const chosen = rows[index];
  if (!chosen) return html`<${Empty}>Nothing to review.</${Empty}>`;
  return html`<div class=${`split ${params.id ? "one" : ""}`}>
    <section class="list" aria-label="Candidates"><p class="count" role="status">${plural(rows.length, "candidate")}</p>
      <ul class="long plain" tabindex="0">${rows.map((row) => html`<li>${rowOf(row, row === chosen)}</li>`)}</ul></section>
    <section class="detail" aria-label="Candidate"><a class="back" href=${hrefTo("inbox")}>All candidates</a><${One} row=${chosen} later=${steps.j} key=${chosen.id} /></section></div>`;
}

/** Returns the kind of a candidate, which is the name of its first fact. For some kinds the page shows links instead of commands. */
const kindOf = ({ facts }: InboxRow) => Object.keys(facts)[0] ?? "";
const KINDS: Readonly<Record<string, string>> = {
  failed: "Failed again",
  note: "Noted",
  aged: "Names a missing file or option",
};
const LINKED = ["moment", "is"];

const rowOf = (row: InboxRow, isChosen: boolean) =>
  html`<a class="row" href=${hrefTo("inbox", { id: row.id })} aria-current=${isChosen ? "true" : undefined}>
    <span class="line"><span class="tag warn">${kindOf(row)}</span><span class="dim end">${row.facts[kindOf(row)]}</span></span><code class="words">${row.facts.command || row.texts.lesson}</code></a>`;

function One({ row, later }: { row: InboxRow; later: () => void }) {
  const { readOnly, act } = useContext(Around);
  const [words, setWords] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const { id, facts, moment, aged, output, texts } = row;
  useLayoutEffect(() => box.current?.focus(), [words === undefined]);
  const decide = (call: string, body: object) => act(call, { id, ...body });
  // Blank text means that the rule isn't reworded.
  const keep = () =>
    words?.trim() === "" ? setWords(undefined) : decide("keep", words ? { lesson: words } : {});
  const never = () => decide("never", {});
  const edit = () => (aged ? go("lessons", { id: aged }) : setWords(texts.lesson));
  useKeys(readOnly ? {} : { ...(!aged && { y: keep }), n: never, e: edit });
  const onKey = (key: KeyboardEvent) => {
    if (key.key === "Escape") setWords(undefined);
    if (key.key === "Enter" && (key.ctrlKey || key.metaKey)) void keep();
    key.stopPropagation();
  };
  const shown = Object.entries(facts).filter(
    ([name, text]) => text !== "" && !LINKED.includes(name),
  );
  return html`<article><header><h2>${KINDS[kindOf(row)]}</h2></header>
    <dl>${shown.map(([name, text]) => html`<dt>${name}</dt><dd dir="auto"><${Text}>${text}</${Text}></dd>`)}</dl>
    ${moment && html`<p><a href=${hrefTo("sessions", { id: moment.session, event: moment.event })}>the moment</a></p>`}
    ${output.length > 0 && html`<h3>It said</h3><pre dir="auto"><${Text}>${output.join("\n")}</${Text}></pre>`}
    <h3>${aged ? "The lesson" : "As a lesson"} in <bdi>${texts.topic}</bdi></h3><${Fields} texts=${texts} />
    ${words !== undefined && html`<label>In your words<textarea ref=${box} dir="auto" rows="3" value=${words} onKeyDown=${onKey} onInput=${(input: InputEvent) => setWords((input.target as HTMLTextAreaElement).value)}></textarea></label>`}
    ${!readOnly && html`<p class="buttons">${!aged && html`<button class="main" onClick=${keep}>Keep <kbd>${words === undefined ? "y" : "Ctrl ↵"}</kbd></button>`}${words === undefined && html`<button onClick=${edit}>${aged ? "Edit or forget it" : "In your words"} <kbd>e</kbd></button>`}<button onClick=${never}>${aged ? "It holds" : "Never"} <kbd>n</kbd></button><button onClick=${later}>Later <kbd>s</kbd></button></p>`}
  </article>`;
}
