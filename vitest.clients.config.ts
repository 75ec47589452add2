import { defineConfig } from "vitest/config";

/** The real agents; `npm run test:clients` installs them first. */
export default defineConfig({
  test: { include: ["test/clients/**/*.test.ts"], testTimeout: 240_000, hookTimeout: 60_000, fileParallelism: false },
});
