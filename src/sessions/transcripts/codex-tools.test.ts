import { expect, it } from "vitest";
import { codexReader } from "./codex.ts";
import { meaningOf } from "./codex-tools.ts";
import { targetOf } from "./tool-targets.ts";
import type { Fields, Meaning } from "./transcript.ts";

function meaning(
  tool: string,
  input: Fields,
  text: string,
  { isError = false, details = {} } = {},
): Meaning {
  return meaningOf({ call: "c", tool, input }, { call: "c", text, isError, images: [], details });
}
const FRAME = "Chunk ID: da75ab\nWall time: 0.1629 seconds\nProcess exited with code";

// As the client words them, today and in earlier versions.
it.each([
  [`${FRAME} 3\nOriginal token count: 2\nOutput:\nboom`, "failed", "boom"],
  [
    `${FRAME} 0\nOriginal token count: 2\nOutput:\nExit code: 3 is fine`,
    undefined,
    "Exit code: 3 is fine",
  ],
  ["Exit code: 1\nWall time: 0 seconds\nOutput:\nno", "failed", "no"],
  ['{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.1}}', "failed", "no"],
  ['{"output":"yes","metadata":{"exit_code":0}}', undefined, "yes"],
  [
    "Script failed\nWall time 0.0 seconds\nOutput:\nScript error:\nbad",
    "failed",
    "Script error:\nbad",
  ],
  ["Script completed\nWall time 0.4 seconds\nOutput:\nok", undefined, "ok"],
  ["unsupported call: nonexistent", "not_found", "unsupported call: nonexistent"],
  [
    "apply_patch verification failed: Failed to read file to update /p/a.ts",
    "not_found",
    expect.any(String),
  ],
  ["apply_patch verification failed: invalid hunk", "failed", expect.any(String)],
  [
    'exec_command failed for `rm`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    "refused_by_user",
    expect.any(String),
  ],
  ["Wall time: 2.5 seconds\naborted by user", "refused_by_user", expect.any(String)],
  ["A page says\nmuch\nand was rejected by user Ann", undefined, expect.any(String)],
])("%s", (text, outcome, shown) => {
  const { outcome: came, text: said } = meaning("exec_command", { cmd: "x" }, text);
  expect([came, said]).toEqual([outcome, shown]);
});

const PATCH =
  "*** Begin Patch\n*** Add File: src/a.ts\n+x\n*** Update File: b.ts\n*** Move to: c.ts\n*** Delete File: d.ts\n";

it("a patch changes the files it names, from a tool, a shell, or as the client lists them", () => {
  const files = { path: "src/a.ts", other_paths: ["b.ts", "c.ts", "d.ts"], edits: true };
  expect(
    targetOf({ call: "c", tool: "apply_patch", input: { input: PATCH } }, codexReader),
  ).toMatchObject(files);
  const shell = {
    call: "c",
    tool: "shell",
    input: { command: ["bash", "-lc", `apply_patch <<'E'\n${PATCH}E`] },
  };
  expect(targetOf(shell, codexReader)).toMatchObject(files);
  const listed = { call: "c", tool: "apply_patch", input: { changes: { "/p/a.ts": {} } } };
  expect(targetOf(listed, codexReader)).toEqual({ path: "/p/a.ts", edits: true });
  const issue = { call: "c", tool: "mcp__tracker__update", input: { changes: { title: "New" } } };
  expect(targetOf(issue, codexReader)).toEqual({});
});

it("a command that shows one file is about that file, and does not change it", () => {
  const read = { call: "c", tool: "exec_command", input: { cmd: "sed -n '1,80p' src/vat.ts" } };
  expect(targetOf(read, codexReader)).toEqual({ command: read.input.cmd, path: "src/vat.ts" });
  const elsewhere = {
    call: "c",
    tool: "exec_command",
    input: { cmd: "cat vat.ts", workdir: "/p/src" },
  };
  expect(targetOf(elsewhere, codexReader).path).toBe("/p/src/vat.ts");
});

it("a plan is tasks", () => {
  const plan = [
    { step: "Add Norway", status: "completed" },
    { step: "Test", status: "in_progress" },
  ];
  expect(meaning("update_plan", { plan }, "Plan updated")).toMatchObject({
    tasks: [
      { task: "Add Norway", status: "done" },
      { task: "Test", status: "doing" },
    ],
  });
});

it("a commit and a child agent are named", () => {
  const text = `${FRAME} 0\nOutput:\n[main 00f304a] Add Norway`;
  expect(meaning("exec_command", { cmd: "git commit -m x" }, text).commit).toEqual({
    sha: "00f304a",
    branch: "main",
    subject: "Add Norway",
  });
  expect(meaning("spawn_agent", {}, '{"agent_id":"a1","nickname":"Gibbs"}').child_agent).toBe("a1");
});
