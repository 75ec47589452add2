/** When the clients call the hook, one table a client. What it answers is in `src/hooks/`. */

interface ClaudeHook {
  readonly event: string;
  readonly matcher?: string;
}

/** With a hyphen in it a matcher is a regular expression, which would also find TodoWrite; a plugin's tool has a longer name. */
const AFTER_EDIT_OR_LOG = "^(Edit|Write|MultiEdit|NotebookEdit|mcp__.*sentinel-memory__log_memory)$";

const CLAUDE_HOOKS: readonly ClaudeHook[] = [
  { event: "SessionStart" },
  { event: "UserPromptSubmit" },
  { event: "PostToolUse", matcher: AFTER_EDIT_OR_LOG },
  { event: "Stop" },
  { event: "PreCompact" },
];

/** beforeSubmitPrompt is left out: it cannot give the model any context. */
const CURSOR_HOOKS: readonly string[] = ["sessionStart", "afterFileEdit", "afterMCPExecution", "preCompact", "stop"];

/** In seconds. A hook answers within 150 ms; this only bounds what a stuck machine can cost. */
const TIMEOUT = 5;

/** What a client's hook file holds under `hooks`, by event. */
export type HookTable = Readonly<Record<string, object>>;

export function claudeHooks(command: string): HookTable {
  const hooks = [{ type: "command", command, timeout: TIMEOUT }];
  return Object.fromEntries(
    CLAUDE_HOOKS.map(({ event, matcher }) => [event, matcher === undefined ? { hooks } : { matcher, hooks }]),
  );
}

export function cursorHooks(command: string): HookTable {
  return Object.fromEntries(CURSOR_HOOKS.map((event) => [event, { command, timeout: TIMEOUT }]));
}

/** Whether a line of a hook file starts our hook, in any form that some version wrote. */
export function isOurHook(command: unknown): boolean {
  return typeof command === "string" && /\bsentinel-memory[-/]hook\b/.test(command);
}
