/** One thing that was expected, and what came: the unit of a report. */

import type { Ended } from "../support/run-process.ts";
import type { Answer } from "../support/server.ts";
import type { AnswerExpectation, ExitExpectation, TextExpectation } from "./expectations.ts";
import type { Path } from "./read-scenario.ts";

export interface Check {
  /** Where the expectation stands, within the step or assertion. */
  readonly at: Path;
  readonly expected: string;
  readonly actual: string;
  readonly ok: boolean;
}

export function check(at: Path, ok: boolean, expected: string, actual: string): Check {
  return { at, ok, expected, actual };
}

function checkEqual(
  at: Path,
  what: string,
  expected: number | string,
  actual: number | string,
): Check {
  return check(at, expected === actual, `${what} ${expected}`, `${what} ${actual}`);
}

export function checkText(expectation: TextExpectation, text: string, at: Path): Check[] {
  const {
    contains = [],
    lacks = [],
    matches = [],
    order,
    times = {},
    bytes,
    most_bytes,
    most_characters,
  } = expectation;
  const size = Buffer.byteLength(text);
  return [
    ...contains.map((part, i) =>
      check([...at, "contains", i], text.includes(part), `text that contains "${part}"`, text),
    ),
    ...lacks.map((part, i) =>
      check([...at, "lacks", i], !text.includes(part), `text without "${part}"`, text),
    ),
    ...matches.map((pattern, i) =>
      check(
        [...at, "matches", i],
        new RegExp(pattern, "mu").test(text),
        `text that matches /${pattern}/`,
        text,
      ),
    ),
    ...(order
      ? [check([...at, "order"], inOrder(text, order), `in this order: ${order.join(" … ")}`, text)]
      : []),
    ...Object.entries(times).map(([part, count]) => {
      const found = text.split(part).length - 1;
      return check(
        [...at, "times", part],
        found === count,
        `"${part}" ${count} times`,
        `${found} times in: ${text}`,
      );
    }),
    ...(bytes === undefined ? [] : [checkEqual([...at, "bytes"], "bytes:", bytes, size)]),
    ...atMost([...at, "most_bytes"], "bytes", most_bytes, size),
    ...atMost([...at, "most_characters"], "characters", most_characters, text.length),
  ];
}

/** A tool's answer: an error is expected by its code; where none is, none may come. */
export function checkAnswer(
  { error, ...expectation }: AnswerExpectation,
  { text, isError, code }: Answer,
  at: Path,
): Check[] {
  const outcome = (value: string | undefined) =>
    value === undefined ? "a success" : `error ${value}`;
  const came = isError ? `${outcome(code)}: ${text}` : `a success: ${text}`;
  return [
    check(error === undefined ? at : [...at, "error"], code === error, outcome(error), came),
    ...checkText(expectation, text, at),
  ];
}

export function checkExit(
  { exit, stdout, stderr }: ExitExpectation,
  ended: Ended,
  at: Path,
): Check[] {
  return [
    check(
      [...at, "exit"],
      ended.exit === exit,
      `exit status ${exit}`,
      `${ended.exit}, standard error: ${ended.stderr}`,
    ),
    ...(stdout ? checkText(stdout, ended.stdout, [...at, "stdout"]) : []),
    ...(stderr ? checkText(stderr, ended.stderr, [...at, "stderr"]) : []),
  ];
}

function atMost(at: Path, what: string, most: number | undefined, actual: number): Check[] {
  return most === undefined
    ? []
    : [check(at, actual <= most, `at most ${most} ${what}`, `${actual} ${what}`)];
}

function inOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const found = text.indexOf(part, from);
    from = found + part.length;
    return found >= 0;
  });
}
