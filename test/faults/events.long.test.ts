/** The tests of the session log's faults with 8 processes of 1,000 events, and dozens of kills. */
import "./events.test.ts";
