/** The address of what the page shows: `#/lessons?q=vat&id=…`. */
import { useEffect, useState } from "preact/hooks";

export interface Route {
  readonly view: string;
  readonly params: Readonly<Record<string, string>>;
}

export const hrefTo = (view: string, params: Route["params"] = {}): string => {
  const said = Object.entries(params).filter(([, value]) => value !== "");
  return `#/${view}${said.length > 0 ? `?${new URLSearchParams(said)}` : ""}`;
};

/** @param isSame whether the step back stays where it is: for what changes with each key. */
export function go(view: string, params: Route["params"] = {}, isSame = false): void {
  history[isSame ? "replaceState" : "pushState"](null, "", hrefTo(view, params));
  dispatchEvent(new Event("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(routeNow);
  useEffect(() => {
    const follow = () => setRoute(routeNow());
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  return route;
}

function routeNow(): Route {
  const [, view = "lessons", query = ""] = /^#\/(\w+)(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}
