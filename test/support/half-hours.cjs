/**
 * Preloaded into a program that ends after half an hour in which nobody asked: 29 minutes pass for that limit at each signal USR2, and
 * none in between. It notes each in the file PASSED.
 */
const { appendFileSync } = require("node:fs");

const HALF_HOUR_MS = 30 * 60_000;
const PASSED_MS = 29 * 60_000;

const { setTimeout: after } = globalThis;

globalThis.setTimeout = (act, ms, ...args) => {
  if (ms !== HALF_HOUR_MS) {
    return after(act, ms, ...args);
  }
  let left = ms;
  const pass = () => {
    left -= PASSED_MS;
    appendFileSync(process.env.PASSED, ".");
    if (left <= 0) {
      act(...args);
    }
  };
  process.on("SIGUSR2", pass);
  const timer = after(() => process.off("SIGUSR2", pass), 2 ** 31 - 1);
  timer.refresh = () => {
    left = ms;
    return timer;
  };
  return timer;
};
