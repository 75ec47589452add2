/** The tests of the index's faults with hundreds of rounds of each process. */
import "./index.test.ts";
