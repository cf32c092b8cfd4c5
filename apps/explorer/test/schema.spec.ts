import { describe, expect, it } from '@jest/globals';
import { schemaDifference } from '@shardnode/core/database';
import { explorerMigrations } from '../src/index-store/migrations.js';

describe('schema of the explorer', () => {
  it('the migrations make what schema.prisma says, at the first start and at the second', async () => {
    expect(await schemaDifference(explorerMigrations)).toBeUndefined();
  });
});
