/**
 * Preloaded into the processes of a story, so that the product needs no option for it: their clock is so far behind that it showed the
 * story's instant when the story began.
 */
const behind = Number(process.env.STORY_CLOCK_BEHIND_MS ?? 0);
const realNow = Date.now.bind(Date);
Date.now = () => realNow() - behind;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [Date.now()], newTarget),
  apply: (target) => new target(Date.now()).toString(),
});
