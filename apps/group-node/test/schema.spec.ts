import { describe, expect, it } from '@jest/globals';
import { schemaDifference } from '@shardnode/core/database';
import { groupNodeMigrations } from '../src/store/index.js';

describe('schema of a group-node', () => {
  it('the migrations make what schema.prisma says, at the first start and at the second', async () => {
    expect(await schemaDifference(groupNodeMigrations)).toBeUndefined();
  });
});
