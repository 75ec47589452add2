/** In ms since the process started; never set back. In hooks it stands for `performance.now`, whose module is another one to load. */
export const uptimeMs = (): number => process.uptime() * 1000;
