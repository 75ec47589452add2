/** Matches globs against paths, in a time that grows at most with the product of their lengths. */

/** Whether a path matches a glob. `*` and `?` match in a segment, `**` matches any folders, and a glob without a slash matches in any folder. */
export function matchesGlob(glob: string, path: string): boolean {
  const pattern = withSlashes(glob).split("/");
  if (pattern.length === 1) {
    pattern.unshift(ANY_FOLDERS);
  }
  if (pattern.at(-1) === "") {
    pattern.splice(-1, 1, ANY_FOLDERS);
  }
  // At the end, it matches at least one name.
  if (pattern.at(-1) === ANY_FOLDERS) {
    pattern.push("*");
  }
  const names = withSlashes(path).split("/");
  return names.at(-1) !== "" && matchesAll(pattern, names, ANY_FOLDERS, matchesName);
}

const ANY_FOLDERS = "**";

const withSlashes = (path: string): string => path.replaceAll("\\", "/").replace(/^\.?\//, "");

const matchesName = (pattern: string, name: string): boolean =>
  matchesAll([...pattern], [...name], "*", (part, character) => part === "?" || part === character);

/** Whether a pattern matches a whole list. At a mismatch, only its last star takes one more item: an earlier one would reach nothing new. */
function matchesAll(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  matchesOne: (part: string, item: string) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let lastStar = -1;
  let takenByStar = 0;
  while (item < items.length) {
    const wanted = pattern[part];
    if (wanted === star) {
      lastStar = part;
      takenByStar = item;
      part += 1;
    } else if (wanted !== undefined && matchesOne(wanted, items[item] ?? "")) {
      part += 1;
      item += 1;
    } else if (lastStar >= 0) {
      takenByStar += 1;
      part = lastStar + 1;
      item = takenByStar;
    } else {
      return false;
    }
  }
  return pattern.slice(part).every((rest) => rest === star);
}
