/** kills.cjs PROJECT ROUNDS: a server is ended in the middle of its writes, while two others write. */
const { lesson, startServer } = require("./server.cjs");

const WRITES = 6;
/** The round's number makes each lesson another one. */
const WRITERS_A_ROUND = 3;

async function playRound(project, round) {
  const servers = await Promise.all([0, 1, 2].map(() => startServer(project)));
  const saved = [];
  const refused = [];
  const write = async (index, number) => {
    const given = lesson(100 + round * WRITERS_A_ROUND + index, number);
    const { text, isError } = await servers[index].call("log_memory", given);
    if (!isError) saved.push(given.lesson);
    else if (index !== 0) refused.push(text);
  };
  const others = [1, 2].map(async (index) => {
    for (let number = 0; number < WRITES; number++) await write(index, number);
  });
  await write(0, 0);
  const calls = Array.from({ length: WRITES }, (_, number) => write(0, number + 1));
  // Each round it ends at another place of its writes.
  await Promise.race(calls.slice(round % WRITES));
  servers[0].kill();
  await Promise.all([...calls, ...others]);
  await Promise.all(servers.map((server) => server.end()));
  return { saved, refused };
}

async function main([project, rounds]) {
  const told = { saved: [], refused: [] };
  for (let round = 0; round < Number(rounds); round++) {
    const { saved, refused } = await playRound(project, round);
    told.saved.push(...saved);
    told.refused.push(...refused);
  }
  return told;
}

main(process.argv.slice(2)).then((told) => process.stdout.write(JSON.stringify(told)));
