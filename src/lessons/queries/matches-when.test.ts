import { describe, expect, it } from "vitest";
import { type When, whenOf } from "../format/when.ts";
import { matchesGlob } from "./glob.ts";
import { type Known, triggerOf, workOn } from "./matches-when.ts";

describe("a glob", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/sub/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/**/b/*", "src/xb/a", false],
    ["src/**/b/*", "src/x/b/a", true],
    ["src/**", "src/b/c/a.ts", true],
    ["src/", "src/b/a.ts", true],
    ["src/**", "src", false],
    ["*.sql", "db/migrations/001.sql", true],
    ["*.sql", "db/001.sqlx", false],
    ["/package.json", "package.json", true],
    ["a?c.ts", "abc.ts", true],
    ["src/a?c", "src/a/c", false],
    ["src/*_test_*.go", "src/x_test_y.go", true],
    ["src\\*.ts", "src/a.ts", true],
    ["결제/*", "결제/환불.ts", true],
    ["a.ts", "axts", false],
  ])("%s on %s: %s", (glob, path, expected) => {
    expect(matchesGlob(glob, path)).toBe(expected);
  });

  it.each([
    ["*a".repeat(200), "a".repeat(10_000)],
    [`*${"a".repeat(500)}b`, "a".repeat(4_096)],
    [`**/${"a/".repeat(170)}b`, `${"a/".repeat(2_048)}x`],
  ])("that fits nearly everywhere ends soon", (glob, path) => {
    expect(matchesGlob(`${glob}z`, path)).toBe(false);
    expect(matchesGlob(`${glob}z`, `${path}x`)).toBe(false);
  });
});

describe("when", () => {
  const holds = (when: When, work: Omit<Known, "now">) => {
    return triggerOf(when, workOn({ now: "2026-11-25", ...work })) !== undefined;
  };

  it("holds for a file that is touched", () => {
    const when = { paths: ["src/billing/**"] };
    expect(holds(when, { files: ["src/billing/vat.ts"] })).toBe(true);
    expect(holds(when, { files: ["src/auth.ts"], prompt: "billing" })).toBe(false);
    expect(holds({ paths: ["src/*/*"] }, { files: ["src/Makefile"] })).toBe(false);
  });

  it.each([
    ["src/billing/*.ts", "Look at `src/billing/vat.ts`, please.", true],
    ["src/billing/*.ts", "TypeError at src/billing/vat.ts:12:7.", true],
    ["src/billing/*.ts", "what does @src/billing/vat.ts do?", true],
    ["src/billing/*.ts", "open ./src/billing/vat.ts", true],
    ["src/billing/*.ts", "fix /home/ann/app/src/billing/vat.ts", true],
    ["src/billing/*.ts", "fix src\\billing\\vat.ts", true],
    ["src/billing/*.ts", "src/billing/vat.ts를 고쳐 줘", true],
    ["src/billing/*.ts", "请修改src/billing/vat.ts文件", true],
    ["src/결제/*.ts", "src/결제/환불.ts 파일을 봐 줘", true],
    ["src/결제/환불.ts", "src/결제/환불.ts를 고쳐 줘", true],
    ["src/결제/**", "src/결제/를 정리해 줘", true],
    ["src/支付/退款.ts", "src/支付/退款.ts里有错误", true],
    ["src/billing/**", "tidy up src/billing/ a bit", true],
    ["src/billing/**", "tidy up src/billing.", true],
    ["src/*/*.ts", "tidy up src/billing", false],
    ["vat.ts", "rename vat.ts", true],
    ["Dockerfile", "make the Dockerfile smaller", true],
    ["src/billing/*.ts", "fix src/billing/vat.tsx", false],
    ["src/billing/*.ts", "fix lib/src/billing/vat.ts", false],
    ["*file", "make the profile smaller", false],
  ])("of %s and %j: %s", (glob, prompt, expected) => {
    expect(holds({ paths: [glob] }, { prompt })).toBe(expected);
  });

  it.each([
    ["vat", "Which VAT applies?", true],
    ["vat", "a private key", false],
    ["vat", "VAT는 얼마?", true],
    ["vat", "计算VAT金额", true],
    ["vat", "vat_rate", false],
    ["release notes", "Write the Release\nnotes", true],
    ["환불", "환불은 언제?", true],
    ["환불", "부분환불은 언제?", true],
    ["환불", "환불".normalize("NFD"), true],
    ["退款", "怎么退款呢", true],
    ["ｖａｔ", "vat", true],
    ["straße", "HAUPTSTRASSE", false],
    ["straße", "die STRASSE", true],
  ])("of the word %s and %j: %s", (word, prompt, expected) => {
    expect(holds({ words: [word] }, { prompt })).toBe(expected);
  });

  it.each(["NFC", "NFD"] as const)(
    "holds whichever form of Unicode a name has, if the lesson has %s",
    (form) => {
      const other = form === "NFC" ? "NFD" : "NFC";
      for (const name of ["src/결제/환불.ts", "docs/résumé/à faire.md", "src/ガイド.md"]) {
        const [stored, met] = [name.normalize(form), name.normalize(other)];
        const whenOfStored = (when: object) => whenOf({ when } as Parameters<typeof whenOf>[0]);
        expect(holds(whenOfStored({ paths: [stored] }), { files: [met] }), name).toBe(true);
        expect(
          holds(whenOfStored({ paths: [stored] }), {
            prompt: `look at \`${met.replace(" ", "")}\``,
          }),
          name,
        ).toBe(!name.includes(" "));
        expect(
          holds(whenOfStored({ commands: [`cat ${stored}`] }), { command: `cat ${met}` }),
          name,
        ).toBe(true);
        expect(
          holds(whenOfStored({ words: ["a"], branches: [stored] }), { prompt: "a", branch: met }),
          name,
        ).toBe(true);
        expect(
          holds(whenOfStored({ words: ["a"], not: { paths: [stored] } }), {
            prompt: "a",
            files: [met],
          }),
          name,
        ).toBe(false);
      }
    },
  );

  it("of nothing holds for nothing", () => {
    expect(holds({}, { files: ["a"], prompt: "a" })).toBe(false);
    expect(holds({ words: [""] }, { prompt: "a" })).toBe(false);
  });
});

describe("a lesson comes up", () => {
  const TODAY = "2026-11-25";
  const by = (when: When, known: Partial<Known>) =>
    triggerOf(when, workOn({ now: TODAY, ...known }));

  it("by a command that is run, and not by one that is mentioned", () => {
    const when = { commands: ["npm publish", "git push *--force*"] };
    expect(by(when, { command: "cd x && npm publish" })).toBe("command");
    expect(by(when, { command: "git push -u origin --force" })).toBe("command");
    expect(by(when, { command: 'echo "npm publish"' })).toBeUndefined();
    expect(by(when, { prompt: "npm publish" })).toBeUndefined();
  });

  it("by what a failed call printed", () => {
    const when = { errors: ["unrecognized  Subcommand 'bun'"] };
    expect(by(when, { error: "\u001b[31merror:\u001b[0m unrecognized\nsubcommand 'BUN'" })).toBe(
      "error",
    );
    expect(by(when, { error: "unrecognized" })).toBeUndefined();
    expect(
      by(when, { error: `unrecognized subcommand 'bun'${"x".repeat(16_384)}` }),
    ).toBeUndefined();
    expect(by({ errors: [" "] }, { error: "a" })).toBeUndefined();
  });

  it("by the most specific of several kinds", () => {
    const when = { errors: ["e"], commands: ["npm"], paths: ["a.ts"], words: ["vat"] };
    const known = { error: "e", command: "npm i", files: ["a.ts"], prompt: "vat" };
    expect(by(when, known)).toBe("error");
    expect(by(when, { ...known, error: "x" })).toBe("command");
    expect(by(when, { files: ["a.ts"], prompt: "vat" })).toBe("path");
    expect(by(when, { prompt: "vat" })).toBe("word");
  });

  it("with `all` only where each kind matches", () => {
    const when: When = { all: true, commands: ["npm publish"], errors: ["403"] };
    expect(by(when, { command: "npm publish" })).toBeUndefined();
    expect(by(when, { command: "npm publish", error: "E403" })).toBe("error");
    expect(by({ all: true }, { command: "npm publish" })).toBeUndefined();
  });

  it("with `all` only where each value matches", () => {
    const words: When = { all: true, words: ["vat", "환불"] };
    expect(by(words, { prompt: "which vat?" })).toBeUndefined();
    expect(by(words, { prompt: "vat for a 환불" })).toBe("word");
    const commands: When = { all: true, commands: ["npm version", "npm publish"] };
    expect(by(commands, { command: "npm publish" })).toBeUndefined();
    expect(by(commands, { command: "npm version patch && npm publish" })).toBe("command");
    expect(by({ ...words, paths: ["a.ts"] }, { prompt: "vat for a 환불" })).toBeUndefined();
    expect(by({ ...words, paths: ["a.ts"] }, { prompt: "vat for a 환불 in a.ts" })).toBe("path");
  });

  it.each<[NonNullable<When["not"]>, Partial<Known>]>([
    [{ branches: ["main"] }, { branch: "main" }],
    [{ commands: ["npm publish --dry-run"] }, { command: "npm publish --dry-run" }],
    [{ words: ["docs"] }, { prompt: "write the docs" }],
    [{ paths: ["docs/**"] }, { files: ["docs/a.md"] }],
  ])("not where %j", (not, known) => {
    const when: When = { commands: ["npm publish"], not };
    expect(by(when, { command: "npm publish" })).toBe("command");
    expect(by(when, { command: "npm publish", ...known })).toBeUndefined();
  });

  it.each([
    ["release/*", "release/1.2", true],
    ["release/*", "release/1.2/fix", false],
    ["release/**", "release/1.2/fix", true],
    ["main", "main", true],
    ["main", "feature/main", false],
    ["main", undefined, false],
  ])("only on the branch %j: %j, %s", (glob, branch, expected) => {
    expect(by({ words: ["vat"], branches: [glob] }, { prompt: "vat", branch })).toBe(
      expected ? "word" : undefined,
    );
  });

  it.each([
    [{ from: "2026-11-25", until: "2026-11-25" }, true],
    [{ from: "2026-11-26" }, false],
    [{ until: "2026-11-24" }, false],
  ])("within its days: %j, %s", (days, expected) => {
    expect(by({ words: ["vat"], ...days }, { prompt: "vat" })).toBe(expected ? "word" : undefined);
  });

  it.each([
    [{ from: "2026-11-25 10:00" }, "2026-11-25 10:00", true],
    [{ from: "2026-11-25 10:00" }, "2026-11-25 09:59", false],
    [{ from: "2026-11-25" }, "2026-11-25 00:00", true],
    [{ until: "2026-11-25 10:00" }, "2026-11-25 10:00", true],
    [{ until: "2026-11-25 10:00" }, "2026-11-25 10:01", false],
    [{ until: "2026-11-25" }, "2026-11-25 23:59", true],
    [{ until: "2026-11-25" }, "2026-11-26 00:00", false],
  ])("within its minutes: %j at %s, %s", (times, now, expected) => {
    const found = by({ words: ["vat"], ...times }, { prompt: "vat", now });
    expect(found).toBe(expected ? "word" : undefined);
  });

  it("by no restriction alone", () => {
    expect(
      by(
        { branches: ["**"], from: "2026-01-01", not: { words: ["x"] } },
        { branch: "main", prompt: "a" },
      ),
    ).toBe(undefined);
  });
});
