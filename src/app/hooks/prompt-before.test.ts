import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { Session } from "../../../test/support/transcript.ts";
import { promptBefore } from "./prompt-before.ts";

it("skips damaged lines, without a search for a whole line in them", () => {
  const session = new Session();
  session.asks("Deploy on Friday.").says("Done.").asks("Fix the payments.");
  const [first, second, third] = session.text.trimEnd().split("\n");
  const path = join(testFolder(), session.file);
  writeFileSync(path, `${first}\n${second}\n{"type":"user","mess${third}\n[]\nnull\n`);
  expect(promptBefore(path, "Claude Code", "And that one?")).toBe("Deploy on Friday.");
});
