/** A bare remote and the clones of it, each with a home folder of its own, as on a team's machines. */
import { testProject, testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";

export class Team {
  readonly #remote: string;

  private constructor(remote: string) {
    this.#remote = remote;
  }

  static async create(files: Readonly<Record<string, string>>): Promise<Team> {
    const first = await testRepository(files);
    await first.git("clone", "--quiet", "--bare", ".", "../remote.git");
    return new Team(first.path("../remote.git"));
  }

  /** A clone with its dependencies installed. */
  async join(): Promise<Project> {
    const clone = await testProject();
    await clone.git("clone", "--quiet", this.#remote, ".");
    await clone.install();
    return clone;
  }
}
