/**
 * Preloaded into the processes of a story, so that the product needs no option for it: their clock was at the story's instant when the
 * story began, and runs on from there.
 */
const shift = Number(process.env.STORY_CLOCK_SHIFT_MS ?? 0);
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [Date.now()], newTarget),
  apply: (target) => new target(Date.now()).toString(),
});
