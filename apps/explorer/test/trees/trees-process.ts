import { parseArgs } from 'node:util';
import { openEmbedded, openServer } from '../support/databases.js';
import { runTree } from './run-tree.js';

const usage = `Applies and undoes random trees of blocks and compares the index with a model after each step.

  npm run explorer:trees -- --seeds 1000              over PGlite, seeds 1 to 1000
  npm run explorer:trees -- --seed 17 --steps 40      one seed
  npm run explorer:trees -- --postgres                over a PostgreSQL server of its own`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const seedsToRun = (): number[] =>
  values.seed === undefined ? Array.from({ length: Number(values.seeds) }, (_, i) => i + 1) : [Number(values.seed)];

const run = async (): Promise<void> => {
  const opened = await (values.postgres ? openServer : openEmbedded)();
  let failed = 0;
  try {
    for (const seed of seedsToRun()) {
      const problems = await runTree(opened.database, seed, Number(values.steps));
      if (problems.length === 0) continue;
      failed += 1;
      console.log(problems.join('\n'));
    }
  } finally {
    await opened.close();
  }
  console.log(`${seedsToRun().length} seeds, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
};

if (values.help) console.log(usage);
else await run();
