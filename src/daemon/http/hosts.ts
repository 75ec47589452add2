/**
 * Whether a call was meant for this daemon. A page in a browser can send calls to an address that it does not know, under a name that leads
 * there; the name and the origin of the page give it away.
 */
import type { IncomingMessage } from "node:http";
import { SentinelError } from "../../ground/core/errors.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** @param hosts names that the daemon is reached by, besides those of this machine. @throws SentinelError `not_allowed` */
export function checkHost({ headers }: IncomingMessage, hosts: readonly string[]): void {
  const known = [...LOOPBACK, ...hosts];
  if (!known.includes(nameIn(`http://${headers.host ?? ""}`)))
    throw refused(
      "The Host of the call is not a name of this daemon.",
      "sentinel-memory serve --allow-host NAME adds one.",
    );
  if (headers.origin !== undefined && !known.includes(nameIn(headers.origin)))
    throw refused("The call comes from a page of another site.", "Call from a program, or from a page of this host.");
}

const nameIn = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

const refused = (what: string, fix: string): SentinelError => new SentinelError("not_allowed", what, fix);
