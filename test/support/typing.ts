/** A person at a terminal: answers each question when it is asked. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { BIN, type Project } from "./project.ts";

/** @param asked matches the end of each question. @returns what the terminal shows. */
export async function typing(
  project: Project,
  args: readonly string[],
  { asked, answers }: { readonly asked: RegExp; readonly answers: readonly string[] },
): Promise<string> {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const { cwd, env } = project.place();
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: { ...env, NO_COLOR: "1" },
  });
  let [seen, answered] = ["", 0];
  terminal.stdout.on("data", (part) => {
    seen += part;
    const questions = seen.match(asked)?.length ?? 0;
    for (; answered < Math.min(questions, answers.length); answered++) {
      terminal.stdin.write(`${answers[answered]}\r`);
    }
  });
  const [output] = await Promise.all([text(terminal.stderr), once(terminal, "close")]);
  return seen + output;
}
