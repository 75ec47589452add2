/**
 * Calls the viewer's own server, loads data again after each change, handles keys, and reads the address of a view:
 * `#/lessons?q=vat&id=…`. The bearer token stays in the tab, and a new tab asks an open tab for it.
 */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Done } from "../lesson-actions.ts";

export interface Problem {
  readonly message: string;
  readonly fix: string;
}

const KEPT = "bearer";
const TABS = "sentinel-viewer";
/** How long another tab may take to answer. */
const PATIENCE_MS = 400;
export const ENDED: Problem = {
  message: "The viewer has ended.",
  fix: "Run sentinel-memory view again.",
};

/** Reads the one-time token from the address and removes it, or asks another tab for the bearer token. @returns whether this page may read. */
export async function enter(): Promise<boolean> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token !== undefined) {
    history.replaceState(null, "", "#/lessons");
    const { bearer } = await post<{ bearer: string }>("session", { token });
    sessionStorage.setItem(KEPT, bearer);
  }
  const tabs = new BroadcastChannel(TABS);
  const kept = sessionStorage.getItem(KEPT) ?? (await askOtherTabs(tabs));
  if (kept === undefined) {
    return false;
  }
  sessionStorage.setItem(KEPT, kept);
  tabs.onmessage = ({ data }) => data === "ask" && tabs.postMessage({ bearer: kept });
  return true;
}

function askOtherTabs(tabs: BroadcastChannel): Promise<string | undefined> {
  return new Promise((resolve) => {
    tabs.onmessage = ({ data }) => typeof data?.bearer === "string" && resolve(data.bearer);
    tabs.postMessage("ask");
    setTimeout(resolve, PATIENCE_MS);
  });
}

/** @throws Problem */
export const read = <Answer>(
  name: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> => call(`${name}?${new URLSearchParams(query)}`, {});

/** @throws Problem */
export const post = <Answer>(name: string, body: object): Promise<Answer> =>
  call(name, { method: "POST", body: JSON.stringify(body) });

async function call<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const headers = { authorization: `Bearer ${sessionStorage.getItem(KEPT) ?? ""}` };
  const response = await fetch(`/api/${path}`, { ...init, headers }).catch(() => {
    throw ENDED;
  });
  const answer = await response.json();
  if (response.ok) {
    return answer;
  }
  throw answer.error;
}

export interface Surroundings {
  /** Changes whenever any data may have changed. */
  readonly stamp: string;
  readonly readOnly: boolean;
  /** Makes a change, shows the outcome, and offers to undo it. */
  readonly act: (call: string, body: object) => Promise<Done | undefined>;
}

export const Around = createContext<Surroundings>({
  stamp: "",
  readOnly: true,
  act: async () => undefined,
});

interface Loaded<Answer> {
  readonly data?: Answer;
  readonly problem?: Problem;
}

/** Loads data. Keeps the old data until the new data arrives. @param query null sends no request. */
export function useData<Answer>(
  name: string,
  query: Readonly<Record<string, string>> | null = {},
): Loaded<Answer> {
  const { stamp } = useContext(Around);
  const [loaded, setLoaded] = useState<Loaded<Answer> & { readonly key?: string }>({});
  const key = `${name} ${JSON.stringify(query)}`;
  // Send the request before the page is painted. Otherwise each key typed in a search would wait for the paint.
  useLayoutEffect(() => {
    let isLatest = true;
    const set = (value: Loaded<Answer>) => isLatest && setLoaded({ ...value, key });
    if (query) {
      read<Answer>(name, query).then(
        (data) => set({ data }),
        (problem) => set({ problem }),
      );
    }
    return () => {
      isLatest = false;
    };
  }, [key, stamp]);
  return loaded;
}

/** Returns the key handlers that step through a list. @param at the current index, or -1. */
export function stepsIn<Row>(rows: readonly Row[], at: number, show: (row: Row) => void) {
  const by = (step: number) => () => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (next !== undefined) {
      show(next);
    }
  };
  return { j: by(1), k: by(-1), ArrowDown: by(1), ArrowUp: by(-1) };
}

const STEPS = ["j", "k", "ArrowDown", "ArrowUp"];

/** The actions of keys, by key name. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Handles the keys of a view. While the user types in a field, only Escape works. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Listen before the page is painted, so that an early key press isn't lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || !isForView(event)) {
        return;
      }
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Whether a key is meant for the view, and not for a field or the browser. */
function isForView(event: KeyboardEvent): boolean {
  const { target, key, repeat, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) {
    return false;
  }
  // A key that is held down may repeat a step, but must not repeat a decision.
  if (repeat && !STEPS.includes(key)) {
    return false;
  }
  const isField = target instanceof HTMLElement && target.matches("input, textarea, select");
  return !isField || key === "Escape";
}

/** The parameters in the address of a view. */
export type Params = Readonly<Record<string, string>>;

export interface ViewProps {
  readonly params: Params;
}

/** Returns the address of a view, without its empty parameters. */
export function hrefTo(view: string, params: Params = {}): string {
  const filled = Object.entries(params).filter(([, value]) => value !== "");
  return filled.length > 0 ? `#/${view}?${new URLSearchParams(filled)}` : `#/${view}`;
}

/** Opens a view. @param isSame replaces the history entry, for changes on every key press. */
export function go(view: string, params: Params = {}, isSame = false): void {
  history[isSame ? "replaceState" : "pushState"](null, "", hrefTo(view, params));
  dispatchEvent(new Event("hashchange"));
}

interface Route extends ViewProps {
  readonly view: string;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(routeNow);
  useLayoutEffect(() => {
    const follow = () => setRoute(routeNow());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** Whether the page still shows this. The user may have left before a reply arrived. */
export function isAt(view: string, id: string | undefined): boolean {
  const now = routeNow();
  return now.view === view && now.params.id === id;
}

function routeNow(): Route {
  const [, view = "lessons", query = ""] = /^#\/(\w+)(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Handles the keys of a form: Escape cancels, Ctrl+Enter saves. The view's keys don't apply. */
export const formKeys = (save: () => void, cancel: () => void) => (event: KeyboardEvent) => {
  if (event.key === "Escape") {
    cancel();
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    save();
  }
  event.stopPropagation();
};
