import { expect, it } from "vitest";
import { normalForm } from "./call-events.ts";

const form = (command: string) => normalForm({ call: "c", tool: "Bash", input: {} }, { command });

it.each([
  ["bun test src/", "bun test src/ 2>&1 | tail -20"],
  [
    "npx vitest run src/a.test.ts",
    "cd /p && CI=1 npx vitest run --reporter=dot src/a.test.ts > out.txt",
  ],
  ["git commit -m 'One'", "rtk git commit -m \"$(cat <<'EOF'\nAnother && message\nEOF\n)\""],
  ["make", "make 2>/dev/null; echo done"],
  ["git add a.ts", "git -C '/my folder' -c user.name=me add a.ts"],
  ["git -C /p status", "rtk git status"],
  ["npm test", "(cd /p && timeout 60s /usr/bin/npm test)"],
  ["vitest run", "./node_modules/.bin/vitest run"],
])("%s is the same work as %s", (one, other) => {
  expect(form(one)).toBeDefined();
  expect(form(other)).toBe(form(one));
});

it.each([
  ["bun test src/", "bun test lib/"],
  ["npm run build", "npm run lint"],
  ["git commit", "git push"],
])("%s is not the same work as %s", (one, other) => {
  expect(form(other)).not.toBe(form(one));
});

it("a tool that works on a file is known by the file, and others are not", () => {
  const call = { call: "c", tool: "Edit", input: {} };
  expect(normalForm(call, { path: "/p/a.ts" })).toBe("Edit /p/a.ts");
  expect(normalForm(call, {})).toBeUndefined();
  expect(form("cd /p")).toBeUndefined();
});
