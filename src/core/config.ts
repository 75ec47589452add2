/** With more records than this a compaction is due. */
export const COMPACT_THRESHOLD = 50;
