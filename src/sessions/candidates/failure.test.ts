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
  ["npm publish", "npm ERR! code E403"],
  [
    "npm publish",
    "npm error 403 403 Forbidden - PUT https://registry.npmjs.org/x - You may not publish over it",
  ],
  [
    "npm publish",
    "npm error need auth This command requires you to be logged in to http://localhost:9/",
  ],
  ["npm ci", "npm error code EUSAGE"],
  ["npm ci", "npm ERR! cipm can only install packages with an existing package-lock.json"],
  ["npm install", "npm error ERESOLVE unable to resolve dependency tree"],
  ["npm install", "npm error notarget No matching version found for left-pad@99.99.99."],
  ["npm run nosuch", 'npm error Missing script: "nosuch"'],
  ["npm instal-l", 'Unknown command: "instal-l"'],
  ["pnpm add x", " ERR_PNPM_NO_MATCHING_VERSION  No matching version found for x@^1.9.1"],
  ["pnpm add x", "[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/x: Not Found - 404"],
  ["pnpm up", " ERROR  Unknown option: 'recursiv'"],
  ["yarn add x", 'error Couldn\'t find package "x" on the "npm" registry.'],
  ["yarn x", 'error Command "x" not found.'],
  ["yarn x", 'Usage Error: Couldn\'t find a script named "x".'],
  [
    "yarn",
    "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.",
  ],
  ["node -e x", "ReferenceError: foo is not defined"],
  ["node a.js", "Uncaught TypeError: Cannot read properties of null (reading 'x')"],
  ["node a.js", "Uncaught (in promise) TypeError: Failed to fetch"],
  ["node a.js", "Error: listen EADDRINUSE: address already in use :::8099"],
  ["node --nosuch", "node: bad option: --nosuch"],
  ["tsc --nosuch", "error TS5023: Unknown compiler option '--nosuch'."],
  ["vitest run --nosuch", "CACError: Unknown option `--nosuch`"],
  ["biome check --nosuch", "Error: `--nosuch` is not expected in this context"],
  ["python3 a.py", "ModuleNotFoundError: No module named 'nosuch'"],
  ["python3 a.py", "ConnectionRefusedError: [Errno 111] Connection refused"],
  [
    "python3 a.py",
    "django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable",
  ],
  ["python3 -m pytest", "/usr/bin/python3: No module named pytest"],
  ["python3 -m pytest --nosuch", "__main__.py: error: unrecognized arguments: --nosuch"],
  [
    "pip install x",
    "ERROR: Could not find a version that satisfies the requirement x==9 (from versions: none)",
  ],
  ["pip install --nosuch", "no such option: --nosuch"],
  ["pip install x", "error: externally-managed-environment"],
  ["gcc --nosuch", "gcc: error: unrecognized command-line option ‘--nosuch’"],
  ["cargo run", "error: could not find `Cargo.toml` in `/p` or any parent directory"],
  ["cargo bild", "error: no such command: `bild`"],
  ["cargo test --nosuch", "error: unexpected argument '--nosuch' found"],
  ["rustc --nosuch", "error: Unrecognized option: 'nosuch'"],
  ["javac -nosuch", "error: invalid flag: -nosuch"],
  ["java Nosuch", "Error: Could not find or load main class Nosuch"],
  [
    "java B",
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Object.toString()"',
  ],
  [
    "mvn package",
    "[ERROR] The goal you specified requires a project to execute but there is no POM in this directory",
  ],
  [
    "mvn nosuch",
    '[ERROR] Unknown lifecycle phase "nosuch". You must specify a valid lifecycle phase',
  ],
  ["gradle nosuch", "Task 'nosuch' not found in root project 'shop'."],
  ["git -C /p status", "fatal: not a git repository (or any of the parent directories): .git"],
  ["git comit", "git: 'comit' is not a git command. See 'git --help'."],
  ["git fetch", "git@github.com: Permission denied (publickey)."],
  ["make nosuch", "make: *** No rule to make target 'nosuch'.  Stop."],
  ["sh -c nosuch", "sh: 1: nosuch: not found"],
  ["nosuch", "bash: line 1: nosuch: command not found"],
  ["bash -c if", "bash: -c: line 2: syntax error: unexpected end of file"],
  ["bash a.sh", "bash: line 1: SHOP_KEY: unbound variable"],
  ["./a.c", "bash: line 1: ./a.c: Permission denied"],
  [
    "psql -p 9",
    'psql: error: connection to server at "127.0.0.1", port 9 failed: Connection refused',
  ],
  ["apt-get install x", "E: Unable to locate package x"],
  ["apt-get instal x", "E: Invalid operation instal"],
  [
    "apt-get install x",
    "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)",
  ],
  [
    "docker ps",
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
  ],
  [
    "docker ps",
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
  ],
  [
    "docker pull x",
    "Error response from daemon: pull access denied for x, repository may require 'docker login'",
  ],
  ["docker build .", "docker: 'buildx' is not a docker command."],
  ["docker run -x", "unknown shorthand flag: 'x' in -x"],
  [
    "kubectl get pods",
    "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
  ],
  [
    "kubectl get pods",
    'Error from server (Forbidden): pods is forbidden: User "dev" cannot list resource "pods"',
  ],
  ["terraform plan -nosuch", "flag provided but not defined: -nosuch"],
  ["go run .", "go: cannot find main module; see 'go help modules'"],
  [
    "go run .",
    "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
  ],
  ["go run .", "panic: runtime error: invalid memory address or nil pointer dereference"],
  ["dotnet run", "MSBUILD : error MSB1003: Specify a project or solution file."],
  [
    "dotnet restore",
    "/p/Shop.csproj : error NU1101: Unable to find package Nosuch. No packages exist with this id",
  ],
  [
    "dotnet run",
    "/usr/sdk/Sdk.targets(120,5): error NETSDK1045: The current .NET SDK does not support targeting .NET 10.0.",
  ],
  ["dotnet nosuch", "Could not execute because the specified command or file was not found."],
  ["dotnet run", "Unhandled exception. System.InvalidOperationException: No connection string"],
  ["php a.php", "PHP Fatal error:  Uncaught Error: Call to undefined function mb_strlen()"],
  ["cmake .", 'CMake Error: The source directory "/p" does not appear to contain CMakeLists.txt.'],
  [
    "bundle exec rake x",
    "Don't know how to build task 'x' (See the list of available tasks with `rake --tasks`)",
  ],
  ["sqlite3 a.db", "Error: in prepare, no such column: x"],
  ["mysql", "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: NO)"],
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
  ["apt install x", `${ESC}[1;31mE: ${ESC}[0mUnable to locate package x`],
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
    "npm i",
    "npm warn deprecated glob@7: no longer supported\nnpm notice New minor version\nadded 12 packages",
  ],
  [
    "pnpm i",
    " ELIFECYCLE  Command failed with exit code 1.\n WARN  deprecated eslint@8\nProgress: resolved 660",
  ],
  [
    "yarn x",
    "error Command failed with exit code 1.\n➤ YN0000: · Yarn 4.1.0\n➤ YN0013: │ 3 packages were added",
  ],
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
    "gcc a.c",
    "a.c:1:20: error: ‘foo’ undeclared (first use in this function)\ncollect2: error: ld returned 1 exit status",
  ],
  [
    "cargo run",
    'error[E0308]: mismatched types\nerror: could not compile `c` (bin "c") due to 1 previous error',
  ],
  ["cargo run", "error: process didn't exit successfully: `target/debug/c` (exit status: 2)"],
  [
    "javac A.java",
    "A.java:1: error: incompatible types: String cannot be converted to int\n1 error",
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
  ["make a", "false\nmake: *** [Makefile:2: a] Error 127\nmake[1]: *** [a] Error 1"],
  [
    "tar xf a",
    "tar: a: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now",
  ],
  [
    "apt-get update",
    "W: Some index files were ignored\nReading package lists...\nBuilding dependency tree...",
  ],
  ["go run .", "go: downloading github.com/x/y v1.2.3\n./a.go:3:2: undefined: foo"],
  ["esbuild a.ts", '✘ [ERROR] Could not resolve "none.ts"\n1 error'],
])("what a failed %s prints besides is no failure of its own: %s", (command, output) => {
  expect(lineOf(command, `Exit code 1\n${output}`)).toBeUndefined();
});
