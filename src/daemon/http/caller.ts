/** Who calls, as a token says, and what that one may do. No field of a call changes it. */
import "../../ground/tool/schemas.ts";
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { SentinelError } from "../../ground/core/errors.ts";
import type { United } from "../../lessons/changes/unite.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import type { SharedTexts } from "../../sessions/bundle/settings/shared-texts.ts";
import type { EventDraft } from "../../sessions/kinds/event.ts";
import type { EventStore } from "../../sessions/store.ts";
import { isSeenIn } from "../../sessions/storing/channel-circles.ts";
import type { TokenOptions } from "../terminal/daemon-commands.ts";

export interface Caller extends Omit<TokenOptions, "expiresAt"> {
  /** Of the token, which may be shown. */
  readonly id: string;
}

/** What a daemon knows of callers. */
export interface Callers<Known extends Caller = Caller> {
  /** Undefined for a token that is not one, was revoked, or is over its time. */
  readonly find: (token: string) => Promise<Known | undefined>;
  readonly open: (caller: Known) => Promise<Opened>;
}

/** A caller, and all that this one reaches. */
export interface Opened {
  readonly caller: Caller;
  readonly events: EventStore;
  /** Its tenant shares this besides. */
  readonly shared: () => Promise<Shared>;
  /** @throws SentinelError `stale_reference` where another push came first, `too_large`, `privacy_unreadable`. */
  readonly push: (push: z.output<typeof PUSH>) => Promise<United>;
}

export interface Shared {
  readonly texts: SharedTexts;
  /** Undefined where none were pushed, or the caller may not see them. */
  readonly lessons: Snapshot | undefined;
  /** How many pushes there were, and the commit whose lessons the last one brought. */
  readonly number: number;
  readonly commit: string | null;
}

/** A push of lessons: the number of the last one that its caller knows, and the text of the memory file at a commit. */
export const PUSH = z.strictObject({
  after: z.int().min(0),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  lines: z.string(),
});

/** The token of a call. @throws SentinelError `unauthorised` */
export function tokenOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw unauthorised("The call has no token.");
  return token;
}

export function unauthorised(what: string): SentinelError {
  const fix = "Get a token from the daemon's operator, and send it as Authorization: Bearer TOKEN.";
  return new SentinelError("unauthorised", what, fix);
}

/** @throws SentinelError `not_allowed` */
export function mustHaveScope({ scope }: Caller, ...scopes: readonly Caller["scope"][]): void {
  if (scopes.includes(scope)) return;
  throw notAllowed(`The scope of this token is ${scope}.`, "Use one that may do this.");
}

/** Drafts in channels that the caller may write to; what names no channel goes to the channel of the token. @throws SentinelError `not_allowed` */
export function withinChannel(drafts: readonly EventDraft[], { channel }: Caller): readonly EventDraft[] {
  if (drafts.some((draft) => draft.channel !== undefined && !isSeenIn(channel, draft.channel)))
    throw notAllowed(`This token records up to the channel ${channel}.`, "Record in that one, or use another token.");
  return drafts.map((draft) => ({ ...draft, channel: draft.channel ?? channel }));
}

const notAllowed = (what: string, fix: string): SentinelError => new SentinelError("not_allowed", what, fix);
