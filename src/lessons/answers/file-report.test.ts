import { describe, expect, it } from "vitest";
import { logLine } from "../../../test/support/lines.ts";
import { parseFile } from "../format/file-lines.ts";
import { fileReport } from "./file-report.ts";

describe("the report on the file", () => {
  it("is silent about a sound one", () => {
    expect(reportOn(logLine("a", "b"))).toBe("");
  });

  it("names lines that are not lessons, and conflict markers", () => {
    const report = reportOn(
      "<<<<<<< HEAD",
      logLine("a", "b"),
      "=======",
      "{broken",
      ">>>>>>> other",
    );
    expect(report).toContain("1 line of the file is not a lesson and is kept (line 4: not JSON)");
    expect(report).toContain("conflict markers");
  });
});

function reportOn(...lines: readonly string[]): string {
  const parsed = parseFile(Buffer.from(`${lines.join("\n")}\n`));
  return fileReport(parsed).join("\n");
}
