/**
 * Preloaded into the processes of a story, so that the product needs no option for it: their clock is so far behind that it showed the
 * story's instant when the story began. Where a file says how far, SIGUSR2 has it read again: a clock that is set while the process lives.
 */
const { readFileSync } = require("node:fs");

const { STORY_CLOCK_BEHIND_MS = "0", STORY_CLOCK_FILE } = process.env;
const read = () =>
  Number(STORY_CLOCK_FILE ? readFileSync(STORY_CLOCK_FILE, "utf8") : STORY_CLOCK_BEHIND_MS);
let behind = read();
if (STORY_CLOCK_FILE) {
  process.on("SIGUSR2", () => {
    behind = read();
  });
}
const realNow = Date.now.bind(Date);
Date.now = () => realNow() - behind;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [Date.now()], newTarget),
  apply: (target) => new target(Date.now()).toString(),
});
