const PATCH = "*** Begin Patch";
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

/** In the order of the patch; none for a text that holds no patch. */
export function patchedFiles(text: string | undefined): string[] {
  if (!text?.includes(PATCH)) return [];
  return [...text.matchAll(PATCHED)].map(([, named, moved]) => (named ?? moved ?? "").trim());
}
