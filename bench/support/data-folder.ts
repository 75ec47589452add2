/** The data that a bench needs and that isn't part of this project. */

/** The folder that `--data` names; without it the bench ends with 1. @param bench its script. @param contents of the folder. */
export function dataFolder(data: string | undefined, bench: string, contents: string): string {
  if (data !== undefined) {
    return data;
  }
  console.error(`Name the folder with ${contents}: npm run ${bench} -- --data DIR`);
  process.exit(1);
}
