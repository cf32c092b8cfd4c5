import { expect, it } from '@jest/globals';
import { schemaDifference } from '@shardnode/core/database';
import { fixtureMigrations } from './database-contract.js';

it('the difference between migrations and a model is the SQL that is missing', async () => {
  const difference = await schemaDifference(fixtureMigrations, 'ALTER TABLE thing ADD COLUMN extra INTEGER');
  expect(difference).toContain('DROP COLUMN "extra"');
});
