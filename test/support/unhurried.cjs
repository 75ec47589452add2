/**
 * Preloaded into programs that end, or answer with less, after a time that they give themselves, so that no agent waits for long. A machine
 * that does much else would have them do so in a story that is about something else: here they have a hundred times as long.
 */
const timers = require("node:timers/promises");
const { syncBuiltinESMExports } = require("node:module");

/** What is shorter is a pause and not a limit. */
const LEAST_LIMIT_MS = 100;
const unhurried = (ms) => (ms >= LEAST_LIMIT_MS ? ms * 100 : ms);

const { setTimeout: after } = globalThis;
const { setTimeout: sleep } = timers;

globalThis.setTimeout = (act, ms, ...args) => after(act, unhurried(ms), ...args);
// A pause that does not keep the program running is how long it waits for something else at most.
timers.setTimeout = (ms, value, options) =>
  sleep(options?.ref === false ? unhurried(ms) : ms, value, options);
syncBuiltinESMExports();
