import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { SentinelError } from "../core/errors.ts";
import { contextFolder } from "./context-folder.ts";
import { privacyNotes, privacyOf, type ReadPrivacy } from "./privacy.ts";

let folder: string;
let readPrivacy: ReadPrivacy;
let path: string;

beforeEach(() => {
  folder = testFolder();
  const context = contextFolder(join(folder, ".context"));
  path = context.privacyPolicy;
  mkdirSync(dirname(path), { recursive: true });
  readPrivacy = privacyOf({ folder, context, how: "test" }, [
    { general: join(folder, "own"), ofProject: join(folder, "own/p") },
  ]);
});

function neverStore(words: readonly string[], patterns: readonly string[] = []): string {
  return `version: 1\nnever_store: ${JSON.stringify({ words, patterns })}\n`;
}

function writeOwn(name: string, text: string): void {
  mkdirSync(dirname(join(folder, "own", name)), { recursive: true });
  writeFileSync(join(folder, "own", name), text);
}

const kept = async (text: string) => (await readPrivacy()).forStoring().redact(text).text;

async function failure(): Promise<SentinelError> {
  const privacy = await readPrivacy();
  try {
    privacy.forStoring();
  } catch (error) {
    if (error instanceof SentinelError) {
      return error;
    }
  }
  throw new Error("Everything can be stored.");
}

describe("what is never stored", () => {
  it("are addresses and numbers of people where somebody asks for it, and only there", async () => {
    const people = "Ann (ann.smith+x@mail.example.co.uk, +49 170 1234567)";
    writeFileSync(path, "version: 1\nnever_store: {emails: false}\n");
    expect(await kept(people)).toBe(people);
    writeFileSync(path, "version: 1\nnever_store: {emails: true, phones: true}\n");
    const { text, findings } = (await readPrivacy()).forStoring().redact(people);
    expect([text, findings]).toEqual([
      "Ann ([REDACTED], [REDACTED])",
      [
        { kind: "email", count: 1 },
        { kind: "phone", count: 1 },
      ],
    ]);
    writeFileSync(path, "version: 1\nnever_store: {emails: perhaps}\n");
    expect(await failure()).toMatchObject({
      code: "privacy_unreadable",
      message: expect.stringContaining("emails"),
    });
  });

  it("is nothing where there is no file, and nothing is said", async () => {
    expect(await kept("Acme")).toBe("Acme");
    expect(privacyNotes(await readPrivacy())).toEqual([]);
  });

  it("is read as it is now, and is the same object as long as the files stay the same", async () => {
    writeFileSync(path, neverStore(["Acme"]));
    const first = await readPrivacy();
    expect(await readPrivacy()).toBe(first);
    writeOwn("privacy.yaml", neverStore(["Globex"]));
    expect(await kept("Acme Globex")).toBe("[REDACTED] [REDACTED]");
    rmSync(path);
    expect(await kept("Acme Globex")).toBe("Acme [REDACTED]");
  });

  it.each([
    [
      "is newer",
      "version: 2\n",
      1,
      /version 2, which is newer than version 1, so nothing is stored\./,
    ],
    ["has no version", "never_store: {words: [Acme]}\n", 1, /no version that is known/],
    ["was left by a merge", "version: 1\n<<<<<<< ours\n", 2, /not valid YAML/],
    [
      "has a pattern that is none",
      neverStore(["abc"], ["(Acme"]),
      2,
      /a pattern is not valid \(missing closing\)/,
    ],
    ["has a word of 201 characters", neverStore(["a".repeat(201)]), 2, /more than 200 characters/],
    [
      "has a slip in a key",
      "version: 1\nnever_store:\n  emials: true\n",
      3,
      /emials is not a key of this file, so nothing/,
    ],
    [
      "has a word for a key",
      "version: 1\nnever_store: {Acme GmbH: }\n",
      2,
      /a key of it is unknown, so nothing/,
    ],
    [
      "says neither true nor false",
      "version: 1\nnever_store: {phones: yes}\n",
      2,
      /phones is not true or false, so nothing/,
    ],
  ])(
    "cannot be known from a file that %s, so nothing can be stored",
    async (_, text, line, message) => {
      writeFileSync(path, text);
      const error = await failure();
      expect(error.code).toBe("privacy_unreadable");
      expect(error.message).toMatch(message);
      expect(error.message).toContain(`.context/policies/privacy.yaml, line ${line}: `);
      expect(error.fix).not.toBe("");
      expect(error.message + error.fix + privacyNotes(await readPrivacy())).not.toContain("Acme");
      expect(privacyNotes(await readPrivacy())).toHaveLength(1);
    },
  );

  it.each<[string, () => void]>([
    ["a link to no file", () => symlinkSync("nowhere.yaml", path)],
    ["not UTF-8", () => writeFileSync(path, Buffer.from(neverStore(["M\u00fcller"]), "latin1"))],
  ])("cannot be known where the file is %s", async (_, plant) => {
    expect(await kept("x")).toBe("x");
    plant();
    expect(await failure()).toMatchObject({
      code: "privacy_unreadable",
      message: expect.stringContaining("privacy.yaml"),
    });
  });

  it("names the person's file by its path, and goes on with what could be read for reading", async () => {
    writeFileSync(path, neverStore(["Acme"]));
    writeOwn("p/privacy.yaml", "version: 2\n");
    expect((await failure()).message).toContain(join(folder, "own/p/privacy.yaml"));
    expect((await readPrivacy()).known.redact("Acme").text).toBe("[REDACTED]");
  });
});
