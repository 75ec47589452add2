/** The tests of the append log with 120 batches a process and 12 kills. */
import "./append-log.test.ts";
