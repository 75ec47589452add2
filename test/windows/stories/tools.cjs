/** tools.cjs PROJECT: lists the tools, logs a lesson in Korean, and finds it again. */
const { startServer } = require("./server.cjs");

async function main([project]) {
  const server = await startServer(project);
  const { result } = await server.ask("tools/list", {});
  const logged = await server.call("log_memory", {
    topic: "결제",
    missing_context: "결제 대행사는 10초 뒤에 연결을 끊는다",
    lesson: "시간 제한을 10초로 두고 한 번만 다시 시도한다",
    files: ["src\\pay\\결제.ts"],
  });
  const found = await server.call("search_memory", { query: "결제 시간 제한" });
  const status = await server.end();
  return { tools: result.tools.map(({ name }) => name), logged, found: found.text, status };
}

main(process.argv.slice(2)).then((told) => process.stdout.write(JSON.stringify(told)));
