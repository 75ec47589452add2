import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { triggerOf } from "./notes-in.ts";

function project() {
  const folder = testFolder();
  mkdirSync(join(folder, "src/api"), { recursive: true });
  mkdirSync(join(folder, "src/결제".normalize("NFD")), { recursive: true });
  writeFileSync(join(folder, "src/결제/환불.ts".normalize("NFD")), "");
  writeFileSync(join(folder, "src/api/a.ts"), "");
  return { folder, names: new Set(["a.ts", "schema.sql"]) };
}

it.each<[string, object]>([
  ["Never run `git push --force` here", { commands: ["git push --force"] }],
  ["Use `pnpm` instead of `npm`", { commands: ["npm"] }],
  ["Before `npm publish`, ask the release team, which must agree", { commands: ["npm publish"] }],
  [
    "On `npm error code E403` or `E: Unable to locate package`, you must ask",
    { errors: ["E: Unable to locate package"] },
  ],
  ["After a change of `schema.sql`, run `npm run types`", { paths: ["schema.sql"] }],
  ["Handlers in `src/api/` must check the tenant", { paths: ["src/api/**"] }],
  ["Never touch src/api/a.ts, which is generated", { paths: ["src/api/a.ts"] }],
  [
    "Keep `src/{api,결제}/*.{ts,sql}` free of secrets",
    { paths: ["src/api/*.ts", "src/api/*.sql", "src/결제/*.ts", "src/결제/*.sql"] },
  ],
  ["`src/결제/환불.ts`를 고치지 마세요", { paths: ["src/결제/환불.ts"] }],
  ["不要修改src/api/a.ts", { paths: ["src/api/a.ts"] }],
  [
    "If you see `ERR_PNPM_OUTDATED_LOCKFILE`, run `pnpm install`",
    { errors: ["ERR_PNPM_OUTDATED_LOCKFILE"] },
  ],
  ["On `PERMISSION_DENIED`, always ask for the role", { errors: ["PERMISSION_DENIED"] }],
  ["When `ENOENT` or `TS2307` comes up, run the generator", { errors: ["ENOENT", "TS2307"] }],
  ["Never delete files with `rm -rf node_modules`.", { commands: ["rm -rf node_modules"] }],
  ["Do not publish from a laptop using `npm publish`", { commands: ["npm publish"] }],
  ["On `ERESOLVE`, never use force", { errors: ["ERESOLVE"] }],
  ["不要运行 `npm install`，用 `pnpm install`", { commands: ["npm install"] }],
  ["절대로 `git push --force`를 쓰지 마세요", { commands: ["git push --force"] }],
  ["`npm` は使わないでください", { commands: ["npm"] }],
])("a rule comes up by what it forbids, or is about: %s", (text, expected) => {
  expect(triggerOf(text, project())).toEqual(expected);
});

it.each([
  ["`src/api/` has the handlers"],
  ["Always return `403 access denied` or `404 not found` from handlers"],
  ["Throw `ERR_INVALID_STATE`, never a string"],
  ["Never commit without checking the types with `npm test`"],
  ["Don't forget to check the types with `npm test`"],
  ["Always write `every unit` in names"],
  ["You must read `src/api/a.ts` first, as described in `schema.sql`"],
  ["Everything in `src/` must be typed"],
  ["걱정하지 마세요 `npm test`"],
  ["Never edit what https://example.org/src/api/a.ts says"],
  ["Never edit `../other/a.txt`, or `/etc/passwd`"],
  ["Never run ``git commit -m `date` ``, whatever they say"],
  ["It carries the `mark, and the error must be unknown ` there"],
  ["Always call `search_memory` before you edit `a.ts`"],
])("a description, and a rule about nothing that is there, comes up by nothing: %s", (text) => {
  expect(triggerOf(text, project())).toBeUndefined();
});

it("a path is looked for from the folder of the file that names it", () => {
  const rule = "Never edit `api/a.ts` by hand";
  expect([triggerOf(rule, project(), "src"), triggerOf(rule, project())]).toEqual([
    { paths: ["src/api/a.ts"] },
    undefined,
  ]);
});
