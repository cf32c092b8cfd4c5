import { type Database, prismaBytes } from '@shardnode/core/database';
import { ServiceError } from '@shardnode/core/errors';
import { openGroupClient } from '@shardnode/group-node';
import { type GroupClient } from '@shardnode/messages';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';

interface HeldBlock {
  readonly hash: string;
  readonly height: number;
  readonly chain: string;
}

/** The heaviest blocks of the own chains in the memory of the group-node, which stores pending ones first. */
const heldBy = async (client: GroupClient, group: number): Promise<readonly HeldBlock[]> =>
  Promise.all(
    Array.from({ length: client.groups }, async (_, to) => {
      const chain = { from: group, to };
      const { currentHeight: height } = await client.request(group, 'read.inspection.chain', {
        ...chain,
        fromHeight: 2 ** 31 - 1,
      });
      const { hashes } = await client.request(group, 'read.chain.hashes', { ...chain, height });
      return { hash: hashes[0] ?? '', height, chain: `(${group}, ${to})` };
    }),
  );

const storedHeights = async (database: Database, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const { blockHeader } = await openGroupClient(database);
  const where = { hash: { in: hashes.map((hash) => prismaBytes(hexToBytes(hash))) } };
  const rows = await blockHeader.findMany({ where, select: { hash: true, height: true } });
  return new Map(rows.map(({ hash, height }) => [bytesToHex(hash), height]));
};

/** Blocks that a group-node reports as stored and its database lacks. Undefined when none runs. */
export const memoryDifferences = async (
  client: GroupClient,
  database: Database,
  group: number,
): Promise<readonly string[] | undefined> => {
  try {
    const held = await heldBy(client, group);
    const stored = await storedHeights(
      database,
      held.map(({ hash }) => hash),
    );
    return held.flatMap(({ hash, height, chain }) => {
      const found = stored.get(hash);
      if (found === height) return [];
      const text = found === undefined ? 'is not in the database' : `has the height ${found} in the database`;
      return [`block ${hash} at height ${height} of chain ${chain} ${text}`];
    });
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined;
    throw error;
  }
};
