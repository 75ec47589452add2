/** Follows a Dockerfile without docker: each stage is a folder of its own, and each command runs in it with that stage's programs. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { runProcess } from "./run-process.ts";

/** What a container of an image starts with. */
export interface Image {
  /** The folder that stands for its root. */
  readonly root: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
}

/** The environment of a process in it: the programs that were installed there stand first. */
export function environmentIn({ root }: Image): Record<string, string> {
  const local = join(root, "usr/local");
  return {
    PATH: `${join(local, "bin")}:${process.env.PATH}`,
    HOME: root,
    npm_config_prefix: local,
  };
}

const DEADLINE_MS = 600_000;

/**
 * @param context the files that `COPY . .` copies, by their paths.
 * @param newFolder makes an empty folder for a stage.
 * @returns the last stage.
 * @throws Error for an instruction that is not known here, and where a command fails.
 */
export async function buildImage(
  file: string,
  context: readonly string[],
  newFolder: () => string,
): Promise<Image> {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  let folder = "";
  for (const [name, rest] of instructionsOf(readFileSync(file, "utf8"))) {
    if (name === "FROM") {
      image = { root: newFolder(), user: "root", entrypoint: [], command: [], healthcheck: [] };
      folder = image.root;
      mkdirSync(join(folder, "tmp"));
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? "", image);
    } else if (!image) {
      throw new Error(`${name} stands before FROM.`);
    } else if (name === "WORKDIR") {
      folder = join(image.root, rest);
      mkdirSync(folder);
    } else if (name === "COPY" && rest === ". .") {
      for (const path of context) {
        cpSync(path, resolve(folder, path));
      }
    } else if (name === "COPY") {
      copyFrom(stages, image, rest);
    } else if (name === "RUN") {
      await runIn(image, folder, rest);
    } else if (name === "USER") {
      image.user = rest;
    } else if (name === "ENTRYPOINT") {
      image.entrypoint = JSON.parse(rest);
    } else if (name === "CMD") {
      image.command = JSON.parse(rest);
    } else if (name === "HEALTHCHECK") {
      image.healthcheck = JSON.parse(rest.slice(rest.indexOf("[")));
    } else if (name !== "EXPOSE") {
      throw new Error(`The instruction ${name} is not known here.`);
    }
  }
  if (!image) {
    throw new Error(`${file} makes no image.`);
  }
  return image;
}

function instructionsOf(text: string): (readonly [name: string, rest: string])[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

/** Files of an earlier stage, whose last part may have stars in it. */
function copyFrom(stages: ReadonlyMap<string, Image>, to: Image, rest: string): void {
  const [, stage = "", what = "", where = ""] = /^--from=(\w+) (\S+) (\S+\/)$/.exec(rest) ?? [];
  const folder = join(stages.get(stage)?.root ?? "", dirname(what));
  const wanted = new RegExp(`^${basename(what).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const found = readdirSync(folder).filter((name) => wanted.test(name));
  if (found.length === 0) {
    throw new Error(`There is no ${what}.`);
  }
  for (const name of found) {
    cpSync(join(folder, name), join(to.root, where, name));
  }
}

/** A path of the image's own in the command is one in its folder. */
async function runIn(image: Image, cwd: string, command: string): Promise<void> {
  const line = command.replace(/(?<=\s)\/tmp\//g, `${image.root}/tmp/`);
  // Where npm finds packages is set for the person who runs this.
  const env = { ...process.env, ...environmentIn(image), HOME: process.env.HOME } as Record<
    string,
    string
  >;
  const place = { cwd, env, deadline: DEADLINE_MS };
  const { exit, stderr } = await runProcess("sh", ["-c", line], place);
  if (exit !== 0) {
    throw new Error(`${command}\n${stderr}`);
  }
}
