/** What every purge says of itself. */
export const UNCHANGED = "Nothing was changed.";
export const CANNOT_BE_UNDONE = "A purge cannot be undone, and nobody can be asked here.";
