import { expect, it } from "vitest";
import { meaningOf as meaningOfClaudeCode } from "./claude-code-tools.ts";
import { meaningOf as meaningOfCodex } from "./codex-tools.ts";
import { geminiReader } from "./gemini.ts";
import { choicesOf } from "./meanings.ts";
import type { Choice, Fields, TranscriptReader } from "./transcript.ts";

const asked = (...labels: string[]): Fields => ({
  question: "Which?",
  options: labels.map((label) => ({ label })),
});

const DATABASES = ["Postgres", "SQLite", "None"];
const HOSTED = ["Postgres", "Postgres, hosted", "SQLite", "hosted"];

it.each<[string, string[], unknown, string[]]>([
  ["one", DATABASES, "SQLite", ["Postgres", "None"]],
  ["words of their own", DATABASES, "Neither, let me think", DATABASES],
  [
    "a label and words of their own",
    DATABASES,
    "SQLite, but only, say, for the tests",
    ["Postgres", "None"],
  ],
  ["a label with a comma", HOSTED, "Postgres, hosted, SQLite", ["Postgres", "hosted"]],
  [
    "a label and another one with a comma",
    HOSTED,
    "SQLite, Postgres, hosted",
    ["Postgres", "hosted"],
  ],
  ["a word that a label begins with", DATABASES, "SQLite3", DATABASES],
  ["a list", DATABASES, ["Postgres", "None"], ["SQLite"]],
])(
  "a person chose %s: the alternatives are what was offered and not chosen",
  (_, labels, answer, alternatives) => {
    expect(choicesOf(asked(...labels), answer)).toEqual([
      { question: "Which?", decision: [answer].flat().join(", "), alternatives },
    ]);
  },
);

it.each<[string, unknown]>([
  ["an empty answer", ""],
  ["an empty list", []],
])("%s is no choice", (_, answer) => {
  expect(choicesOf(asked("A", "B"), answer)).toEqual([]);
});

it.each([
  ["The stale clone makes the hook fail. Can I remove it?", "Yes, remove it"],
  ["Should I commit with --no-verify?", "No"],
  ["More questions about revocation, or move to next area?", "Next area"],
  ["What now?", "Work on it now"],
  ["Which database?", "You decide"],
  ["Which database?", "Which one has the others in it?"],
])("%s %s decides nothing", (question, answer) => {
  expect(choicesOf({ question, options: [{ label: answer }, { label: "Other" }] }, answer)).toEqual(
    [],
  );
});

it.each([
  ["Should I keep the fallback?", "No, trust the model"],
  ["Where are plans kept?", "Done in the engine, not in the API"],
  ["Which step is next in the pipeline?", "Next step: suggestions"],
])("%s %s decides", (question, decision) => {
  expect(choicesOf({ question, options: [] }, decision)).toEqual([
    { question, decision, alternatives: [] },
  ]);
});

it("a long answer in the person's words is read at once", () => {
  const answer = Array.from({ length: 50_000 }, () => "A, and").join(", ");
  expect(choicesOf(asked("A", "and", "B"), answer)[0]?.alternatives).toEqual(["B"]);
});

const questions = [
  { id: "db", ...asked(...DATABASES), question: "Which database?", multiSelect: true },
  { id: "where", ...asked("Here", "There"), question: "Where?", multiSelect: true },
  { id: "when", ...asked("Now"), question: "When?", multiSelect: true },
];

const inFields = {
  answers: { "Which database?": "Postgres, None", "Where?": "There, In the cloud" },
};
const byId = {
  db: { answers: ["Postgres", "None"] },
  where: { answers: ["There", "In the cloud"] },
};
it.each<[string, TranscriptReader["meaningOf"], string, Fields, string]>([
  ["Claude Code", meaningOfClaudeCode, "AskUserQuestion", inFields, "The answers are in."],
  [
    "Claude Code in words",
    meaningOfClaudeCode,
    "AskUserQuestion",
    {},
    'User has answered your questions: "Which database?"="Postgres, None", "Where?"="There, In the cloud". Go on.',
  ],
  [
    "Gemini",
    geminiReader.meaningOf,
    "ask_user",
    {},
    '{"answers":{"0":"Postgres, None","1":"There, In the cloud"}}',
  ],
  ["Codex", meaningOfCodex, "request_user_input", {}, JSON.stringify({ answers: byId })],
])(
  "%s: of several questions each answer counts for its own",
  (_, meaningOf, tool, details, text) => {
    const answer = { call: "c", text, isError: false, images: [], details };
    expect(meaningOf({ call: "c", tool, input: { questions } }, answer).decisions).toEqual<
      Choice[]
    >([
      { question: "Which database?", decision: "Postgres, None", alternatives: ["SQLite"] },
      { question: "Where?", decision: "There, In the cloud", alternatives: ["Here"] },
    ]);
  },
);
