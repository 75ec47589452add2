/** Questions that share one word with a lesson, over a memory of a clinic. It's enough only if it's an identifier, or all that the question says. */
import { describe, expect, it } from "vitest";
import { clinicMemory } from "../../../test/support/clinic-memory.ts";
import { clearMatches, rankLessons } from "./lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

const lessons = clinicMemory().lessons();
const found = (query: string) =>
  clearMatches(rankLessons(lessons, query, MOMENT), query).map(
    ({ line }) => line.version.missing_context,
  );

describe("one word among others is a coincidence", () => {
  it.each([
    "Cheap office chairs",
    "Draw a red dragon",
    "Suggest summer reading",
    "Which street food festival is the best?",
    "Write a letter to Santa",
    "A night in Paris",
    "How does a camera lens bend light?",
    "Who invented the printer and the telegraph?",
    "아침 운동 계획을 짜 줘",
    "推荐一本电话营销的书",
  ])("%s", (query) => {
    expect(found(query)).toEqual([]);
  });

  it("also in questions that were kept aside", () => {
    const aside = [
      "Compose a song about the morning rain",
      "How old is the oldest computer museum?",
      "Design a logo for a coffee company",
      "What colours do bees like?",
      "Cheap holidays in Greece",
      "Which country exports bananas?",
      "How do clocks tick?",
      "Describe the doctor in this novel",
      "광고 음악을 추천해 주세요",
      "早上跑步的好处有哪些",
    ];
    expect(aside.filter((query) => found(query).length > 0)).toEqual([]);
  });
});

it.each([
  ["Why does hold_slot fail?", "A slot may be held"],
  ["fitSms returns undefined", "The SMS provider"],
  ["xvfb-run hangs", "Browser tests"],
  ["Where is chartPalette defined?", "The design has no dark"],
  ["LegacyAuth throws", "Passwords are checked"],
  ["wrong plural in i18n-check output", "Translators deliver"],
  ["case_number is null in production", "Insurance companies"],
  ["keycloak", "The hospital's Keycloak"],
  ["Is this about DICOM?", "Scans of X-rays"],
])("an identifier or the only telling word is enough in %j", (query, gap) => {
  expect(found(query)[0]).toMatch(new RegExp(`^${gap}`));
});

it.each([
  ["Upgrade Keycloak", "The hospital's Keycloak"],
  ["rotate the twilio credentials", "Twilio answers"],
  ["DICOM viewer crashes", "Scans of X-rays"],
  ["알림톡이 실패했어요", "카카오 알림톡은"],
  ["危急值没有显示", "危急值必须"],
])("the lesson that shares one word with %j ranks first, for the titles", (query, gap) => {
  expect(rankLessons(lessons, query, MOMENT)[0]?.line.version.missing_context).toMatch(
    new RegExp(`^${gap}`),
  );
});
