/** writers.cjs PROJECT WRITERS WRITES: as many servers log lessons into one memory at once. */
const { lesson, startServer } = require("./server.cjs");

async function main([project, writers, writes]) {
  const servers = await Promise.all(
    Array.from({ length: Number(writers) }, () => startServer(project)),
  );
  const refused = [];
  const write = async (server, writer) => {
    for (let number = 0; number < Number(writes); number++) {
      const { text, isError } = await server.call("log_memory", lesson(writer, number));
      if (isError) refused.push(text);
    }
    return server.end();
  };
  const statuses = await Promise.all(servers.map(write));
  return { refused, statuses };
}

main(process.argv.slice(2)).then((told) => process.stdout.write(JSON.stringify(told)));
