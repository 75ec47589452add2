/** The frame of all views: navigation, the last change with its undo, and polling for changes. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Done } from "../lesson-actions.ts";
import type { State } from "../routes.ts";
import { BundleView } from "./bundle-view.ts";
import { type Problem, post, read } from "./call.ts";
import { Around, go, hrefTo, isAt, useKeys, useRoute } from "./data.ts";
import { GivenView } from "./given-view.ts";
import { InboxView } from "./inbox-view.ts";
import { LessonsView } from "./lessons-view.ts";
import { ProblemNote } from "./parts.ts";
import { SessionsView } from "./sessions-view.ts";

const VIEWS = {
  given: GivenView,
  inbox: InboxView,
  lessons: LessonsView,
  sessions: SessionsView,
  bundle: BundleView,
};
const WATCH_MS = 700;
/** A hidden page polls too, because the server stops when no page does. */
const UNSEEN_MS = 20_000;

/** Focuses the button that closes a purge question, so that Enter doesn't purge. */
const toFocus = (element: HTMLElement | null) => element?.focus();

export function App() {
  const { view, params } = useRoute();
  const [{ stamp = "", project = "", readOnly = true, recorded, health = [] }, setNow] = useState<
    Partial<State>
  >({});
  const [problem, setProblem] = useState<Problem>();
  const [note, setNote] = useState<Done>();
  const look = () =>
    read<State>("stamp").then((now) => {
      setNow((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
      setProblem(undefined);
    }, setProblem);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const watch = async () => {
      clearTimeout(timer);
      await look();
      timer = setTimeout(watch, document.hidden ? UNSEEN_MS : WATCH_MS);
    };
    void watch();
    document.addEventListener("visibilitychange", watch);
    return () => clearTimeout(timer);
  }, []);
  const act = async (call: string, body: object): Promise<Done | undefined> => {
    try {
      const done = await post<Done>(call, body);
      await look();
      setNote(done);
      // A corrected lesson may have another id.
      if (done.id && params.id && isAt("lessons", params.id))
        go("lessons", { ...params, id: done.id }, true);
      return done;
    } catch (error) {
      const { message, fix } = error as Problem;
      setNote({ said: `${message} ${fix}` });
      return undefined;
    }
  };
  const { said = "", undo: back, purge: doomed } = note ?? {};
  const undo =
    back && (async () => (await act(back.call, back.body)) && setNote({ said: "Taken back." }));
  const purge = doomed && (() => act("purge", { ...doomed, yes: true }));
  // A question about a purge only makes sense in the view that asked it.
  const dropQuestion = () => setNote((now) => (now?.purge ? undefined : now));
  useEffect(dropQuestion, [view, params.id, params.q]);
  const names = Object.keys(VIEWS);
  const views = Object.fromEntries(names.map((name, index) => [String(index + 1), () => go(name)]));
  const search = () => document.querySelector<HTMLInputElement>(".search")?.focus();
  const leave = () => {
    dropQuestion();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  useKeys({ ...views, "/": search, u: undo, Escape: leave });
  const Shown = Object.hasOwn(VIEWS, view) ? VIEWS[view as keyof typeof VIEWS] : LessonsView;
  const name = project.split(/[\\/]/).at(-1);
  useEffect(() => {
    document.title = `${view} · ${name || "Sentinel Memory"}`;
  }, [view, name]);
  return html`<${Around.Provider} value=${{ stamp, readOnly, act }}>
    <header class="top"><h1 title=${project}><bdi>${name}</bdi></h1>
      <nav aria-label="Views">${names.map((one, index) => html`<a href=${hrefTo(one)} aria-current=${one === view ? "page" : undefined}>${one}<kbd>${index + 1}</kbd></a>`)}</nav>
      <p class="health">${readOnly && stamp !== "" && html`<span class="tag">read only</span>`}<span class=${`dot ${recorded}`}></span>${recorded === "on" ? "recording" : "not recording"}${health.map((one) => html`<a href=${one.topic && hrefTo("lessons", { topic: one.topic })}>${one.said}</a>`)}</p></header>
    <main>${problem ? html`<${ProblemNote} problem=${problem} />` : stamp !== "" && html`<${Shown} params=${params} key=${view} />`}</main>
    <div class="notes" role="status">${note && html`<p class="note"><span dir="auto">${said}</span>${undo && html`<button onClick=${undo}>Undo <kbd>u</kbd></button>`}${purge && html`<button class="main" onClick=${purge}>Remove it</button>`}<button aria-label="Close" ref=${purge ? toFocus : undefined} onClick=${() => setNote(undefined)}>×</button></p>`}</div>
  </${Around.Provider}>`;
}
