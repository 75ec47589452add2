/** Which database counts transactions, as SQL: one that was restored from a dump is another, and its numbers say nothing of the first one's. */
export const COUNTED_BY =
  "(select system_identifier || ' ' || oid from pg_control_system(), pg_database where datname = current_database())";
