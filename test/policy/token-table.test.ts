import { inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { tokenTable } from "../../scripts/token-table.ts";
import { TOKEN_TABLE } from "../../src/active-context/tokens/table-data.ts";

it("is what the vocabulary says: run npm run generate", () => {
  expect(inflateRawSync(Buffer.from(TOKEN_TABLE, "base64")).equals(tokenTable())).toBe(true);
});
