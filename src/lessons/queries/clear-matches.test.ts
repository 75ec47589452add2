import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { clearMatches, rankLessons } from "./lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

/** A memory of a shop in three languages; each gap is told by its first words. */
const memory = snapshotOf(
  ...[
    ["billing", "Invoices round each line before the sum", "Add the rounded lines"],
    [
      "billing",
      "Credit notes need the number of their invoice",
      "Look the invoice up first, then run the job again",
    ],
    ["warehouse", "Pallets from Rotterdam carry two labels", "Scan the lower label"],
    ["login", "Firefox blocks the third-party cookie", "Serve the form from our own domain"],
    ["reports", "The monthly export fails over 60 columns", "Split it by quarter"],
    ["slots", "A slot is held by hold_slot for ten minutes", "Ask for it again before that"],
    ["ci", "The runner has no Docker", "Use the remote builder, and commit the lock file"],
    ["search", "Umlauts are folded at 2 places", "Fold in the analyser only"],
    ["매출", "매출 집계는 환율을 전날 종가로 계산한다", "환율 표를 먼저 갱신한다. 확인해야 해요"],
    ["库存", "仓库盘点时不能修改库存数量", "先锁定货架，再开始盘点"],
    ["物流", "冷链运输的温度记录每小时上传一次", "缺少记录时不要签收"],
  ].map(([topic = "", gap = "", lesson]) => logLine(topic, gap, 1, { lesson })),
);

const found = (query: string) =>
  clearMatches(rankLessons(memory.lessons(), query, MOMENT), query).map(
    ({ line }) => line.version.missing_context,
  );

describe("a query brings up the lesson it is about", () => {
  it.each([
    ["Pallets from Rotterdam are counted twice", "Pallets from Rotterdam"],
    ["docker", "The runner has no Docker"],
    ["환율이 틀린 매출 보고서", "매출 집계는"],
    ["盘点的时候修改了数量", "仓库盘点时"],
    ["冷链运输温度异常", "冷链运输的"],
  ])("%s", (query, gap) => {
    expect(found(query)[0]).toMatch(new RegExp(`^${gap}`));
  });
});

it.each([
  ["Rotterdam freight cost is missing", "Pallets from Rotterdam"],
  ["speed up ci", "The runner has no Docker"],
  ["Firefox에서 로그인이 자꾸 풀려요", "Firefox blocks"],
  ["导出报表超过60列就出错", "The monthly export"],
])("ranks a lesson that shares one word with %j first, for the titles", (query, gap) => {
  const [first] = rankLessons(memory.lessons(), query, MOMENT);
  expect(first?.line.version.missing_context).toMatch(new RegExp(`^${gap}`));
  expect(found(query)).toEqual([]);
});

it.each([
  ["Which Docker?", "The runner has no Docker"],
  ["How does the warehouse work?", "Pallets from Rotterdam"],
  ["Why does hold_slot fail?", "A slot is held"],
  ["HoldSlot throws in the nightly run", "A slot is held"],
])("an identifier, or one word, is enough in %j, which says no more", (query, gap) => {
  expect(found(query)[0]).toMatch(new RegExp(`^${gap}`));
});

it.each([
  "run it again and commit",
  "Translate this page about number theory into French",
  "점심 메뉴를 추천해야 해요",
  "Which slot machine pays best?",
  // Two of its many words are a lesson's too.
  "Draw a chart of the sunspot cycle from the observatory's archive with labels for each decade, a legend in the lower corner, and a download button below the axis",
])("finds nothing for %j", (query) => {
  expect(found(query)).toEqual([]);
});

it("a word that names the topic of many lessons does not mean each of them, unless it is the question", () => {
  const gaps = [
    "Offsets are slow",
    "Clients send no version",
    "Error codes are documented",
    "Pages hold 50 rows",
    "Keys rotate",
    "Bodies are camelCase",
    "Ids are texts",
    "Dates are UTC",
  ];
  const filler = Array.from({ length: 60 }, (_, at) =>
    logLine(`other ${at}`, `Something else number ${at}`),
  );
  const many = snapshotOf(
    ...filler,
    ...gaps.map((gap) => logLine("API", gap)),
    logLine("mocks", "External calls of the API"),
  );
  const gapsFor = (query: string) =>
    clearMatches(rankLessons(many.lessons(), query, MOMENT), query).map(
      ({ line }) => line.version.missing_context,
    );
  expect(gapsFor("테스트에서 외부 API 호출")).toEqual([]);
  expect(gapsFor("api")).toHaveLength(9);
  expect(gapsFor("external API calls in tests")[0]).toBe("External calls of the API");
});

it("leaves out what shares little with the query beside a lesson that holds all of it", () => {
  expect(found("Credit notes need the number of their invoice")).toEqual([
    "Credit notes need the number of their invoice",
  ]);
});

it("finds a lesson that says it comes up, before what resembles the query more", () => {
  const meant = logLine("audit", "Every change of a total is signed", 1, {
    when: { words: ["credit note"] },
  });
  const lines = snapshotOf(
    meant,
    ...memory.lessons().map(({ version }) => JSON.stringify(version)),
  ).lessons();
  const topics = (query: string) =>
    clearMatches(rankLessons(lines, query, MOMENT), query).map(({ line }) => line.version.topic);
  expect(topics("Which number does a credit note need of its invoice?")).toEqual([
    "audit",
    "billing",
  ]);
  expect(topics("Credit notes need the number of their invoice")).not.toContain("audit");
});
