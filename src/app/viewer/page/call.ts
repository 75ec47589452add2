/** Calls the viewer's own server. The bearer token stays in the tab, and a new tab asks an open tab for it. */

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
  if (kept === undefined) return false;
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
  if (response.ok) return answer;
  throw answer.error;
}
