import type { Add, ProjectSurroundings, Surroundings } from "../../ground/terminal/command.ts";
import type { DaemonCommands } from "./daemon-commands.ts";

/** What a command about the daemon works with. It needs no project. */
export interface DaemonSurroundings extends Surroundings {
  /** The daemon's bundle is loaded for the commands that need it. */
  readonly loadDaemon: () => Promise<DaemonCommands>;
}

export type AddDaemonCommand = Add<ProjectSurroundings, DaemonSurroundings>;
