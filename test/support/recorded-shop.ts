/** A recorded project with a session of Claude Code that was captured, and a server for its agent. */
import type { Event } from "../../src/sessions/kinds/event.ts";
import { BIN, Project } from "./project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "./recorded.ts";
import { type Server, startServer } from "./server.ts";
import { Session } from "./transcript.ts";

export class RecordedShop {
  readonly project: Project;
  readonly session: Session;
  server!: Server;

  private constructor(project: Project, session: Session) {
    this.project = project;
    this.session = session;
  }

  /** @param talk fills the session. @param beside another project of the same person, if it has to have one. */
  static async open(talk: (session: Session) => Session, beside?: Project): Promise<RecordedShop> {
    const project = beside ? new Project(beside.home, "other") : await Project.repository();
    if (beside) await project.furnishRepository();
    await recordFromTheStart(project);
    const id = beside
      ? "5e551012-0000-4000-8000-000000000002"
      : "5e551011-0000-4000-8000-000000000001";
    const shop = new RecordedShop(
      project,
      talk(new Session({ id, cwd: project.folder, at: Date.now() - 3_600_000 })),
    );
    await shop.capture();
    await shop.restart();
    return shop;
  }

  /** Keeps the session as it is now where the client would, and reads it into the session log. */
  async capture(): Promise<void> {
    await keepTranscript(this.project, this.session);
    await this.project.run("sessions", "capture");
  }

  async restart(): Promise<void> {
    await this.server?.end();
    const { folder, env } = this.project;
    this.server = await startServer({
      client: "claude-code",
      args: [BIN, "--project", folder],
      env,
    });
  }

  bundle(query: string, more: Record<string, unknown> = {}): Promise<string> {
    return this.server.ask("build_acb", { query, ...more });
  }

  /** @returns the id of the event. */
  async record(kind: string, content: object, refs?: readonly string[]): Promise<string> {
    const answer = await this.server.ask("record_event", { kind, content, ...(refs && { refs }) });
    return /evt_\w{26}/.exec(answer)?.[0] ?? "";
  }

  /** The id of the first event that says something. */
  async idOf(text: string): Promise<string> {
    const event = (await this.events()).find(({ content }) =>
      JSON.stringify(content).includes(text),
    );
    if (!event) throw new Error(`Nothing recorded says "${text}".`);
    return event.id;
  }

  events(): Promise<Event[]> {
    return eventsOf(this.project);
  }

  async close(): Promise<void> {
    await this.server.end();
    this.project.remove();
  }
}
