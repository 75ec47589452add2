/** The tests of the index's faults with dozens of rounds of each process. */
import "./index.test.ts";
