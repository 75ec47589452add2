// Prints "N passed, N failed" over the reports of several runs, each given as NAME=STATUS. A run that ended before its tests did
// counts as a failure. Tests that failed, and those that could not run here, are named above that line.
import { readFileSync } from "node:fs";

const runs = process.argv.slice(2).map((run) => {
  const [name, status] = run.split("=");
  return readReport(name, Number(status));
});
for (const title of runs.flatMap(({ skipped }) => skipped))
  process.stdout.write(`skipped: ${title}\n`);
for (const { title, message } of runs.flatMap(({ failures }) => failures)) {
  process.stdout.write(`failed: ${title}\n${message.split("\n", 20).join("\n")}\n`);
}
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);

function sum(what) {
  return runs.reduce((total, run) => total + run[what], 0);
}

function readReport(name, status) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(
      readFileSync(`reports/${name}.json`, "utf8"),
    );
    const failed = numFailedTests === 0 && status !== 0 ? 1 : numFailedTests;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const skipped = tests.filter((test) => !["passed", "failed"].includes(test.status));
    const failures = tests.filter((test) => test.status === "failed");
    return {
      passed: numPassedTests,
      failed,
      skipped: skipped.map(({ fullName }) => fullName),
      failures: failures.map(({ fullName, failureMessages }) => ({
        title: fullName,
        message: failureMessages.join("\n"),
      })),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: [], failures: [] };
  }
}
