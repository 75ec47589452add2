/** Accepts calls from the browser that has the one-time token. Refuses other sites, other host names and other users. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { SentinelError } from "../../ground/core/errors.ts";

const TOKEN_BYTES = 32;

export type Access = ReturnType<typeof openAccess>;

/** @param host the server's address and port, as browsers send them. @returns also the token, which can be exchanged once. */
export function openAccess(host: string) {
  const once = newToken();
  const bearer = newToken();
  let isUsed = false;
  return {
    once,
    /** Returns the bearer token for all later calls. @throws SentinelError `unauthorised` if the one-time token is wrong or used. */
    exchange(token: unknown): string {
      if (isUsed || typeof token !== "string" || !isSame(token, once)) throw unauthorised();
      isUsed = true;
      return bearer;
    },
    /** Cookies aren't used, because all ports of a host share them. @throws SentinelError `not_allowed` for another host name, or a call from another site. */
    mustBeHere(
      { host: named, origin, "sec-fetch-site": site }: IncomingHttpHeaders,
      isCall: boolean,
    ): void {
      const isOwn = origin === undefined || origin === `http://${host}`;
      if (named !== host || !isOwn || (isCall && site !== undefined && site !== "same-origin"))
        throw new SentinelError(
          "not_allowed",
          "The viewer answers its own page alone.",
          "Open it with sentinel-memory view.",
        );
    },
    /** @throws SentinelError `unauthorised`. */
    mustHaveBearer({ authorization = "" }: IncomingHttpHeaders): void {
      if (!isSame(authorization, `Bearer ${bearer}`)) throw unauthorised();
    },
  };
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** Compares two strings in constant time. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));

function unauthorised(): SentinelError {
  return new SentinelError(
    "unauthorised",
    "This page may not read the memory.",
    "Open it with sentinel-memory view.",
  );
}
