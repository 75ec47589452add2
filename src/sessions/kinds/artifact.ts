/** A text that an agent made and names, such as a report. It's appended as a statement, found by its name, and returned whole. */
import { eventKind } from "./kind.ts";

export const artifact = eventKind({
  name: "artifact",
  fields: { title: "text", path: "text", text: "text" },
  form: { name: "An artifact", needs: ["title", "text"], may: ["path"] },
  isOfTools: true,
  searched: ["title", "path", "text"],
  importance: 0.4,
});
