import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TOKEN_TABLE_FILE, tokenTableModule } from "../../scripts/token-table.ts";

it("is what the vocabulary says: run npm run generate", () => {
  expect(readFileSync(TOKEN_TABLE_FILE, "utf8")).toBe(tokenTableModule());
});
