/** Lines as the tools print them, to see which of them say why a call failed. */
import { expect, it } from "vitest";
import { made, result } from "../../../test/support/made-events.ts";
import { failureOf } from "./failure.ts";

const ESC = "\u001b";

function lineOf(command: string, output: string): string | undefined {
  const [event] = made({
    ...result({ tool: "Bash", command, outcome: "failed", excerpt_text: output }),
    session: "a",
  });
  return event && failureOf(event)?.line;
}

it.each<[command: string, line: string]>([
  ["npm publish", "npm error code E403"],
  ["npm ci", "npm ERR! cipm can only install packages with an existing package-lock.json"],
  ["npm instal-l", 'Unknown command: "instal-l"'],
  ["pnpm add x", "[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/x: Not Found - 404"],
  [
    "yarn",
    "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.",
  ],
  ["node --nosuch", "node: bad option: --nosuch"],
  ["tsc --nosuch", "error TS5023: Unknown compiler option '--nosuch'."],
  ["biome check --nosuch", "Error: `--nosuch` is not expected in this context"],
  [
    "python3 a.py",
    "django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable",
  ],
  ["python3 -m pytest", "/usr/bin/python3: No module named pytest"],
  ["pip install --nosuch", "no such option: --nosuch"],
  ["gradle nosuch", "Task 'nosuch' not found in root project 'shop'."],
  ["git -C /p status", "fatal: not a git repository (or any of the parent directories): .git"],
  ["git comit", "git: 'comit' is not a git command. See 'git --help'."],
  ["git fetch", "git@github.com: Permission denied (publickey)."],
  ["sh -c nosuch", "sh: 1: nosuch: not found"],
  ["bash -c if", "bash: -c: line 2: syntax error: unexpected end of file"],
  ["bash a.sh", "bash: line 1: SHOP_KEY: unbound variable"],
  ["./a.c", "bash: line 1: ./a.c: Permission denied"],
  [
    "docker ps",
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
  ],
  [
    "docker ps",
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
  ],
  ["docker run -x", "unknown shorthand flag: 'x' in -x"],
  [
    "kubectl get pods",
    "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
  ],
  ["terraform plan -nosuch", "flag provided but not defined: -nosuch"],
  [
    "go run .",
    "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
  ],
  ["dotnet run", "Unhandled exception. System.InvalidOperationException: No connection string"],
  ["php a.php", "PHP Fatal error:  Uncaught Error: Call to undefined function mb_strlen()"],
  [
    "bundle exec rake x",
    "Don't know how to build task 'x' (See the list of available tasks with `rake --tasks`)",
  ],
  ["redis-cli get a", "(error) NOAUTH Authentication required."],
  ["curl x", "curl: (6) Could not resolve host: nosuch.invalid"],
  ["ssh x", "ssh: connect to host 127.0.0.1 port 9: Connection refused"],
  ["ssh x", "Host key verification failed."],
  [
    "aws s3 ls",
    "An error occurred (AccessDenied) when calling the ListBuckets operation: Access Denied",
  ],
  ["gh api x", "HTTP 404: Not Found (https://api.github.com/x)"],
])("a failed %s tells why: %s", (command, line) => {
  expect(lineOf(command, `Exit code 1\nStarting\n${line}\n\nMore at https://example.com`)).toBe(
    line.trim(),
  );
});

it.each([
  [
    "terraform plan",
    `${ESC}[31m│${ESC}[0m ${ESC}[1m${ESC}[31mError: ${ESC}[0mNo configuration files`,
  ],
  ["mvn package", `[${ESC}[1;31mERROR${ESC}[m] The goal you specified requires a project`],
])("colours and frames around a line of %s do not hide it", (command, line) => {
  expect(lineOf(command, line)).toMatch(/^(?:Error: No conf|E: Unable|\[ERROR\] The goal)/);
});

it.each<[string, string]>([
  [
    "npm run x",
    "npm error Lifecycle script `x` failed with error:\nnpm error code 3\nnpm error path /p/a\nnpm error",
  ],
  [
    "npm run x",
    "npm error command failed\nnpm error command sh -c exit 3\nnpm error location /p\nnpm error workspace a",
  ],
  [
    "npm run x",
    "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Exit status 1\nnpm ERR! Failed at the x script.",
  ],
  ["npm run x", "npm error A complete log of this run can be found in: ~/.npm/_logs/a-debug-0.log"],
  [
    "node a.js",
    "src/error.ts: ok\nerror-handling.js passed\n      Error.captureStackTrace(err);\n    at run (a.js:1:2)",
  ],
  ["node a.js", "  throw new CACError(`Unknown option ${name}`);\n        ^\nNode.js v20.20.2"],
  [
    "node a.js",
    "0 errors, 3 warnings\nNo error: all is well\nhandled an error and went on\nUnhandled cases: 3",
  ],
  [
    "python3 a.py",
    "Traceback (most recent call last):\n  File 'a.py', line 1\nWARNING: Location is ignored",
  ],
  [
    "cargo run",
    'error[E0308]: mismatched types\nerror: could not compile `c` (bin "c") due to 1 previous error',
  ],
  [
    "dotnet run",
    "/p/Program.cs(3,5): error CS0103: The name 'x' is not there\nThe build failed. Fix the errors.",
  ],
  [
    "mvn compile",
    "[ERROR] COMPILATION ERROR : \n[ERROR] /p/A.java:[3,5] cannot find symbol\n[ERROR] \n[INFO] BUILD FAILURE",
  ],
  [
    "mvn compile",
    "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n[ERROR] -> [Help 1]",
  ],
  [
    "tar xf a",
    "tar: a: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now",
  ],
  ["esbuild a.ts", '✘ [ERROR] Could not resolve "none.ts"\n1 error'],
])("what a failed %s prints besides is no failure of its own: %s", (command, output) => {
  expect(lineOf(command, `Exit code 1\n${output}`)).toBeUndefined();
});
