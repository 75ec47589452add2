/** A bare remote and the clones of it, each with a home folder of its own, as on a team's machines. */
import { Repository } from "../support/project.ts";

export class Team {
  readonly #remote: Repository;
  readonly #members: Repository[] = [];

  private constructor(remote: Repository) {
    this.#remote = remote;
  }

  static async create(files: Readonly<Record<string, string>>): Promise<Team> {
    const first = await Repository.create(files);
    await first.git("clone", "--quiet", "--bare", ".", "../remote.git");
    return new Team(first);
  }

  /** A clone with its dependencies installed. */
  async join(): Promise<Repository> {
    const clone = await Repository.cloneOf(this.#remote.path("../remote.git"));
    await clone.install();
    this.#members.push(clone);
    return clone;
  }

  async remove(): Promise<void> {
    for (const repository of [...this.#members, this.#remote]) await repository.remove();
  }
}
