import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithServers } from '@shardnode/testing/servers';
import { openEmbedded, openServer, type TestDatabase } from '../support/databases.js';
import { runTree } from '../trees/run-tree.js';

/** Each step compares the whole index with a model (protocol 08 §4.1): `npm run explorer:trees` runs more seeds. */
const runs = [
  { title: 'PGlite', open: openEmbedded, first: 1, seeds: 50, steps: 12, suite: describe },
  {
    title: 'PostgreSQL',
    open: openServer,
    first: 1_001,
    seeds: 5,
    steps: 12,
    suite: (title: string, body: () => void) => describeWithServers(['postgres'], title, body),
  },
] as const;

for (const { title, open, first, seeds, steps, suite } of runs) {
  suite(`random trees of blocks over ${title}`, () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    it(`the index equals the applied blocks after each of ${steps} steps, ${seeds} seeds`, async () => {
      for (let seed = first; seed < first + seeds; seed++) {
        expect(await runTree(opened.database, seed, steps)).toEqual([]);
      }
    });
  });
}
