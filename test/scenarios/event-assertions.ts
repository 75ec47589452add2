/** What can be said of the lesson that a story leaves behind. */
import { type Event, identityIn } from "../../src/sessions/kinds/event.ts";
import { filesWith } from "../support/files-with.ts";
import { type Check, check } from "./check.ts";
import type { EventLike } from "./context-schema.ts";
import type { Path } from "./read-scenario.ts";
import type { Assertion } from "./scenario.ts";
import type { Story } from "./story.ts";

type EventAssertion = Extract<
  Assertion,
  { event_exists: unknown } | { no_event: unknown } | { nowhere_on_disk: unknown }
>;

export async function checkEventAssertion(
  assertion: EventAssertion,
  story: Story,
  at: Path,
): Promise<Check[]> {
  if ("nowhere_on_disk" in assertion) {
    return assertion.nowhere_on_disk.map((text, i) => {
      const files = filesWith(story.project.home, text);
      return check(
        [...at, "nowhere_on_disk", i],
        files.length === 0,
        "no file that holds it",
        files.join(", "),
      );
    });
  }
  const isWanted = "event_exists" in assertion;
  const like = isWanted ? assertion.event_exists : assertion.no_event;
  const found: string[] = [];
  for await (const event of (await story.record()).read()) {
    if (isLike(event, like)) {
      found.push(JSON.stringify(event));
    }
  }
  const wanted = `${isWanted ? "an" : "no"} event like ${JSON.stringify(like)}`;
  return [
    check(
      [...at, isWanted ? "event_exists" : "no_event"],
      isWanted === found.length > 0,
      wanted,
      found.join("\n"),
    ),
  ];
}

function isLike({ kind, content, refs }: Event, like: EventLike): boolean {
  const said = JSON.stringify(content);
  const named = new Set(refs.map(identityIn));
  return (
    (like.kind ?? kind) === kind &&
    (like.contains ?? []).every((text) => said.includes(text)) &&
    (like.refs ?? []).every((ref) => named.has(identityIn(ref)))
  );
}
