/** The viewer's page: the frame of all views with the navigation, the last change with its undo, and polling for changes. */
import { type ComponentChildren, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Done } from "../lesson-actions.ts";
import type { State } from "../routes.ts";
import { BundleView } from "./bundle-view.tsx";
import {
  Around,
  ENDED,
  enter,
  go,
  hrefTo,
  isAt,
  type Keys,
  type Problem,
  post,
  read,
  useKeys,
  useRoute,
  type ViewProps,
} from "./data.ts";
import { GivenView } from "./given-view.tsx";
import { InboxView } from "./inbox-view.tsx";
import { LessonsView } from "./lessons-view.tsx";
import { Button, ProblemNote } from "./parts.tsx";
import { SessionsView } from "./sessions-view.tsx";

/** The views in the order of their keys, 1 to 5. */
const VIEWS = new Map<string, (props: ViewProps) => ComponentChildren>([
  ["given", GivenView],
  ["inbox", InboxView],
  ["lessons", LessonsView],
  ["sessions", SessionsView],
  ["bundle", BundleView],
]);
const NAMES = [...VIEWS.keys()];

const WATCH_MS = 700;
/** A hidden page polls too, because the server stops when no page does. */
const UNSEEN_MS = 20_000;

const CLOSED: Problem = { ...ENDED, message: "This page was not opened by the viewer." };

const root = document.getElementById("app") as HTMLElement;
enter().then(
  (isIn) => render(isIn ? <App /> : <Refusal problem={CLOSED} />, root),
  (problem: Problem) => render(<Refusal problem={problem} />, root),
);

function Refusal({ problem }: { problem: Problem }) {
  return (
    <main>
      <ProblemNote problem={problem} />
    </main>
  );
}

function App() {
  const { view, params } = useRoute();
  const { state, problem, look } = useServer();
  const [note, setNote] = useState<Done>();
  const act = async (call: string, body: object): Promise<Done | undefined> => {
    try {
      const done = await post<Done>(call, body);
      await look();
      setNote(done);
      // A corrected lesson may have another id.
      if (done.id && params.id && isAt("lessons", params.id)) {
        go("lessons", { ...params, id: done.id }, true);
      }
      return done;
    } catch (error) {
      const { message, fix } = error as Problem;
      setNote({ said: `${message} ${fix}` });
      return undefined;
    }
  };
  const undo = async (): Promise<void> => {
    if (!note?.undo) {
      return;
    }
    const done = await act(note.undo.call, note.undo.body);
    if (done) {
      setNote({ said: "Taken back." });
    }
  };
  // A question about a purge only makes sense in the view that asked it.
  const dropQuestion = () => setNote((now) => (now?.purge ? undefined : now));
  useEffect(dropQuestion, [view, params.id, params.q]);
  useKeys(frameKeys(undo, dropQuestion));
  const View = VIEWS.get(view) ?? LessonsView;
  const isReady = state.stamp !== "";
  const { stamp, readOnly } = state;
  return (
    <Around.Provider value={{ stamp, readOnly, act }}>
      <Header state={state} view={view} />
      <main>
        <ProblemNote problem={problem} />
        {!problem && isReady && <View params={params} key={view} />}
      </main>
      <div class="notes" role="status">
        {note && <Note note={note} act={act} undo={undo} close={() => setNote(undefined)} />}
      </div>
    </Around.Provider>
  );
}

/** The keys of all views. */
function frameKeys(undo: () => Promise<void>, dropQuestion: () => void): Keys {
  const leave = () => {
    dropQuestion();
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  };
  const search = () => document.querySelector<HTMLInputElement>(".search")?.focus();
  const keys: Record<string, () => void> = { "/": search, u: undo, Escape: leave };
  for (const [index, name] of NAMES.entries()) {
    keys[index + 1] = () => go(name);
  }
  return keys;
}

const UNKNOWN: State = { stamp: "", project: "", isRecording: false, health: [], readOnly: true };

/** Asks the server for the state of the memory again and again. */
function useServer() {
  const [state, setState] = useState(UNKNOWN);
  const [problem, setProblem] = useState<Problem>();
  const look = async (): Promise<void> => {
    try {
      const now = await read<State>("stamp");
      setState((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
      setProblem(undefined);
    } catch (error) {
      setProblem(error as Problem);
    }
  };
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
  return { state, problem, look };
}

function Header({ state, view }: { state: State; view: string }) {
  const { stamp, project, readOnly, isRecording, health } = state;
  const name = project.split(/[\\/]/).at(-1);
  useEffect(() => {
    document.title = `${view} · ${name || "Sentinel Memory"}`;
  }, [view, name]);
  return (
    <header class="top">
      <h1 title={project}>
        <bdi>{name}</bdi>
      </h1>
      <nav aria-label="Views">
        {NAMES.map((one, index) => (
          <a href={hrefTo(one)} aria-current={one === view ? "page" : undefined} key={one}>
            {one}
            <kbd>{index + 1}</kbd>
          </a>
        ))}
      </nav>
      <p class="health">
        {readOnly && stamp !== "" && <span class="tag">read only</span>}
        <span class={isRecording ? "dot on" : "dot"} />
        {isRecording ? "recording" : "not recording"}
        {health.map(({ said, topic }) => (
          <a href={topic && hrefTo("lessons", { topic })} key={said}>
            {said}
          </a>
        ))}
      </p>
    </header>
  );
}

interface NoteProps {
  readonly note: Done;
  readonly act: (call: string, body: object) => Promise<Done | undefined>;
  readonly undo: () => Promise<void>;
  readonly close: () => void;
}

/** Focuses an element once, when it appears: a function made at each render would be called again and again. */
const toFocus = (element: HTMLElement | null) => element?.focus();

/** The outcome of the last change, or the question before a purge. */
function Note({ note: { said, undo: back, purge }, act, undo, close }: NoteProps) {
  // The button that closes a question has the focus, so that Enter doesn't purge.
  return (
    <p class="note">
      <span dir="auto">{said}</span>
      {back && <Button label="Undo" shortcut="u" act={undo} />}
      {purge && (
        <Button label="Remove it" kind="main" act={() => act("purge", { ...purge, yes: true })} />
      )}
      <button type="button" aria-label="Close" ref={purge ? toFocus : undefined} onClick={close}>
        ×
      </button>
    </p>
  );
}
