import { expect, it } from "vitest";
import { git } from "./git.ts";

it("that the system refuses to start is a status, as a missing git is", async () => {
  const longerThanLinuxTakes = "x".repeat(200_000);
  const answer = await git(".", "log", longerThanLinuxTakes);
  expect(answer).toMatchObject({ status: -1, text: "" });
  expect(answer.message).toContain("E2BIG");
});
