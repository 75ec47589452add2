import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { redact } from "../redact.ts";
import { MARK } from "../span.ts";

/** A kind can have several examples. */
const TOKENS = readFileSync("test/support/golden-tokens.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [kind = "", rotated = ""] = line.split("\t");
    return { kind, token: rotateBack(rotated) };
  });

function rotateBack(rotated: string): string {
  return rotated
    .replaceAll(" ", "")
    .replace(/[a-z]/g, (letter) => moved(letter, "a", 26))
    .replace(/[A-Z]/g, (letter) => moved(letter, "A", 26))
    .replace(/\d/g, (digit) => moved(digit, "0", 10));
}

/** Moves a character by half its alphabet. */
function moved(character: string, first: string, size: number): string {
  const start = first.charCodeAt(0);
  return String.fromCharCode(start + ((character.charCodeAt(0) - start + size / 2) % size));
}

it("the table holds a token of sixty kinds and more", () => {
  expect(new Set(TOKENS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60);
});

it.each(TOKENS)("a documented $kind is found in a log line, by its own format", (documented) => {
  const { kind, token } = documented;
  const line = `2026-11-21T09:12:45Z INFO worker 7 sent ${token} upstream in 12 ms`;
  const { text, findings } = redact(line);
  expect(text).toBe(line.replace(token, () => MARK));
  expect(findings).toEqual([{ kind, count: 1 }]);
});
