/** Writes lines as Cursor writes them, for sessions that a test makes up. The app's ends of turns are only reported. */

type Line = Readonly<Record<string, unknown>>;

/** How Cursor names the folder of a project. */
export function cursorFolder(folder: string): string {
  return folder
    .split(/[^a-zA-Z0-9]/)
    .filter((part) => part !== "")
    .join("-");
}

export class CursorTranscript {
  readonly lines: Line[] = [];

  add(role: string, content: unknown): this {
    this.lines.push({ role, message: { content } });
    return this;
  }

  /** @param time in the words of the client, which older versions left out. */
  asks(text: string, time?: string): this {
    const said = time === undefined ? "" : `<timestamp>${time}</timestamp>\n`;
    return this.add("user", [
      { type: "text", text: `${said}<user_query>\n${text}\n</user_query>` },
    ]);
  }

  says(text: string): this {
    return this.add("assistant", [{ type: "text", text: `${text}\n\n[REDACTED]` }]);
  }

  /** No line says what a tool answered. */
  uses(name: string, input: Line | string): this {
    return this.add("assistant", [{ type: "tool_use", name, input }]);
  }

  ends(status = "success", more: Line = {}): this {
    this.lines.push({ type: "turn_ended", status, ...more });
    return this;
  }

  get text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}

/** A time in the words of the client, in UTC. */
export function inWords(ms: number): string {
  const words = { weekday: "long", month: "short", day: "numeric", year: "numeric" } as const;
  const clock = { hour: "numeric", minute: "2-digit", hour12: true } as const;
  return `${new Date(ms).toLocaleString("en-US", { ...words, ...clock, timeZone: "UTC" })} (UTC+0)`;
}
