// Prints "N passed, N failed" over the reports of several runs, each given as NAME=STATUS. A run that ended before its tests did
// counts as a failure. Tests that failed, and those that could not run here, are named above that line. reports/times.txt gets the seconds
// that each test file took, the slowest first.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

const runs = process.argv.slice(2).map((run) => {
  const [name, status] = run.split("=");
  return readReport(name, Number(status));
});
for (const title of runs.flatMap(({ skipped }) => skipped)) {
  process.stdout.write(`skipped: ${title}\n`);
}
for (const { title, message } of runs.flatMap(({ failures }) => failures)) {
  process.stdout.write(`failed: ${title}\n${message.split("\n", 20).join("\n")}\n`);
}
const times = runs.flatMap((run) => run.times).sort((a, b) => b.seconds - a.seconds);
const lines = times.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
writeFileSync("reports/times.txt", lines.join(""));
process.stdout.write(`the slowest files:\n${lines.slice(0, 10).join("")}`);
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
      times: testResults.map(({ name: file, startTime, endTime }) => ({
        file: relative(process.cwd(), file),
        seconds: (endTime - startTime) / 1_000,
      })),
      skipped: skipped.map(({ fullName }) => fullName),
      failures: failures.map(({ fullName, failureMessages }) => ({
        title: fullName,
        message: failureMessages.join("\n"),
      })),
    };
  } catch {
    return { passed: 0, failed: 1, times: [], skipped: [], failures: [] };
  }
}
