import { defineConfig, type TestProjectConfiguration } from "vitest/config";

/** These end the run when a build is older than its sources. */
const BUILD = "test/support/needs-build.ts";
const TEST_BUILD = "test/support/needs-test-build.ts";
const PRINT_SEED = "test/support/print-seed.ts";

/** Far more than the slowest test of a kind takes, also on a machine that does much else. */
const MINUTE = 60_000;

/**
 * A kind of test. A test that asserts nothing fails, so that none passes without having run. The files of a kind share their
 * processes: what they test runs in processes of its own, or has no state.
 */
function kind(name: string, include: string[], more: object = {}): TestProjectConfiguration {
  const exclude = ["**/*.long.test.ts"];
  const patience = { testTimeout: 3 * MINUTE, hookTimeout: 3 * MINUTE };
  return {
    test: {
      name,
      include,
      exclude,
      setupFiles: ["test/support/draw-from-seed.ts"],
      ...patience,
      isolate: false,
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
      ...more,
    },
  };
}

/** Tests of one folder, through what is built. */
function face(name: string): TestProjectConfiguration {
  return kind(name, [`test/${name}/**/*.test.ts`], { globalSetup: [BUILD] });
}

/** What takes long, by a clock, a disk or its many processes, is in vitest.long.config.ts. */
export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }]],
    maxWorkers: "100%",
    projects: [
      kind(
        "unit",
        ["src/**/*.test.ts", "test/properties/**/*.test.ts", "test/events/**/*.test.ts"],
        {
          globalSetup: [PRINT_SEED],
        },
      ),
      kind("policy", ["test/policy/**/*.test.ts"], { globalSetup: [BUILD, TEST_BUILD] }),
      kind("compat", ["test/compat/**/*.test.ts"], { globalSetup: [BUILD, TEST_BUILD] }),
      // Its files stand in for a module of the platform, each in a process of its own.
      kind("windows", ["test/windows/**/*.test.ts"], { globalSetup: [BUILD], isolate: true }),
      ...["mcp", "cli", "setup", "doctor", "hooks", "scenarios", "viewer"].map(face),
      // Some of these measure how long others are kept waiting, so nothing else runs beside them.
      kind("faults", ["test/faults/**/*.test.ts"], {
        globalSetup: [BUILD, TEST_BUILD],
        testTimeout: 2 * MINUTE,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
