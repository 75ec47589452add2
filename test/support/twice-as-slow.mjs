/** The built command line with a delay built in: before each line that it writes, it works once more as long as it did since the last one. */
let since = process.cpuUsage();
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (...args) => {
  const { user, system } = process.cpuUsage(since);
  const [began, most] = [process.cpuUsage(), user + system];
  for (let spent = 0; spent < most; ) {
    const now = process.cpuUsage(began);
    spent = now.user + now.system;
  }
  since = process.cpuUsage();
  return write(...args);
};
await import("../../dist/cli.mjs");
