/** An artifact. No client writes one yet. */
import { eventKind } from "./kind.ts";

export const artifact = eventKind({
  name: "artifact",
  fields: { title: "text", path: "text", text: "text" },
  isOfTools: true,
  searched: ["title", "path", "text"],
  importance: 0.4,
});
