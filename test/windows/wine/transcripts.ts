/** A session of each agent as it stands in a person's folder on Windows, where clients write one folder in several ways. */
import { Rollout, timedId } from "../../support/codex.ts";
import { CursorTranscript, inWords } from "../../support/cursor.ts";
import { Session } from "../../support/transcript.ts";

export interface Transcript {
  /** Its path from the person's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** What the person asked in it, unlike in the others. */
  readonly asked: string;
}

const IN_DAYS = "2026/11/28";

/** Sessions in C:\code\shop. @param now in ms since 1970. */
export function windowsTranscripts(now: number): readonly Transcript[] {
  return [
    ...["c:\\code\\shop", "C:\\code\\shop"].map((cwd, index) => claudeCode(cwd, index + 1, now)),
    passingThrough(now),
    ...["c:\\code\\shop", "C:/code/shop"].map((cwd, index) => codex(cwd, index + 1, now)),
    ...geminiCli("c:\\code\\shop", now),
    cursor(now),
  ];
}

const uuid = (number: number): string => `5e55101${number}-0000-4000-8000-000000000001`;

function claudeCode(cwd: string, number: number, now: number): Transcript {
  const asked = `Claude question ${number}`;
  const edit = { file_path: `${cwd}\\src\\pay.ts`, old_string: "a", new_string: "b" };
  const session = new Session({ id: uuid(number), cwd, at: now }).asks(asked);
  session.uses("Edit", edit, "The file has been updated").says("Done.");
  const folder = cwd.replaceAll(/[:\\]/g, "-");
  return { path: `.claude/projects/${folder}/${session.file}`, text: session.text, asked };
}

/** A session of another project that goes on in this one. */
function passingThrough(now: number): Transcript {
  const asked = "Claude question in passing";
  const session = new Session({ id: uuid(3), cwd: "D:\\other", at: now }).asks("Elsewhere");
  session.goTo("c:\\code\\shop\\src").asks(asked).says("Done.");
  return { path: `.claude/projects/D--other/${session.file}`, text: session.text, asked };
}

function codex(cwd: string, number: number, now: number): Transcript {
  const asked = `Codex question ${number}`;
  const id = timedId(number);
  const at = new Date(now).toISOString();
  const { text } = new Rollout({ id, cwd, at }).turn(undefined, cwd).asks(asked).says("Done.");
  const name = `rollout-2026-11-28T20-00-0${number}-${id}.jsonl`;
  return { path: `.codex/sessions/${IN_DAYS}/${name}`, text, asked };
}

/** On Windows, the client writes the owner of a folder in lower case. */
function geminiCli(owner: string, now: number): readonly Transcript[] {
  const asked = "Gemini question";
  const timestamp = new Date(now).toISOString();
  const lines = [
    { sessionId: uuid(4), projectHash: "x", startTime: timestamp, kind: "main" },
    { id: uuid(5), timestamp, type: "user", content: [{ text: asked }] },
    { id: uuid(6), timestamp, type: "gemini", content: "Done." },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const folder = ".gemini/tmp/shop";
  return [
    { path: `${folder}/.project_root`, text: owner, asked },
    { path: `${folder}/chats/session-2026-11-28T20-00-5e551014.jsonl`, text, asked },
  ];
}

function cursor(now: number): Transcript {
  const asked = "Cursor question";
  const inAMinute = inWords(now + 60_000);
  const { text } = new CursorTranscript().asks(asked, inAMinute).says("Done.").ends();
  const path = `.cursor/projects/c-code-shop/agent-transcripts/${uuid(7)}.jsonl`;
  return { path, text, asked };
}
