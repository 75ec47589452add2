import { defineConfig } from "vitest/config";

/** The real agents; `npm run test:clients` installs them first. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
