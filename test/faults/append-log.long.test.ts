/** The tests of the append log with 400 batches a process and 40 kills. */
import "./append-log.test.ts";
