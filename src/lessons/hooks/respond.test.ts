import { describe, expect, it } from "vitest";
import type { HookEvent } from "../../ground/clients/hook-event.ts";
import { actionOf } from "./respond.ts";

const EVENT: HookEvent = {
  name: "PostToolUse",
  kind: "result",
  session: "s",
  folder: "/p",
  prompt: "",
  transcript: "",
  file: "",
  command: "",
  output: "npm ERR! E403 Forbidden",
  childAgent: "",
  afterCompaction: false,
  causedByHook: false,
};

const errorAfter = (command: string) =>
  actionOf({ ...EVENT, command }, undefined, false)?.about.error;

describe("the output of a command that succeeded", () => {
  it.each([
    "cat npm.log",
    "/bin/cat npm.log",
    "cat -n 'my npm.log' | sort | head -5",
    "ls && cat npm.log",
    "cd packages/api && git log | head",
    "git --no-pager log",
    "git -C packages/api log -1",
    'git -C "my packages" -c color.ui=false show HEAD',
    "docker logs api",
    "docker compose -f compose.dev.yaml logs api",
    "docker-compose --file dev.yaml logs",
    "kubectl -n logs logs api",
    "jq .message npm.json",
    "awk '{ print $1 > 2 }' npm.log",
    "sed -n 1,5p npm.log",
    "sudo tail npm.log 2>&1",
    "for file in *.log; do grep -H E403 $file; done",
    "cat <<EOF\nnpm test\nEOF",
  ])("is no error of %j, which shows a file", (command) => {
    expect(errorAfter(command)).toBeUndefined();
  });

  it.each([
    "",
    "npm test",
    "cat a.txt && npm test",
    "cat build.sh; npm run build",
    "grep -q x y && make",
    "head -1 x; pytest",
    "cat > f <<EOF\ncat\nEOF\nnpm test",
    "cat-build x",
    "npm publish 2>&1 | tail",
    "echo $(npm test)",
    "cat <(npm test)",
    "git push",
    "git commit -m log",
    "git -C log push",
    "kubectl -n logs apply -f api.yaml",
    "docker run logs",
  ])("may be an error of %j", (command) => {
    expect(errorAfter(command)).toBe(EVENT.output);
  });
});
