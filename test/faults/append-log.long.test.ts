/** The tests of the append log with 400 batches a process and 12 kills. */
import "./append-log.test.ts";
