/** Calls a daemon and retries if a call fails on the way. Retries are safe because drafts have an origin or key. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, SentinelError } from "../../ground/core/errors.ts";
import { type Channel, isSeenIn } from "../kinds/event.ts";

export interface Daemon {
  /** For example `https://memory.example.com`. */
  readonly url: string;
  readonly token: string;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** The timeout of a call and the pauses before retries, in ms. */
export interface Patience {
  readonly pauses: readonly number[];
  readonly timeout: number;
}

/** @throws SentinelError `bad_argument` for an invalid URL, or one that would send the token unencrypted over a network. */
export function daemonUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username === "" && url.password === "" && url.search === "" && url.hash === "") {
    if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))) {
      return url.href.replace(/\/+$/, "");
    }
  }
  const fix = "Give https://NAME, or http://127.0.0.1:PORT for a daemon on this machine.";
  throw new SentinelError("bad_argument", "--url is not the address of a daemon.", fix);
}

/** @throws SentinelError `unauthorised` without a token. */
export function mustHaveToken(token: string | undefined): string {
  if (token) {
    return token;
  }
  const fix = "Get one from the daemon's operator, set SENTINEL_TOKEN to it, and call this again.";
  throw new SentinelError("unauthorised", "There is no token for this daemon.", fix);
}

const PATIENT: Patience = { pauses: [100, 400, 1_500], timeout: 60_000 };
/** For a user who waits to hear whether the daemon answers. */
export const ONCE: Patience = { pauses: [], timeout: 6_000 };
/** Statuses of a proxy or daemon that may pass soon. */
const PASSING = [429, 502, 503, 504];
/** The longest `retry-after` to wait for, in ms. */
const LONGEST_PAUSE = 5_000;

/** Calls a daemon. @param path of the call, below `/v1/`. @returns the parsed JSON. @throws SentinelError also `daemon_unreachable`. */
export async function callDaemon<Answer>(
  daemon: Daemon,
  path: string,
  body: unknown,
  { pauses, timeout }: Patience = PATIENT,
): Promise<Answer> {
  const text = JSON.stringify(body);
  for (let tries = 0; ; tries++) {
    const pause = pauses[tries];
    let asked = 0;
    try {
      const response = await post(daemon, path, text, timeout);
      if (response.ok) {
        return (await response.json()) as Answer;
      }
      if (pause === undefined || !PASSING.includes(response.status)) {
        throw await errorIn(response, daemon);
      }
      asked = pauseAskedIn(response);
      await response.body?.cancel();
    } catch (error) {
      if (error instanceof SentinelError) {
        throw error;
      }
      if (pause === undefined || CERTIFICATE.test(codeOf(error))) {
        throw unreachable(daemon, error);
      }
    }
    await sleep(Math.max(pause, asked));
  }
}

function post({ url, token }: Daemon, path: string, body: string, timeout: number) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeout);
  const call = { method: "POST", headers, body, signal, redirect: "error" } as const;
  return fetch(new URL(`v1/${path}`, `${url}/`), call);
}

/** In ms. */
function pauseAskedIn({ headers }: Response): number {
  const seconds = Number(headers.get("retry-after")) || 0;
  return Math.min(LONGEST_PAUSE, 1_000 * seconds);
}

/** The answer of a daemon that refuses a call. */
interface Refusal {
  readonly error?: { readonly code?: ErrorCode; readonly message?: string; readonly fix?: string };
}

/** The error of a daemon, or of a proxy in front of it. */
async function errorIn(response: Response, { url }: Daemon): Promise<SentinelError> {
  const said = (await response.json().catch(() => null)) as Refusal | null;
  const { code, message, fix } = said?.error ?? {};
  // The daemon's own fix isn't right here, because a daemon doesn't know how this machine stores its token.
  const another = `Get another token from the daemon's operator, then SENTINEL_TOKEN=… sentinel-memory sessions on --url ${url}`;
  if (code !== undefined && fix !== undefined) {
    return new SentinelError(code, `${url}: ${message}`, code === "unauthorised" ? another : fix);
  }
  if (response.status === 413) {
    return new SentinelError(
      "too_large",
      `The proxy in front of ${url} refuses calls of this size. Nothing is lost.`,
      LARGE,
    );
  }
  return new SentinelError(
    "daemon_unreachable",
    `${url} answered ${response.status}, but not as a daemon.`,
    PROXY,
  );
}

const LARGE =
  "Its operator must allow calls of 8 MiB: client_max_body_size 8m in nginx (docs/daemon.md, Behind a proxy). Then capture again.";
const PROXY = "Check the address, and the proxy in front of the daemon.";

/** Node's codes for a certificate that is untrusted, expired, or for another name. */
const CERTIFICATE = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_)/;

const TRUST_IT =
  "Set NODE_EXTRA_CA_CERTS to the certificate of the authority that signed it, for hooks too, or have it renewed.";

const codeOf = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } } | undefined)?.cause?.code ?? "");

function unreachable({ url }: Daemon, cause: unknown): SentinelError {
  const code = codeOf(cause);
  if (CERTIFICATE.test(code)) {
    const message = `This machine does not trust the certificate of ${url} (${code}).`;
    return new SentinelError("daemon_unreachable", message, TRUST_IT, { cause });
  }
  const fix = "Check that it runs and that this machine reaches it, then call again.";
  return new SentinelError("daemon_unreachable", `The daemon at ${url} does not answer.`, fix, {
    cause,
  });
}

export interface CallerOfToken {
  readonly tenant: string;
  readonly owner: string;
  /** The narrowest channel that it may read and record. */
  readonly channel: Channel;
  readonly scope: "write" | "read";
  /** Whether the user made the token. Absent from daemons of the previous release. */
  readonly own?: boolean;
  /** The expiry in ISO 8601, or null for never. Absent from daemons of the previous release. */
  readonly expiresAt?: string | null;
}

/** @throws SentinelError `unauthorised`, `not_allowed`, `daemon_unreachable`. */
export function whoCalls(daemon: Daemon, patience?: Patience): Promise<CallerOfToken> {
  return callDaemon(daemon, "events/caller", {}, patience);
}

/** @throws SentinelError `not_allowed` if the token may not record in the channel. */
export function mustRecordIn(channel: "private" | "team", holder: CallerOfToken): void {
  if (holder.scope !== "write") {
    throw unfit("This token is for reading.");
  }
  if (isSeenIn(holder.channel, channel)) {
    return;
  }
  const team = isSeenIn(holder.channel, "team")
    ? "Add --channel team, or use another token"
    : "Use another token";
  const fix =
    holder.own === false
      ? `${team}: to make your own: sentinel-memory daemon token rotate`
      : `${team}.`;
  throw unfit(`This token records up to the channel ${holder.channel}.`, fix);
}

const unfit = (what: string, fix = "Use another token."): SentinelError =>
  new SentinelError("not_allowed", what, fix);
