/**
 * What holds for every client of the list: a new one is a file in `src/ground/clients/`, a line in the list and a page, and passes
 * this without a change here; one with hooks brings a sample of each payload. The page is compared with init in `docs.test.ts`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { clientEdits, presentEntry } from "../../src/app/setup/project-edits.ts";
import { ProjectFiles } from "../../src/app/setup/project-files.ts";
import { commandLine, isOurEntry } from "../../src/ground/clients/client.ts";
import { agentNamed, budgetFor, CLIENTS, RECEIPT } from "../../src/ground/clients/clients.ts";
import { cursorProtocol } from "../../src/ground/clients/cursor.ts";
import type { HookEvent } from "../../src/ground/clients/hook-event.ts";
import { HOOK_PROTOCOLS, readPayload } from "../../src/ground/clients/hook-protocols.ts";
import { DEVELOPMENT_DEPENDENCY, launchesFor } from "../../src/ground/clients/launch.ts";
import { CLIENT_PAGES, CUTS_AT } from "../support/client-facts.ts";

const folder = mkdtempSync(join(tmpdir(), "sentinel-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What people may have in a file that init writes to, by how the file ends. */
const BY_HAND: Readonly<Record<string, readonly string[]>> = {
  json: ['{"theme":"dark"}', '{\n\t"theme": "dark", // at night\n\t"other": {},\n}\n'],
  toml: [
    'model = "x"',
    "# mind the order\n",
    'model = "x" # cheap\n\n[profiles.review]\nmodel = "y"\n',
  ],
  rules: ["# Ours\n", "# Ours\r\n\r\n$& stays\r\n", "# No end of line"],
};

const withoutSpace = (text = ""): string => text.replaceAll(/\s/g, "");

const LAUNCHES = {
  "the development dependency": undefined,
  "a command of the team": "tools/bin/sentinel-memory",
};

describe.each(CLIENTS)("$name", (client) => {
  const edits = clientEdits([client], DEVELOPMENT_DEPENDENCY, new ProjectFiles(projectFolder()));

  it("has an id, a name and files of its own for the server and the hooks", () => {
    const others = CLIENTS.filter((other) => other !== client);
    for (const { id, name, server, hooks } of others) {
      expect([id, name]).not.toEqual(expect.arrayContaining([client.id]));
      expect(server.files).not.toEqual(expect.arrayContaining([...client.server.files]));
      if (hooks) {
        expect(hooks.path).not.toBe(client.hooks?.path);
      }
    }
  });

  it.each(Object.entries(LAUNCHES))(
    "has an entry for %s that is recognised as ours",
    async (_, command) => {
      const launches = launchesFor(command);
      const files = new ProjectFiles(projectFolder());
      const [edit] = clientEdits([client], launches, files);
      await files.write(edit?.path ?? "", edit?.put(undefined) ?? "");
      const entry = presentEntry(client, files);
      expect(isOurEntry(entry, client, launches)).toBe(true);
      expect(commandLine(entry)[0]).toBe(launches.here.command);
      expect(isOurEntry({ command: "theirs" }, client, launches)).toBe(false);
    },
  );

  it.each(edits.filter(({ isOurs }) => !isOurs))(
    "puts its $what into $path and takes it out again, apart from white space",
    ({ path, put, take }) => {
      expect(take(put(undefined))).toBeUndefined();
      expect(put(put(undefined))).toBe(put(undefined));
      const texts = BY_HAND[/\.(json|toml)$/.exec(path)?.[1] ?? "rules"] ?? [];
      expect(texts).not.toEqual([]);
      for (const text of texts) {
        expect(put(text)).not.toBe(text);
        expect(withoutSpace(take(put(text)))).toBe(withoutSpace(text));
      }
    },
  );

  it.each(edits.filter(({ isOurs }) => isOurs))(
    "writes $path, whose whole text is ours, and removes it",
    (edit) => {
      expect(edit.take(edit.put("theirs"))).toBeUndefined();
      expect(edit.put(edit.put(undefined))).toBe(edit.put(undefined));
    },
  );

  it("has a page that names each file that init writes for it", () => {
    const page = readFileSync(CLIENT_PAGES[client.id] ?? "", "utf8");
    for (const { path } of edits) {
      expect(page).toContain(`\`${path}\``);
    }
  });

  it("gets answers that end before its cut, which the page of agents lists", () => {
    const { id, clientName } = client;
    const budget = budgetFor(client.name);
    const row = readFileSync("docs/agents.md", "utf8")
      .split("## How long answers are")[1]
      ?.split("\n")
      .find((line) => line.startsWith(`| ${client.name} |`));
    expect(clientName?.test(client.name) ?? true).toBe(true);
    const cuts = CUTS_AT[id] ?? {};
    expect(Object.keys(cuts)).not.toEqual([]);
    for (const unit of ["characters", "bytes", "tokens"] as const) {
      const cut = cuts[unit];
      if (cut === undefined) {
        continue;
      }
      expect(budget[unit] + RECEIPT[unit]).toBeLessThanOrEqual(cut);
      expect(row).toContain(`${cut.toLocaleString("en")} ${unit}`);
    }
    if (!client.budget) {
      expect(budget).toEqual(budgetFor("a client of another name"));
    }
  });
});

it.each([
  ["claude-code", "claude-code"],
  ["claude-code (via mcp-remote 0.1.37)", "claude-code"],
  ["codex-mcp-client", "codex"],
  ["Cursor", "cursor"],
  ["cursor-vscode", "cursor"],
  ["gemini-cli-mcp-client", "gemini"],
  ["gemini-cli-mcp-client-sentinel-memory", "gemini"],
  ["opencode", "opencode"],
  ["Visual Studio Code", "vscode"],
  ["Visual Studio Code - Insiders", "vscode"],
  ["code-server", "vscode"],
  ["claude-ai", "claude-ai"],
  ["claude-desktop", "claude-desktop"],
  ["my-codex-loop", "my-codex-loop"],
  ["precursor", "precursor"],
  ["vscode-tests", "vscode-tests"],
])("%s is the agent %s: only a client's whole name is that client", (clientName, agent) => {
  expect(agentNamed(clientName)).toBe(agent);
});

const CLAUDE = { session_id: "s1", transcript_path: "/home/you/t.jsonl", cwd: "/home/you/app" };
const CURSOR = {
  conversation_id: "c1",
  workspace_roots: ["/home/you/app", "/home/you/other"],
  cursor_version: "2.0",
  user_email: "ann@example.org",
};

const VSCODE = {
  ...CLAUDE,
  transcript_path:
    "/home/you/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat/transcripts/s1.jsonl",
};
const CODEX = { ...CLAUDE, client: "codex" };
const PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-one\n+two\n*** End Patch";

interface Sample {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly read: Partial<HookEvent>;
}

/** A payload of each event, by client, and what it has to be read as. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, Sample>>>> = {
  claude: {
    SessionStart: {
      payload: { ...CLAUDE, source: "compact" },
      read: {
        kind: "session-start",
        session: "s1",
        folder: "/home/you/app",
        afterCompaction: true,
      },
    },
    UserPromptSubmit: {
      payload: { ...CLAUDE, prompt: "Fix it" },
      read: { kind: "prompt", prompt: "Fix it" },
    },
    PostToolUse: {
      payload: {
        ...CLAUDE,
        tool_name: "Edit",
        tool_input: { file_path: "/home/you/app/a.ts" },
        tool_response: {},
      },
      read: { kind: "edit", file: "/home/you/app/a.ts" },
    },
    PreToolUse: {
      payload: {
        ...CLAUDE,
        tool_name: "Bash",
        tool_input: { command: "npm publish" },
        agent_id: "a1",
      },
      read: { kind: "before-command", command: "npm publish", childAgent: "a1" },
    },
    PostToolUseFailure: {
      payload: {
        ...CLAUDE,
        tool_name: "Bash",
        tool_input: { command: "npm publish" },
        error: "Exit code 1\nE403",
      },
      read: { kind: "failure", command: "npm publish", output: "Exit code 1\nE403" },
    },
    Stop: {
      payload: { ...CLAUDE, stop_hook_active: true, last_assistant_message: "Done." },
      read: { kind: "stop", causedByHook: true },
    },
  },
  codex: {
    UserPromptSubmit: {
      payload: { ...CODEX, prompt: "Add VAT" },
      read: { kind: "prompt", prompt: "Add VAT" },
    },
    PreToolUse: {
      payload: { ...CODEX, tool_name: "apply_patch", tool_input: { command: PATCH } },
      read: { kind: "before-edit", file: "src/a.ts" },
    },
    PostToolUse: {
      payload: {
        ...CODEX,
        tool_name: "Bash",
        tool_input: { command: "npm publish" },
        tool_response: "E403\n",
      },
      read: { kind: "result", command: "npm publish", output: "E403\n" },
    },
    Stop: {
      payload: { ...CODEX, stop_hook_active: "true" },
      read: { kind: "stop", causedByHook: true },
    },
  },
  vscode: {
    SessionStart: {
      payload: { ...VSCODE, source: "new" },
      read: { kind: "session-start", session: "s1", folder: "/home/you/app" },
    },
    UserPromptSubmit: {
      payload: { ...VSCODE, prompt: "Add VAT" },
      read: { kind: "prompt", prompt: "Add VAT" },
    },
    PreToolUse: {
      payload: {
        ...VSCODE,
        tool_name: "run_in_terminal",
        tool_input: { command: "npm publish", explanation: "Publish", isBackground: false },
      },
      read: { kind: "before-command", command: "npm publish" },
    },
    PostToolUse: {
      payload: {
        ...VSCODE,
        tool_name: "multi_replace_string_in_file",
        tool_input: { replacements: [{ filePath: "/home/you/app/a.ts" }] },
      },
      read: { kind: "edit", file: "/home/you/app/a.ts" },
    },
    Stop: {
      payload: { ...VSCODE, stop_hook_active: true },
      read: { kind: "stop", causedByHook: true },
    },
  },
  gemini: {
    BeforeAgent: {
      payload: { ...CLAUDE, prompt: "Add VAT" },
      read: { kind: "prompt", prompt: "Add VAT" },
    },
    AfterTool: {
      payload: {
        ...CLAUDE,
        tool_name: "run_shell_command",
        tool_input: { command: "npm publish" },
        tool_response: { llmContent: "Output: E403\nExit Code: 1" },
      },
      read: { kind: "result", command: "npm publish", output: "Output: E403\nExit Code: 1" },
    },
  },
  opencode: {
    "tool.execute.after": {
      payload: {
        ...CLAUDE,
        tool_name: "bash",
        tool_input: { command: "npm publish" },
        error: "E403",
      },
      read: { kind: "result", command: "npm publish", output: "E403" },
    },
  },
  cursor: {
    sessionStart: {
      payload: CURSOR,
      read: { kind: "session-start", session: "c1", folder: "/home/you/app" },
    },
    preToolUse: {
      payload: { ...CURSOR, tool_name: "Shell", tool_input: { command: "npm publish", cwd: "" } },
      read: { kind: "before-command", command: "npm publish" },
    },
    postToolUse: {
      payload: { ...CURSOR, tool_name: "Read", tool_input: { file_path: "/home/you/app/a.ts" } },
      read: { kind: "read", file: "/home/you/app/a.ts" },
    },
    postToolUseFailure: {
      payload: {
        ...CURSOR,
        tool_name: "Shell",
        tool_input: { command: "npm publish" },
        error_message: "E403",
        failure_type: "error",
      },
      read: { kind: "failure", command: "npm publish", output: "E403" },
    },
    afterFileEdit: {
      payload: { ...CURSOR, file_path: "/home/you/app/a.ts" },
      read: { kind: "edit", file: "/home/you/app/a.ts" },
    },
    afterMCPExecution: {
      payload: {
        ...CURSOR,
        tool_name: "log_memory",
        tool_input: "{}",
        result_json: '{"content":[{"type":"text","text":"Saved."}],"isError":false}',
      },
      read: { kind: "log", session: "c1" },
    },
    sessionEnd: {
      payload: { ...CURSOR, reason: "completed", transcript_path: "/t.jsonl" },
      read: { kind: "session-end", session: "c1" },
    },
    stop: {
      payload: { ...CURSOR, status: "completed", loop_count: 1 },
      read: { kind: "stop", causedByHook: true },
    },
  },
};

const WITH_HOOKS = CLIENTS.flatMap(({ id, name, hooks }) => (hooks ? [{ id, name, hooks }] : []));

describe("the hooks", () => {
  it("are those whose payloads the hook reads", () => {
    expect(new Set(WITH_HOOKS.map(({ hooks }) => hooks.protocol))).toEqual(new Set(HOOK_PROTOCOLS));
  });

  describe.each(WITH_HOOKS)("of $name", ({ id, hooks }) => {
    const samples = SAMPLES[id] ?? {};

    it("have a sample of each event that runs them", () => {
      const listed = hooks.table?.("") ?? { "tool.execute.after": "" };
      expect(Object.keys(samples).sort()).toEqual(Object.keys(listed).sort());
    });

    it.each(Object.entries(samples))(
      "read %s as what it is, and as this client's",
      (name, { payload, read }) => {
        const sent = readPayload({ ...payload, hook_event_name: name }).sent;
        expect(sent?.event).toMatchObject({ name, ...read });
        expect(sent?.client).toBe(hooks.protocol);
      },
    );

    it("read nothing from a payload that names no conversation, or another event", () => {
      for (const [name, { payload }] of Object.entries(samples)) {
        const unnamed = { ...payload, session_id: undefined, conversation_id: undefined };
        expect(readPayload({ ...unnamed, hook_event_name: name }).sent).toBeUndefined();
        expect(readPayload({ ...payload, hook_event_name: "Unheard" }).sent).toBeUndefined();
      }
    });
  });

  it("bring nothing of what setup knows about a client into the hook's bundle", () => {
    const bundle = readFileSync("dist/server/hook.cjs", "utf8");
    for (const { asks } of CLIENTS) {
      expect(bundle).not.toContain(asks);
    }
  });

  it("tell an agent nothing at events whose answers its client does not read", () => {
    const event = (name: string) => readPayload({ ...CURSOR, hook_event_name: name }).sent;
    const said = (name: string) => cursorProtocol.addContext("x", event(name)?.event as HookEvent);
    expect(said("sessionStart")).toEqual({ additional_context: "x" });
    expect(said("afterFileEdit")).toBeUndefined();
  });

  it.each([
    ["Write", { file_path: "/p/a.ts", content: "x" }, "/p/a.ts"],
    ["Delete", { file_path: "/p/a.ts" }, "/p/a.ts"],
    ["StrReplace", { path: "/p/a.ts", old_string: "x", new_string: "y" }, "/p/a.ts"],
    ["EditNotebook", { target_notebook: "/p/a.ipynb" }, "/p/a.ipynb"],
    ["ApplyPatch", { patch: PATCH }, "src/a.ts"],
    ["ApplyPatch", PATCH, "src/a.ts"],
  ])("of Cursor read what %s edits", (tool_name, tool_input, file) => {
    const payload = { ...CURSOR, hook_event_name: "preToolUse", tool_name, tool_input };
    expect(readPayload(payload).sent?.event).toMatchObject({ kind: "before-edit", file });
  });

  it.each([
    ["afterMCPExecution", { tool_name: "log_memory", result_json: '{"isError":true}' }],
    ["afterMCPExecution", { tool_name: "log_memory", result_json: '{"content":[]}' }],
    ["afterMCPExecution", { tool_name: "log_memory", result_json: '{"rejected":{}}' }],
    ["afterMCPExecution", { tool_name: "log_memory", result_json: "{" }],
    ["afterMCPExecution", { tool_name: "log_memory" }],
    [
      "postToolUseFailure",
      { tool_name: "Shell", error_message: "no", failure_type: "permission_denied" },
    ],
  ])("of Cursor take a refused or failed call for nothing: %s %o", (hook_event_name, more) => {
    expect(readPayload({ ...CURSOR, hook_event_name, ...more }).sent).toBeUndefined();
  });

  it("read a file that Claude Code reads", () => {
    const read = {
      ...CLAUDE,
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_input: { file_path: "/a.ts" },
    };
    expect(readPayload(read).sent?.event).toMatchObject({ kind: "read", file: "/a.ts" });
  });

  it("of Claude Code, run by Cursor, are answered in the form of Cursor", () => {
    const payload = {
      ...CURSOR,
      ...SAMPLES.claude?.PostToolUse?.payload,
      hook_event_name: "PostToolUse",
    };
    const sent = readPayload(payload).sent;
    expect(sent?.event).toMatchObject({
      kind: "edit",
      session: "s1",
      folder: "/home/you/app",
      file: "/home/you/app/a.ts",
    });
    expect(sent?.client.addContext("x", sent.event)).toEqual({ additional_context: "x" });
    expect(
      readPayload({ ...payload, hook_event_name: "Stop", status: "aborted" }).sent,
    ).toBeUndefined();
  });
});

function projectFolder(): string {
  const project = mkdtempSync(join(folder, "app-"));
  mkdirSync(join(project, ".git"));
  return project;
}
