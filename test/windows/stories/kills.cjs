/** kills.cjs PROJECT SERVERS WRITES: as many servers log lessons into one memory at once, and the first is ended in the middle of its writes. */
const { lesson, startServer } = require("./server.cjs");

async function main([project, count, writes]) {
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(project)));
  const saved = [];
  const refused = [];
  const write = async (writer, number) => {
    const given = lesson(writer, number);
    const { text, isError } = await servers[writer].call("log_memory", given);
    if (!isError) {
      saved.push(given.lesson);
    } else if (writer !== 0) {
      refused.push(text);
    }
  };
  const others = servers.slice(1).map(async (server, index) => {
    for (let number = 0; number < writes; number++) {
      await write(index + 1, number);
    }
    return server.end();
  });
  await write(0, 0);
  const calls = Array.from({ length: writes }, (_, number) => write(0, number + 1));
  await Promise.race(calls);
  servers[0].kill();
  const [statuses] = await Promise.all([Promise.all(others), ...calls, servers[0].end()]);
  return { saved, refused, statuses };
}

const [project, ...numbers] = process.argv.slice(2);
main([project, ...numbers.map(Number)]).then((told) => process.stdout.write(JSON.stringify(told)));
