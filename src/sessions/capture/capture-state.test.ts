import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { readCaptureState } from "./capture-state.ts";

it("a state of an earlier build keeps what no transcript contains, and has every transcript read again", () => {
  const folder = testFolder();
  const facts = {
    worktrees: ["/home/kim/removed"],
    nested: ["/home/kim/app/vendor"],
    privateSessions: ["s1"],
    told: { s2: { agent: "cursor", folder: "/home/kim/app" } },
  };
  const earlier = { format: 1, cursors: { "/a.jsonl": { offset: 9 } }, lookedAt: 5, ...facts };
  mkdirSync(join(folder, "state"));
  writeFileSync(join(folder, "state", "capture.json"), JSON.stringify(earlier));
  expect(readCaptureState(folder)).toMatchObject({ ...facts, cursors: {}, lookedAt: 0 });
});
