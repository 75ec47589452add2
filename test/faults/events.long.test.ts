/** The tests of the session log's faults with 8 processes of 1,000 events, and many more kills. */
import "./events.test.ts";
