/** The protocols of clients with hooks, apart from what setup knows of a client: the hook's bundle is loaded with every prompt. */
import { platformPath } from "../files/windows-paths.ts";
import { claudeCodeProtocol } from "./claude-code.ts";
import { codexProtocol } from "./codex.ts";
import { cursorProtocol } from "./cursor.ts";
import { geminiProtocol } from "./gemini.ts";
import { type HookEvent, type HookProtocol, Payload } from "./hook-event.ts";
import { opencodeProtocol } from "./opencode.ts";
import { vscodeProtocol } from "./vscode.ts";

/** Claude Code comes last: its payloads have no mark of their own, and others imitate them. */
export const HOOK_PROTOCOLS: readonly HookProtocol[] = [
  cursorProtocol,
  codexProtocol,
  geminiProtocol,
  opencodeProtocol,
  vscodeProtocol,
  claudeCodeProtocol,
];

/** The client that sent a payload. */
export function senderOf(value: unknown): HookProtocol | undefined {
  const payload = new Payload(value);
  return HOOK_PROTOCOLS.find(({ sent }) => sent(payload));
}

/** The folder that a payload names, whether or not it has a readable event. */
export function folderIn(value: unknown): string | undefined {
  const payload = new Payload(value);
  const ofCursor = platformPath(payload.inner("workspace_roots").text("0"));
  return ofCursor || payload.text("cwd") || undefined;
}

/** Why a payload has no readable event, quoting only the event's name; undefined if it has one, or one that we ignore. */
export function whyUnreadable(value: unknown): string | undefined {
  const payload = new Payload(value);
  const name = payload.text("hook_event_name");
  if (!/^\w{1,60}$/.test(name)) return "a hook's payload names no event (hook_event_name)";
  const client = senderOf(value);
  if (!client?.events.includes(name))
    return `${client?.name} called a hook at ${name}, which init doesn't set up`;
  if (client.read(payload)?.session === "")
    return `${client.name} called a hook at ${name} without a session's id`;
  return undefined;
}

/** Reads a payload of any client; undefined when there is nothing in it for us. */
export function readEvent(value: unknown): { event: HookEvent; client: HookProtocol } | undefined {
  const client = senderOf(value);
  const event = client?.read(new Payload(value));
  // Without an id a conversation can't be distinguished from the others.
  return client && event?.session ? { event, client } : undefined;
}
