/** A process that appends batches of five lines to a log: `append-batches.ts LOG NAME BATCHES`. */
import { appendLines } from "../../../src/ground/files/append-log.ts";

const [path = "", name = "", batches = ""] = process.argv.slice(2);

for (let batch = 0; batch < Number(batches); batch++)
  appendLines(
    path,
    [0, 1, 2, 3, 4].map((place) => JSON.stringify({ batch: `${name} ${batch}`, place })),
  );
