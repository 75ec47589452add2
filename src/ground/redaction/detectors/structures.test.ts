/** Secrets that only the structure around them reveals. For URLs, tokens and all others see ../redact.test.ts. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  letters,
  password,
  plainKey,
  seeded,
  wide,
} from "../../../../test/support/secret-samples.ts";
import { redact } from "../redact.ts";
import { MARK } from "../span.ts";

const random = seeded(20_261_122);
const key = () => letters(random, "w", 40);
const hex = (length: number) => letters(random, "x", length);
const chosen = () => `Tiger${letters(random, "d", 3)}${letters(random, "w", 4)}!`;
/** Letters and digits, and no sign. */
const plain = () => `Tiger${letters(random, "d", 2)}Horse`;
/** Values that begin like a version. */
const version = () => `V${letters(random, "d", 2)}letSky`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A template. Each `§` is a secret, and the rest must stay. */
const CASES: readonly (readonly [name: string, template: string, make: () => string])[] = [
  [
    "CSV",
    "name,email,password,role\nalice,a@example.com,§,admin\nbob,b@example.com,§,user",
    chosen,
  ],
  ["CSV of keys", 'service,"api_key",owner\nbilling,§,ops\nsearch,§,web', key],
  [
    "psql",
    " id | name | password \n----+------+----------\n  1 | qa   | §\n  2 | dev  | §\n(2 rows)",
    chosen,
  ],
  [
    "a Markdown table",
    "| user | password | role |\n|---|---|---|\n| qa | § | admin |\n| dev | `§` | user |",
    chosen,
  ],
  [
    "sqlite's columns, aligned to the right",
    " ID  NAME    PASSWORD  \n---  ------  ----------------\n  1  qa      §  \n 12  dev     §\n",
    () => "Tiger482aBc!",
  ],
  [
    "kubectl's columns",
    "NAME        TOKEN                                     AGE\nworker-1    §  12d\nworker-2    §  3d",
    key,
  ],
  [
    "terraform output",
    '{"db_password": {"sensitive": true, "type": "string", "value": "§"}}',
    chosen,
  ],
  [
    "a sensitive output",
    '{\n  "endpoint": {\n    "sensitive": true,\n    "value": "§"\n  }\n}',
    key,
  ],
  [
    "SSM",
    '{"Parameter": {"Name": "/prod/db/password", "Type": "SecureString", "Value": "§", "Version": 3}}',
    chosen,
  ],
  [
    "headers of a HAR",
    '[{"name": "x-api-key", "value": "§"}, {"name": "accept", "value": "text/html"}]',
    key,
  ],
  [
    "SQL INSERT",
    "INSERT INTO users (email, password, role) VALUES ('a@example.com', '§', 'admin'), ('b@example.com', '§', 'user');",
    chosen,
  ],
  [
    "SQL INSERT with long and nested values before it",
    `INSERT INTO users (photo, tags, since, password) VALUES (0x${"ab".repeat(300)}, jsonb_build_array(1, lower(trim('X'))), /* a * b */ now(), '§');`,
    () => "Tiger482aBc!",
  ],
  ["SQL UPDATE", "UPDATE users SET password = '§' WHERE id = 7;", chosen],
  [".pgpass", "db.internal:5432:app:shop:§\n*:*:app:shop:§", chosen],
  [
    "Jenkins",
    "Please use the following password to proceed to installation:\n\n§\n\nThis may also be found at: /var/jenkins",
    () => hex(32),
  ],
  [
    "Elasticsearch",
    "Password for the [elastic] user successfully reset.\nNew value: §\n",
    () => letters(random, "w", 20),
  ],
  ["MySQL", "[Note] A temporary password is generated for root@localhost: §", chosen],
  ["a key shown once", "Your new API key, shown once:\n  §\n", key],
  ["sudo", "echo '§' | sudo -S apt-get update", chosen],
  ["a name in full width", "ｐａｓｓｗｏｒｄ=§ と書いた", chosen],
  [
    "a name, a sign and a value in full width",
    "ｐａｓｓｗｏｒｄ　＝　§ に変更",
    () => wide(chosen()),
  ],
  ["a key in full width", "ＡＰＩ＿ＫＥＹ：§。", () => wide(key())],
  ["a value in full width", "パスワードは§です", () => wide(chosen())],
  ["a tool of MySQL", "run mysqlimport -u root -p§ shop orders.txt", chosen],
  ["a health check", 'test: ["CMD", "mysqladmin", "ping", "-h", "localhost", "-p§"]', chosen],
  ["a quoted password with a blank", "mysql -u root -p'§' shop", () => `${chosen()} ${chosen()}`],
  ["sshpass", "sshpass -v -p '§' ssh deploy@10.0.0.4", () => `${chosen()} ${chosen()}`],
  ["a tool of MongoDB", "mongoimport -u app -p § orders.json", chosen],
  ["a login", "We login with -p§ on the old host.", chosen],
  ["a value on the next line", "user = app\npassword = \n§\nport = 5432", chosen],
  ["a value on the next line of a section", "[client]\npassword=\n    §", chosen],
  ["a wrapped statement", "const password =\n  '§';\nconnect(password);", chosen],
  ["psk", 'network={\n  ssid="office"\n  psk="§"\n}', chosen],
  ["SSHPASS", "export SSHPASS='§'", chosen],
  ["PGPASS", "PGPASS=§ psql -h db", chosen],
  ["a PAT", "AZURE_DEVOPS_EXT_PAT=§", () => letters(random, "l", 52)],
  ["a salt", "AUTH_SALT=§", key],
  ["a credential", "REGISTRY_CRED=§", key],
  ["user/pass", "user/pass → admin:§", chosen],
  ["stated hex", "The acme secret key was §, not the other one.", () => hex(64)],
  ["a stated passphrase", "The password is §", () => "correct-horse-battery-staple"],
  ["a quoted passphrase", 'passphrase: "§"', () => "correct horse battery staple"],
  [
    "joined words",
    "The staging admin password is §",
    () => `Winter_Neptune${letters(random, "d", 2)}`,
  ],
  [
    "a mnemonic",
    "mnemonic: §",
    () => "apple river stone cloud tiger ocean maple amber frost piano eagle lunar",
  ],
  [
    "recovery codes",
    "Recovery codes\n§\n§\n§\n",
    () => `${letters(random, "x", 4)}1-${letters(random, "x", 4)}2`,
  ],
  ["C++", 'std::string secret("§");', chosen],
  ["C++, later", 'password.assign("§");', chosen],
  ["NuGet", '<add key="ClearTextPassword" value="§" />', chosen],
  ["curl with two blanks", "curl -s --user  'svc:§' https://api.example.com/x", chosen],
  ["an expect script", 'expect "assword:"\nsend "§\\r"', chosen],
  ["a Korean account", "관리자 계정(admin/§)으로 접속", chosen],
  ["a Chinese secret", "AppSecret 为 §，请勿外传", () => hex(32)],
  [
    "a Kubernetes Secret, a clear key",
    "apiVersion: v1\nkind: Secret\ndata:\n  db_password: §\ntype: Opaque",
    () => base64(chosen()),
  ],
  [
    "Slack's cookie",
    "d=§; x=1",
    () =>
      `xoxd-${letters(random, "w", 30)}%2B${letters(random, "w", 40)}%2F${letters(random, "w", 30)}`,
  ],
  ["openssl -k", "openssl enc -aes-256-cbc -salt -k § -in a.txt -out b.txt", chosen],
  ["openssl -K", "openssl enc -aes-128-cbc -K § -iv 0", () => hex(32)],
  ["openssl -pass", "openssl enc -d -aes-256-cbc -pass pass:§ -in b.txt", chosen],
  ["a password's value", "The password's §, keep it to yourself", chosen],
  ["a password's value, at the end", "use admin; my password’s §", chosen],
  ["a fence", "Password:\n```\n§\n```\nand then log in", chosen],
  ["a fence with a language", "**The API key is:**\n\n```text\n§\n```", key],
  ["what seems to be a version", "PASSWORD=§", version],
  ["what seems to be a version, in JSON", '{"username":"ann","password":"§"}', version],
  [
    "aws configure",
    "aws configure set x.aws_secret_access_key §",
    () => `${letters(random, "w", 28)}abcdefGHIJKL`,
  ],
  ["a flag", "tool --api-key § --verbose", () => `8fj${letters(random, "d", 1)}-kdl3-29fk`],
  ["emphasis around the colon", "**Password:** §", plain],
  ["a dash", "- Password — §\n- Port – 8080", plain],
  ["a shorter dash, with code", "**Password** – `§`", plain],
  ["a macro", '#define WIFI_PASS "§"', plain],
  ["three quotes", 'password = """§"""', plain],
  [
    "a table of HTML",
    "<tr><td>password</td><td>§</td></tr><dl><dt>Password:</dt>\n <dd>§</dd></dl>",
    plain,
  ],
  ["PowerShell", '$password = ConvertTo-SecureString "§" -AsPlainText -Force', plain],
  ["PowerShell, named", "ConvertTo-SecureString -AsPlainText -Force -String '§'", plain],
  ["a variable of PowerShell", "Set-Variable -Name pw -Value '§'", plain],
  ["HTTPie", "http -a ann:§ https://api.example.com/x", plain],
  ["npm config", "npm config set //npm.example.com/:_password §", () => base64(chosen())],
  [
    "npm config, padded once",
    "npm config set _password §",
    () => base64(`${chosen()}${letters(random, "d", 1)}`),
  ],
  ["a here-string", "wrangler secret put KEY <<< §", () => letters(random, "l", 12)],
  ["requests", "requests.get(u, auth=('ann', '§'))\nHTTPBasicAuth('ann', '§')", plain],
  [
    "a database of PHP",
    "mysqli_connect('db','root','§','shop'); new PDO($dsn, 'root', '§')",
    plain,
  ],
  [
    "a field of a page",
    "cy.get('[name=password]').type('§'); page.locator('#password').fill('§')",
    plain,
  ],
  ["Hangul and digits", "비밀번호는 §이에요", () => `봄날의곰${letters(random, "d", 2)}`],
  [
    "quoted Hangul and digits",
    "비밀번호는 '§' 이에요. password: §",
    () => `봄날의곰${letters(random, "d", 2)}`,
  ],
  ["Han and digits", "我的密码：§", () => `我爱北京${letters(random, "d", 2)}`],
  ["kana and digits", "パスワードは「§」です", () => `さくらさく${letters(random, "d", 4)}`],
  ["a PIN", "PIN code for the safe: §", () => letters(random, "d", 6)],
  ["xAI", "we used § there", () => `xai-${letters(random, "w", 40)}_${letters(random, "w", 40)}`],
];

describe("a structure tells the secret", () => {
  test.each(CASES)("%s", (_, template, make) => {
    for (let i = 0; i < 15; i++) {
      const text = template.replaceAll("§", () => make());
      expect(redact(text).text).toBe(template.replaceAll("§", MARK));
      const escaped = redact(JSON.stringify({ output: text })).text;
      expect(JSON.parse(escaped)).toEqual({ output: template.replaceAll("§", MARK) });
    }
  });
});

/** Lines in which nothing must change, each by itself and inside a text: code, tables, commands and sentences in plain.txt. */
const PLAIN = readFileSync("test/support/redaction/plain.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "))
  .map((line) => line.replaceAll("⏎", "\n"));

describe("what has no secret stays", () => {
  test("all lines that looked like one once", () => {
    expect(PLAIN.length).toBeGreaterThan(100);
    const forms = PLAIN.flatMap((text) => [text, `before\n  ${text}\nafter`]);
    expect(forms.filter((text) => redact(text).text !== text)).toEqual([]);
  });

  test("an indented body in base64 that names a key", () => {
    for (let i = 0; i < 20; i++) {
      const lines = Array.from({ length: 4 }, () => `        ${letters(random, "w", 60)}`);
      const text = ["<key>archive</key>", ...lines, ""].join("\n");
      expect(redact(text).text).toBe(text);
    }
  });

  test("data URIs, entity tags and public halves of keys", () => {
    for (let i = 0; i < 40; i++) {
      const text = [
        `src="data:image/png;base64,${letters(random, "b", 400)}"`,
        `ETag: W/"${plainKey(random)}"`,
        `{"kty": "EC", "crv": "P-256", "x": "${letters(random, "v", 43)}", "y": "${letters(random, "v", 43)}"}`,
      ].join("\n");
      expect(redact(text).text).toBe(text);
    }
  });

  test("a chosen word after a name of another thing", () => {
    expect(redact(`city: ${password(random).replace(/\W/g, "")}`).findings).toEqual([]);
  });
});

describe("a secret in the same place goes", () => {
  test.each<readonly [template: string, secret: string]>([
    ["if (this.password === '§') {", "function2024!"],
    ["self._passphrase = §", "passphrase2024!"],
    ["my $pass = §;", "$Winter->2024!"],
    ["-p, --password §", "Winter2024"],
    ["'password' => '§',", "required|2024!"],
    ["zip -r -P § backup.zip src", "Winter2024"],
    ["Authorization: Basic §", Buffer.from("operator:winter2024").toString("base64")],
    ["login with the account (alice/§)", "Winter2024!"],
    ["| db | DB_PASSWORD | § |", "winter2024"],
    ["DB_PASSWORD | § | prod", "winter2024"],
    ["password: |\n  §\n", "bluewriver"],
    ["password: § # staging", "blue_river_stone"],
    ["(password, §, n=1)", "Winter2024!"],
    ["the private key is §", letters(random, "w", 32)],
  ])("%s", (template, secret) => {
    expect(redact(template.replace("§", () => secret)).text).toBe(template.replace("§", MARK));
  });
});
