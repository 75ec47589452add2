/** The tests of the session log's faults with 8 processes of 2,000 events, and dozens of kills. */
import "./events.test.ts";
