/** Texts as tools, projects and people write them, each of several hundred tokens: what receipts and bundles count. */
import { readFileSync } from "node:fs";
import fc from "fast-check";

type Text = fc.Arbitrary<string>;

const NAMES =
  "server connection retry invoice payload customer webhook timeout index query cache token branch merge session worker queue message schema order total account price status config deploy release region cluster backup".split(
    " ",
  );
const SENTENCES = {
  Japanese: [
    "サーバーは接続を一つだけ保持し、失敗した場合は30秒後に再試行します。",
    "設定ファイルを確認してから、サービスを再起動してください。",
    "この関数はユーザーの注文一覧を作成日時の順に返します。",
    "テストを実行する前に、データベースを作り直す必要があります。",
    "キャッシュの有効期限が切れたときは、もう一度読み込みます。",
    "新しいバージョンを公開する前に、すべての検査に合格する必要があります。",
    "注文の金額には消費税が含まれているので、加算しないでください。",
    "十秒以内に応答がなければ、一度だけ再試行します。",
    "昨日のビルドはパスの指定を間違えたために失敗しました。",
    "古い依存関係を削除し、プロジェクトの説明を更新してください。",
    "変数の名前は、どんな値が入っているかを示すべきです。",
  ],
  Russian: [
    "Сервер держит одно соединение и повторяет запрос через тридцать секунд.",
    "Эта функция возвращает список заказов пользователя по дате создания.",
    "Мы решили не использовать здесь транзакцию, потому что она блокирует таблицу.",
    "Сумма заказа уже включает налог, не прибавляйте его второй раз.",
    "Ошибка возникает, когда два процесса одновременно пишут в один файл.",
    "Разработчик заметил, что журнал растёт слишком быстро и занимает весь диск.",
    "Удалите устаревшие зависимости и обновите описание проекта.",
    "Пользователи жаловались на медленную загрузку отчётов по понедельникам.",
    "Имя переменной должно подсказывать, какое значение в ней хранится.",
    "После переименования столбца миграция завершилась с предупреждением.",
    "Сертификат истекает через неделю, продлите его заранее.",
    "Запросы из очереди выполняются по порядку, но результаты приходят вперемешку.",
  ],
};

const name = fc.constantFrom(...NAMES);
const capital = name.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
const number = (max: number): Text => fc.nat({ max }).map(String);
const time = fc
  .integer({ min: 1_764_000_000_000, max: 1_774_000_000_000 })
  .map((ms) => new Date(ms).toISOString());
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(Buffer.from);
const hex = (length: number): Text => bytes(length).map((part) => part.toString("hex"));
const base64 = (length: number): Text => bytes(length).map((part) => part.toString("base64"));
const signs = fc.constantFrom(..."✅❌🚀🔥⚠📦🎉🐛✨📝🔧🧪💥👍");

/** A text of what stands between the parts, with something new for each part. */
function line(texts: TemplateStringsArray, ...parts: readonly Text[]): Text {
  return fc
    .tuple(...parts)
    .map((values) => texts.map((text, at) => `${text}${values[at] ?? ""}`).join(""));
}

function lines(line: Text, times: number, between = "\n"): Text {
  return fc
    .array(line, { minLength: times, maxLength: times + 20 })
    .map((all) => all.join(between));
}

function trace(first: Text, frame: Text): Text {
  return fc.tuple(first, lines(frame, 16)).map((parts) => parts.join("\n"));
}

const item = fc.record({
  id: fc.nat({ max: 99_999 }),
  name,
  created_at: time,
  owner: fc.record({ name, role: fc.constantFrom("admin", "member"), active: fc.boolean() }),
  tags: fc.array(name, { minLength: 1, maxLength: 3 }),
  amount: fc.nat({ max: 99_999 }).map((cents) => cents / 100),
  parent: fc.constant(null),
});
const items = fc.array(item, { minLength: 8, maxLength: 20 });

/** @param corners of the first, of a middle and of the last line. */
function drawn(across: string, down: string, corners: string): Text {
  const rule = (at: number) =>
    corners[at] +
    [12, 8, 16].map((width) => across.repeat(width)).join(corners[at + 1]) +
    corners[at + 2];
  const row = fc
    .tuple(name, number(9_999), name)
    .map(
      ([a, b, c]) =>
        `${down} ${a.padEnd(11)}${down} ${b.padStart(6)} ${down} ${c.padEnd(15)}${down}`,
    );
  return fc
    .array(row, { minLength: 8, maxLength: 20 })
    .map((rows) => [rule(0), rows.join(`\n${rule(3)}\n`), rule(6)].join("\n"));
}

/** Some lines in a row of a file of this project. */
function partOf(file: string): Text {
  const all = readFileSync(file, "utf8").split("\n");
  const least = Math.min(90, all.length);
  return fc
    .nat({ max: all.length - least })
    .map((from) => all.slice(from, from + least).join("\n"));
}

export const USUAL_TEXTS: Readonly<Record<string, Text>> = {
  "JSON, a field a line": items.map((all) => JSON.stringify(all, undefined, 2)),
  "JSON in one line": items.map((all) => JSON.stringify(all)),
  "JSON within JSON": partOf("src/ground/core/policy.ts").map((content) =>
    JSON.stringify({ file_path: "src/ground/core/policy.ts", content }),
  ),
  "lines of JSON": items.map((all) => all.map((one) => JSON.stringify(one)).join("\n")),
  "package-lock.json": partOf("package-lock.json"),
  "SQL that selects": lines(
    line`SELECT o.id, SUM(i.${name}_cents) AS total FROM ${name}s o JOIN ${name}_items i ON i.${name}_id = o.id WHERE o.created_at >= '2026-01-01' AND o.status IN ('paid', 'refunded') GROUP BY o.id LIMIT ${number(90)};`,
    6,
  ),
  "SQL of a schema": partOf("src/daemon/postgres/schema.sql"),
  "a log with ISO times": lines(
    line`${time} ${fc.constantFrom("ERROR", "INFO", "WARN")} ${name}-${number(9)} ${name} after ${number(5_000)} ms`,
    12,
  ),
  "a log of a web server": lines(
    line`10.0.${number(255)}.${number(255)} - - [23/Nov/2026:10:${number(59)}:07 +0000] "GET /api/${name}s/${number(9_999)} HTTP/1.1" 200 ${number(99_999)} "-" "Mozilla/5.0"`,
    10,
  ),
  "a log of JSON": lines(
    line`{"level":"info","time":"${time}","pid":${number(9_999)},"msg":"${name} ${name}","reqId":"${hex(8)}"}`,
    10,
  ),
  "a trace of JavaScript": trace(
    line`TypeError: Cannot read properties of undefined (reading '${name}')`,
    fc.oneof(
      line`    at ${capital}.${name} (/home/dev/app/src/${name}/${name}.js:${number(900)}:${number(90)})`,
      line`    at async ${capital}${capital}.${name} (file:///app/node_modules/${name}-${name}/lib/${name}.mjs:${number(900)}:${number(90)})`,
      line`    at node:internal/process/task_queues:${number(200)}:${number(90)}`,
    ),
  ),
  "a trace of Python": trace(
    fc.constant("Traceback (most recent call last):"),
    fc.oneof(
      line`  File "/usr/lib/python3.11/site-packages/${name}/${name}.py", line ${number(900)}, in ${name}_${name}\n    return self.${name}(${name}, timeout=${number(90)})`,
      line`  File "<string>", line ${number(9)}, in <module>\n    raise ${capital}Error("${name} of the ${name} not found")`,
    ),
  ),
  "a trace of Java": trace(
    line`java.lang.IllegalStateException: Failed to load ${name}`,
    fc.oneof(
      line`\tat org.springframework.${name}.support.Default${capital}Registry.get${capital}(Default${capital}Registry.java:${number(900)})`,
      line`\tat com.acme.${name}.${capital}Service.${name}(${capital}Service.java:${number(900)}) ~[${name}-5.3.${number(30)}.jar!/:5.3.20]`,
      line`\t... ${number(30)} common frames omitted`,
    ),
  ),
  "a table of Markdown": lines(
    line`| ${name} ${name} | ${number(9_999)} | \`${name}_${name}\` |`,
    16,
  ),
  "a table of ─": drawn("─", "│", "┌┬┐├┼┤└┴┘"),
  "a table of ═": drawn("═", "║", "╔╦╗╠╬╣╚╩╝"),
  "a table of ━": drawn("━", "┃", "┏┳┓┣╋┫┗┻┛"),
  "a tree of files": lines(
    line`${fc.constantFrom("", "│   ", "│   │   ")}├── ${name}-${name}.ts`,
    30,
  ),
  "emoji in a list": lines(line`${signs} ${name} ${name} ${signs}`, 30),
  "bytes in base64": base64(600),
  "keys in base64": lines(line`${name}: ${base64(48)}`, 10),
  "digests in hex": lines(line`${hex(32)}  dist/${name}.js`, 8),
  "a dump in hex": lines(
    bytes(16).map((part) => (part.toString("hex").match(/../g) ?? []).join(" ")),
    10,
  ),
  UUIDs: lines(fc.uuid(), 14),
  "results of tests": lines(
    line` ✓ test/${name}.test.ts > ${name} ${name} the ${name} ${number(90)}ms`,
    16,
  ),
  "errors of a compiler": lines(
    line`src/${name}/${name}.ts(${number(900)},${number(90)}): error TS2339: Property '${name}' does not exist on type '${capital}'.`,
    10,
  ),
  "a list of files": lines(line`src/${name}-${name}/${name}/${name}.test.ts`, 30),
  "lines with their numbers": partOf("src/ground/core/policy.ts").map((text) =>
    text
      .split("\n")
      .map((part, at) => `${String(at + 1).padStart(6)}→${part}`)
      .join("\n"),
  ),
  TypeScript: partOf("src/ground/core/policy.ts"),
  "TypeScript of a test": partOf("test/properties/bundle.test.ts"),
  "English prose": partOf("README.md"),
  "prose on a design": partOf("docs/design/lessons.md"),
  "Korean prose": partOf("README.ko.md"),
  "Chinese prose": partOf("README.zh.md"),
  ...Object.fromEntries(
    Object.entries(SENTENCES).map(([language, all]) => [
      `${language} sentences`,
      fc
        .tuple(
          fc.shuffledSubarray(all, { minLength: all.length }),
          fc.array(line`\`${name}_${name}()\``, { minLength: 5, maxLength: 9 }),
        )
        .map((parts) => parts.flat().join("\n")),
    ]),
  ),
  "rules with drawings, emoji and base64": lines(
    fc.oneof(
      line`├──────────────────────────────┤ ${name}`,
      line`${signs} ${name} ${name} ${signs}`,
      base64(48),
    ),
    40,
  ),
};
