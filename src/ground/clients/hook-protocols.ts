/** The protocols of clients with hooks. They're separate from the setup code, because the hook's bundle is loaded with every prompt. */
import { platformPath } from "../files/paths.ts";
import { claudeCodeProtocol } from "./claude-code.ts";
import { codexProtocol } from "./codex.ts";
import { cursorProtocol } from "./cursor.ts";
import { geminiProtocol } from "./gemini.ts";
import { type HookEvent, type HookProtocol, Payload } from "./hook-event.ts";
import { opencodeProtocol } from "./opencode.ts";
import { vscodeProtocol } from "./vscode.ts";

/** Claude Code comes last, because other clients imitate its payloads and no field identifies it. */
export const HOOK_PROTOCOLS: readonly HookProtocol[] = [
  cursorProtocol,
  codexProtocol,
  geminiProtocol,
  opencodeProtocol,
  vscodeProtocol,
  claudeCodeProtocol,
];

/** A hook payload after reading. */
interface ReadPayload {
  /** The client that sent it. */
  readonly client: HookProtocol | undefined;
  /** The folder in the payload, even if the event is unreadable. */
  readonly folder: string | undefined;
  /** The event and its client. Undefined if our hook ignores it. */
  readonly sent: { readonly event: HookEvent; readonly client: HookProtocol } | undefined;
  /** Why the event is unreadable, quoting only the event's name. Undefined if it's readable or ignored. */
  readonly problem: string | undefined;
}

/** Reads a payload from any client. */
export function readPayload(value: unknown): ReadPayload {
  const payload = new Payload(value);
  const client = HOOK_PROTOCOLS.find(({ sent }) => sent(payload));
  const event = client?.read(payload);
  // Without an id, a conversation can't be distinguished from the others.
  const sent = client && event?.session ? { event, client } : undefined;
  const problem = sent ? undefined : problemOf(payload, client, event);
  return { client, folder: folderIn(payload), sent, problem };
}

function folderIn(payload: Payload): string | undefined {
  const ofCursor = platformPath(payload.inner("workspace_roots").text("0"));
  return ofCursor || payload.text("cwd") || undefined;
}

function problemOf(
  payload: Payload,
  client: HookProtocol | undefined,
  event: HookEvent | undefined,
): string | undefined {
  const name = payload.text("hook_event_name");
  if (!/^\w{1,60}$/.test(name)) {
    return "a hook's payload names no event (hook_event_name)";
  }
  if (!client?.events.includes(name)) {
    return `${client?.name} called a hook at ${name}, which init doesn't set up`;
  }
  return event && `${client.name} called a hook at ${name} without a session's id`;
}
