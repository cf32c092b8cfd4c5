import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Database } from '@shardnode/core/database';
import { type Index, openIndex } from '../../src/index.js';
import { groups, RandomTree } from '../trees/random-tree.js';
import { emptyIndex } from '../trees/run-tree.js';
import { openEmbedded, type TestDatabase } from './databases.js';

/** For each test of a `describe`: an index, in a database of the `describe`, that has the first blocks of a tree. */
export class TreeIndex {
  tree!: RandomTree;
  index!: Index;
  private opened!: TestDatabase;

  constructor(seed: number) {
    beforeAll(async () => {
      this.opened = await openEmbedded();
    });
    afterAll(() => this.opened.close());
    beforeEach(async () => {
      await emptyIndex(this.database);
      this.tree = new RandomTree(seed);
      this.index = openIndex({ database: this.database, groups });
      await this.index.apply([...this.tree.blocks]);
    });
  }

  get database(): Database {
    return this.opened.database;
  }
}
