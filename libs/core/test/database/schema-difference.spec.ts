import { expect, it } from '@jest/globals';
import { schemaDifference } from '@shardnode/core/database';
import { fixtureMigrations } from './database-contract.js';

/** Timers that keep this process. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('the difference between migrations and a model is the SQL that is missing, and nothing waits afterwards', async () => {
  const before = timers();
  const difference = await schemaDifference(fixtureMigrations, 'ALTER TABLE thing ADD COLUMN extra INTEGER');
  expect(difference).toContain('DROP COLUMN "extra"');
  // Timers of others may end meanwhile.
  expect(timers()).toBeLessThanOrEqual(before);
});
