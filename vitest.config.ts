import { defineConfig } from "vitest/config";

/** These end the run when a build is older than its sources. */
const BUILD = "test/support/needs-build.ts";
const TEST_BUILD = "test/support/needs-test-build.ts";

/** The fault tests run many real processes, two files of them at a time, so nothing else runs beside them. */
export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }]],
    projects: [
      { test: { name: "unit", testTimeout: 30_000, include: ["src/**/*.test.ts", "test/properties/**/*.test.ts"] } },
      {
        test: {
          name: "policy",
          globalSetup: [BUILD, TEST_BUILD],
          include: ["test/policy/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      { test: { name: "answers", globalSetup: [BUILD], include: ["test/answers/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: { name: "commands", globalSetup: [BUILD], include: ["test/commands/**/*.test.ts"], testTimeout: 60_000 },
      },
      { test: { name: "setup", globalSetup: [BUILD], include: ["test/setup/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "hooks", globalSetup: [BUILD], include: ["test/hooks/**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          name: "compat",
          globalSetup: [BUILD, TEST_BUILD],
          include: ["test/compat/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      { test: { name: "demo", globalSetup: [BUILD], include: ["test/demo/**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          name: "scenarios",
          globalSetup: [BUILD],
          include: ["test/scenarios/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          globalSetup: [BUILD, TEST_BUILD, "test/faults/support/print-seed.ts"],
          testTimeout: process.env.FAULTS === "long" ? 3_600_000 : 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
