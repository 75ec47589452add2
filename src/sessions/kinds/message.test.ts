import { expect, it } from "vitest";
import { lastQuestion } from "./message.ts";

it.each([
  ["Done.", undefined],
  ["Is it done? Yes, it is.", undefined],
  ["All tests pass. Should I commit?", "All tests pass. Should I commit?"],
  ["## Done\n\n- a\n- b\n\n**Should I commit?**", "- b **Should I commit?**"],
  [
    "\uB2E4 \uD588\uC2B5\uB2C8\uB2E4. \uCEE4\uBC0B\uD560\uAE4C\uC694\uFF1F",
    "\uB2E4 \uD588\uC2B5\uB2C8\uB2E4. \uCEE4\uBC0B\uD560\uAE4C\uC694\uFF1F",
  ],
  [`${"long ".repeat(100)}. Ok?`, "Ok?"],
])("%j asks %j at its end", (text, question) => {
  expect(lastQuestion(text, 300)).toBe(question);
});
