/** Lets the browser with the one-time token ask, and refuses other sites, other names of this address and other users. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { SentinelError } from "../../ground/core/errors.ts";

const TOKEN_BYTES = 32;

export type Access = ReturnType<typeof openAccess>;

/** @param host as browsers name the server: address and port. @returns also the token that is good for one exchange. */
export function openAccess(host: string) {
  const [once, bearer] = [newToken(), newToken()];
  let isUsed = false;
  return {
    once,
    /** Gives the bearer of all later calls. @throws SentinelError `unauthorised` for another token, or one that was used. */
    exchange(token: unknown): string {
      if (isUsed || typeof token !== "string" || !isSame(token, once)) throw unauthorised();
      isUsed = true;
      return bearer;
    },
    /** No cookie counts: they know no ports. @throws SentinelError `not_allowed` for another name of this address, or a call of another site. */
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

/** In the same time for any text. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));

function unauthorised(): SentinelError {
  return new SentinelError(
    "unauthorised",
    "This page may not read the memory.",
    "Open it with sentinel-memory view.",
  );
}
