import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import type { PolicySchema } from "../core/policy.ts";
import { readPolicyFile } from "./small-text.ts";

const SCHEMA = {
  version: 1,
  fields: { limit: { kind: "integer", min: 1, max: 100, default: 50 } },
} as const satisfies PolicySchema;

let folder: string;
let path: string;

beforeEach(() => {
  folder = testFolder();
  path = join(folder, "policy.yaml");
});

describe("a policy file", () => {
  it("that does not exist means the defaults", async () => {
    expect(await readPolicyFile(path, SCHEMA)).toEqual({
      values: { limit: 50 },
      problems: [],
    });
  });

  it("is read as it is now, through a link too", async () => {
    writeFileSync(join(folder, "elsewhere.yaml"), "version: 1\nlimit: 7\n");
    symlinkSync("elsewhere.yaml", path);
    expect((await readPolicyFile(path, SCHEMA)).values).toEqual({ limit: 7 });
    writeFileSync(path, "version: 1\nlimit: 8\n");
    expect((await readPolicyFile(path, SCHEMA)).values).toEqual({ limit: 8 });
  });

  it.each<[string, () => void, RegExp]>([
    ["a folder", () => mkdirSync(path), /is not a file/],
    ["a pipe that nobody writes to", () => execFileSync("mkfifo", [path]), /is not a file/],
    ["a circle of links", () => symlinkSync("policy.yaml", path), /cannot be read/],
    ["a link to no file", () => symlinkSync("nowhere.yaml", path), /link leads to no file/],
    ["far too large", () => writeFileSync(path, "# x\n".repeat(20_000)), /larger than 64 KiB/],
    [
      "not text",
      () => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
      /is not UTF-8, so the defaults hold/,
    ],
    [
      "in an older encoding",
      () => writeFileSync(path, Buffer.from("version: 1 # M\xfcller", "latin1")),
      /is not UTF-8/,
    ],
  ])("that is %s means the defaults, and says so", async (_, plant, message) => {
    plant();
    const { values, problems } = await readPolicyFile(path, SCHEMA);
    expect(values).toEqual({ limit: 50 });
    expect(problems).toMatchObject([
      { message: expect.stringMatching(message), fix: expect.stringMatching(/\.$/) },
    ]);
  });
});
