import { defineConfig } from "vitest/config";

/** The fault tests run many real processes, two files of them at a time, so nothing else runs beside them. */
export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }]],
    projects: [
      { test: { name: "unit", testTimeout: 30_000, include: ["src/**/*.test.ts", "test/properties/**/*.test.ts"] } },
      { test: { name: "policy", include: ["test/policy/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "answers", include: ["test/answers/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "commands", include: ["test/commands/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "setup", include: ["test/setup/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "hooks", include: ["test/hooks/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "demo", include: ["test/demo/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "scenarios", include: ["test/scenarios/**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          globalSetup: ["test/faults/support/print-seed.ts"],
          testTimeout: process.env.FAULTS === "long" ? 3_600_000 : 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
