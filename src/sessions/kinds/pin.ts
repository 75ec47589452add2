/** A pin keeps something in view. */
import { eventKind, shortened } from "./kind.ts";

export const pin = eventKind({
  name: "pin",
  fields: {
    text: "text",
    /** The pinned event, if it's recorded. */
    ref: "id",
    /** The reason for the pin, or its text in short. */
    note: "text",
    supersedes: "ids",
    /** Whether it removes the pins that it supersedes. */
    removed: "flag",
  },
  form: {
    name: "A pin",
    needs: ["ref", "note"],
    may: ["supersedes"],
    // People can pin text that refers to no event.
    byPerson: { needs: [], may: ["text", "ref", "note"] },
  },
  searched: ["text", "note"],
  brief: ({ content }) =>
    shortened(content, { text: 700, ref: 100, note: 300, removed: "flag", supersedes: [20, 100] }),
  slots: ({ id }) => [{ list: "pin", name: id, most: 40 }],
  mostInLedger: 100,
  importance: 1,
});
