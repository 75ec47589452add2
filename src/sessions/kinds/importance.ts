/** An event's importance from 0 to 1, by its kind and sometimes its content. Pure. */
import type { Event } from "./event.ts";
import { kindNamed } from "./kinds.ts";
import { isFromPerson } from "./message.ts";

/** People's messages count more, because people write less than agents. */
const HUMAN = 0.6;
const INTRODUCTION = 0.7;

/** Files that introduce a project: its description, manifest or entry point. */
const INTRODUCES =
  /(?:^|[\\/])(?:readme(?:\.\w+)?|contributing\.md|architecture\.md|agents\.md|claude\.md|package\.json|pyproject\.toml|requirements\.txt|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json|makefile|(?:docker-)?compose\.ya?ml|dockerfile|(?:main|index|app|server|cli|manage|__main__)\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|php|c|cpp|cs))$/i;

const README = /(?:^|[\\/])readme(?:\.\w+)?$/i;
const MANIFEST =
  /(?:^|[\\/])(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json)$/i;

/** Whether the event shows a file that introduces the project. */
export const introduces = ({ kind, content }: Pick<Event, "kind" | "content">): boolean =>
  kind === "tool_result" && content.outcome === undefined && INTRODUCES.test(content.path ?? "");

/** Sorts the files that introduce a project: the README, the manifest, then others, nearest to the root first. */
export function introductionOrder(path: string): number {
  const depth = path.split(/[\\/]/).length;
  if (README.test(path)) {
    return depth;
  }
  return (MANIFEST.test(path) ? 100 : 200) + depth;
}

export function importanceOf(event: Pick<Event, "kind" | "actor" | "content">): number {
  if (isFromPerson(event)) {
    return HUMAN;
  }
  if (introduces(event)) {
    return INTRODUCTION;
  }
  return kindNamed(event.kind)?.importance ?? 0;
}
