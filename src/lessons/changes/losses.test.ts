import { describe, expect, it } from "vitest";
import { leftOutBy, listLeftOut, mustConcern } from "./losses.ts";

const lesson = (text: string) => ({ lesson: text, missing_context: "" });

/** What a principle leaves out of its sources, in one line. */
const left = (principle: string, sources: readonly string[]): string =>
  listLeftOut(leftOutBy(lesson(principle), sources.map(lesson)));

describe("a principle says what it leaves out", () => {
  it.each<[what: string, lost: string, principle: string, source: string]>([
    [
      "a number",
      "30",
      "Wait before a retry of the upload.",
      "Wait 30 seconds before a retry of the upload.",
    ],
    ["a decimal", "2.5", "Scale the upload by two.", "Scale the upload by 2.5."],
    ["a grouped number", "1000", "Read many rows at a time.", "Read 1,000 rows at a time."],
    [
      "a header",
      "X-Request-Id",
      "Send an id with each request.",
      "Send X-Request-Id with each request.",
    ],
    ["a snake_case name", "retry_count", "Set the count of retries.", "Set retry_count."],
    [
      "a camelCase name",
      "maxRetries",
      "Set the most retries of a call.",
      "Set maxRetries of a call.",
    ],
    [
      "a name within another word",
      "VAT",
      "Keep private amounts as they are.",
      "Keep VAT amounts as they are.",
    ],
    ["a path", "src/billing/rates.ts", "Read the rates first.", "Read src/billing/rates.ts first."],
    [
      "a file",
      "package.json",
      "Bump the version in the manifest.",
      "Bump the version in package.json.",
    ],
    ["an option", "--force", "Push to main without it.", "Push to main with --force."],
    [
      "quoted words",
      "draft ready",
      "Mark the invoice first.",
      'Mark the invoice "draft ready" first.',
    ],
    [
      "a prohibition",
      '"Never push to main"',
      "Push from a branch to review it.",
      "Push from a branch to review it. Never push to main.",
    ],
    [
      "a Korean prohibition",
      '"메인 브랜치에 푸시하지 마세요"',
      "브랜치에서 푸시한다",
      "메인 브랜치에 푸시하지 마세요",
    ],
    ["a Chinese prohibition", '"不要推送到主分支"', "推送到主分支之前先审查", "不要推送到主分支"],
    ["a number in Chinese", "30", "超过限流时等待", "超过限流时等待30秒"],
    ["a number after Korean", "3", "다시 시도한다", "최대3번 다시 시도한다"],
    ["a curly apostrophe", '"Don’t cache tokens"', "Cache tokens.", "Don’t cache tokens."],
    [
      "what one had better not",
      '"You shouldn\'t cache tokens"',
      "Cache tokens.",
      "You shouldn't cache tokens.",
    ],
    [
      "what a Korean or Chinese rule avoids",
      '"避免在事务里调用外部接口"',
      "在事务里调用外部接口",
      "避免在事务里调用外部接口",
    ],
  ])("%s", (_, lost, principle, source) => {
    expect(left(principle, [source])).toContain(lost);
    expect(left(source, [source])).toBe("");
    expect(left(`${principle} ${source}`, [source, source])).toBe("");
  });

  it("lists each detail once, numbers first", () => {
    const source = "Wait 30 seconds, then set retry_count to 5. Retry_Count counts calls.";
    expect(left("Wait, then set the count.", [source, source])).toBe("30 | 5 | Retry_Count");
  });

  it("cuts a long list and long sentences", () => {
    const sources = Array.from({ length: 25 }, (_, n) => `Wait ${100 + n} ms.`);
    expect(left("Wait.", sources)).toMatch(/^100 \| 101 .* \| 119 and 5 more$/);
    const sentence = `Never ${"x".repeat(200)}`;
    expect(left("Wait.", [sentence])).toBe(`"Never ${"x".repeat(113)}…`);
  });
});

describe("a principle that has no word in common with its sources", () => {
  const SOURCES = [
    "Amounts are rounded down to cents.",
    "Refunds go through the ledger.",
    "Key webhooks by event id.",
    "Exports are written in UTC.",
    "Tokens rotate every hour.",
  ];
  const KOREAN = ["환불은 원장을 거쳐서 처리하세요", "금액은 센트 단위로 내림하세요"];
  const CHINESE = ["退款必须经过账本", "金额向下取整到分"];
  const codeOf = (principle: string, sources: readonly string[]) => {
    try {
      mustConcern(lesson(principle), sources.map(lesson));
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each([
    ["Be careful.", SOURCES],
    ["Look at each date twice.", SOURCES],
    ["조심하세요", KOREAN],
    ["请小心", CHINESE],
  ])("%s is refused", (principle, sources) => {
    expect(codeOf(principle, sources)).toBe("would_lose");
  });

  it.each([
    ["Be careful with refunds.", SOURCES],
    ["조심하세요", SOURCES],
    ["Be careful.", KOREAN],
    ["환불을 조심하세요", KOREAN],
    ["退款请小心", CHINESE],
  ])("%s is saved", (principle, sources) => {
    expect(codeOf(principle, sources)).toBeUndefined();
  });

  it("may take the word from what was missing", () => {
    const source = { ...lesson("Round it down."), missing_context: "Rounding of amounts" };
    expect(() => mustConcern(lesson("Amounts need care."), [source])).not.toThrow();
  });
});

describe("a principle that says all is saved, in whatever words", () => {
  it.each([
    [
      "with another particle",
      "RefundService.create로 환불하고 scan_status 값을 본다",
      "RefundService.create를 부르고 scan_status가 찰 때까지 본다",
    ],
    [
      "beside Chinese words",
      "手机号先用mask_phone处理, 再写日志",
      "写日志前用mask_phone处理手机号",
    ],
    [
      "without a possessive",
      "Use OrderRepo and its cache for e.g. invoices",
      "Use OrderRepo's cache, e.g. for invoices",
    ],
    ["of what differs", "因国家不同而税率不同, 用另一张表", "税率因国家不同而变, 用别的表"],
  ])("%s", (_, principle, source) => {
    expect(left(principle, [source])).toBe("");
  });

  it.each([
    [
      "Do not force-push main; wait 30 seconds.",
      ["Never force-push to main.", "Wait 30 s before that."],
    ],
    [
      "Round amounts down to cents; 1000 rows a page.",
      ["Amounts are rounded down to cents.", "1,000 rows a page."],
    ],
    ["Set `retry_count` (5) in config.yaml.", ["retry_count is 5.", 'It stands in "config.yaml".']],
    ["메인에는 푸시하지 않는다. 30초 기다린다.", ["메인에 푸시하지 마세요", "30초 기다리세요"]],
  ])("%s", (principle, sources) => {
    expect(left(principle, sources)).toBe("");
  });
});
