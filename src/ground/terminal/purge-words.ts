/** Messages that all purge commands share. */
export const UNCHANGED = "Nothing was changed.";
export const CANNOT_BE_UNDONE = "A purge can't be undone, and this isn't a terminal that can ask.";
