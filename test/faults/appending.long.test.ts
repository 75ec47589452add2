/** The same with 8 processes of 1,000 events, and many more kills. */
import "./appending.test.ts";
