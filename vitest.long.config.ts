import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long files first, so that no process works alone at the end. Vitest goes by the size of a file, and the longest of these import another. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(?:faults|properties)\//.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * `npm run test:long`: the properties on other cases, faults that wait for a clock or take thousands of processes, other people's
 * programs (npm, the inspector), Node for Windows under Wine, the long stories of a team, of the record, of doctor and of uninstalling,
 * the demo, the viewer in a browser, the runner of the scenarios, the record on a PostgreSQL that the tests start, and the benches on tiny data.
 */
export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/long.json" }]],
    globalSetup: ["needs-build", "needs-test-build", "print-seed", "one-cluster"].map(
      (one) => `test/support/${one}.ts`,
    ),
    setupFiles: ["test/support/draw-from-seed.ts"],
    env: { SENTINEL_LONG: "1" },
    // Files share their processes, as in vitest.config.ts: each file would take a second or more to import its modules again.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    include: ["test/properties/**/*.test.ts", "test/**/*.long.test.ts"],
    // Three times the longest: a test that hangs ends while the others still can.
    testTimeout: 1_500_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
    maxWorkers: "100%",
  },
});
