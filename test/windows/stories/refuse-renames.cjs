/** Refuses to rename a lock three times, as NTFS does while a scanner has the note in it open. Wine lets it be renamed. */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const { renameSync } = fs;
let left = 3;
fs.renameSync = (from, to) => {
  if (String(to).endsWith(".lock") && left > 0) {
    left -= 1;
    throw Object.assign(new Error(`EPERM: operation not permitted, rename '${from}'`), {
      code: "EPERM",
    });
  }
  return renameSync(from, to);
};
syncBuiltinESMExports();
