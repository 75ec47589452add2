/** Names that macOS gives in decomposed Unicode, while clients and people write them composed. */
import { expect, it } from "vitest";
import { testFolder } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

const NAME = "결제-été";
const FILE = "src/환불/été.ts";

it.each([
  [true, "NFD", "NFC"],
  [true, "NFC", "NFD"],
  [false, "NFD", "NFC"],
] as const)(
  "a project (git: %s) in a folder in %s is recorded from a client that writes %s",
  async (git, disk, client) => {
    const shop = new Project(testFolder(), NAME.normalize(disk));
    await shop.furnish({ git, files: { [FILE.normalize(disk)]: "1" } });
    await recordFromTheStart(shop);
    const cwd = shop.folder.normalize(client);
    const session = new Session({ cwd })
      .asks("Make refunds work")
      .uses(
        "Edit",
        { file_path: `${cwd}/${FILE.normalize(client)}`, old_string: "1", new_string: "2" },
        "done",
      )
      .uses(
        "Edit",
        { file_path: `${shop.folder}/${FILE.normalize(disk)}`, old_string: "2", new_string: "3" },
        "done",
      )
      .says("Done.");
    await keepTranscript(shop, session);
    await shop.run("sessions", "capture");
    const paths = (await eventsOf(shop)).flatMap(({ kind, content }) =>
      kind === "tool_call" ? [content.path] : [],
    );
    expect(paths).toEqual([FILE, FILE].map((path) => path.normalize("NFC")));

    expect((await shop.run("context", "continue")).stdout).toContain(FILE.normalize("NFC"));
  },
);
