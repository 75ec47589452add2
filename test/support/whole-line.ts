import type { Prepared } from "../../src/sessions/storing/prepare.ts";

/** An event as versions wrote it that knew of no line of what events share. */
export function wholeLine({ event, contentJson }: Pick<Prepared, "event" | "contentJson">): string {
  return `${JSON.stringify({ ...event, content: undefined }).slice(0, -1)},"content":${contentJson}}`;
}
