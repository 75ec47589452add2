/** What somebody wants to stay in view. */
import { eventKind } from "./kind.ts";

export const pin = eventKind({
  name: "pin",
  fields: {
    text: "text",
    /** What is pinned, where that is recorded. */
    ref: "id",
    /** Why, or what it says in short. */
    note: "text",
    supersedes: "ids",
    /** It takes back what it supersedes. */
    removed: "flag",
  },
  searched: ["text", "note"],
  importance: 1,
});
