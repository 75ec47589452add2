/** What somebody wants to stay in view. */
import { eventKind, shortened } from "./kind.ts";

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
  form: {
    name: "a pin",
    needs: ["ref", "note"],
    may: ["supersedes"],
    // A person needs no ground for what has to stay in view.
    byPerson: { needs: [], may: ["text", "ref", "note"] },
  },
  searched: ["text", "note"],
  brief: ({ content }) =>
    shortened(content, { text: 700, ref: 100, note: 300, removed: "flag", supersedes: [20, 100] }),
  slots: ({ id }) => [{ list: "pin", name: id, most: 40 }],
  mostInLedger: 100,
  importance: 1,
});
