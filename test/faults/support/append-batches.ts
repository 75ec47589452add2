/**
 * A process that appends to a log: `append-batches.ts LOG NAME BATCHES LINES_OF_A_BATCH`. It prints the number of each batch once it
 * is acknowledged.
 */
import { appendLines } from "../../../src/ground/files/append-log.ts";

const [path = "", name = "", batches = "", size = ""] = process.argv.slice(2);

for (let batch = 0; batch < Number(batches); batch++) {
  const lines = Array.from({ length: Number(size) }, (_, place) =>
    JSON.stringify({ batch: `${name} ${batch}`, place }),
  );
  appendLines(path, lines);
  await new Promise((resolve) => process.stdout.write(`${batch}\n`, resolve));
}
