import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { schemaDifference } from '@shardnode/core/database';

const pathTo = (name: string): string => fileURLToPath(new URL(`../prisma/${name}`, import.meta.url));
const source = { folder: pathTo('migrations'), schemaFile: pathTo('schema.prisma') };

describe('schema of the wallet-service', () => {
  it('the migrations make what schema.prisma says, at the first start and at the second', async () => {
    expect(await schemaDifference(source)).toBeUndefined();
  });
});
