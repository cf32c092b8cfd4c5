/**
 * A process that makes blocks with large changes and prunes what is old. DATABASE: URL of a server, or folder of an embedded
 * database; BLOCKS to make, in an empty one only; CRASH_AT as of a group-node. Prints `pruning` when it begins to prune.
 */
import { crashPointAt } from '@shardnode/testing/crash-points';
import { openStore } from './embedded-stores.js';
import { openHost } from './open-host.js';
import { group, PrunedChain } from './pruned-chain.js';

const { DATABASE: database = '', BLOCKS: blocks, CRASH_AT: crashAt } = process.env;
/** Many of them: the nodes that a block replaces take several steps. */
const outputsOf = (block: number): number[] => Array.from({ length: 400 }, (_, i) => (block * 37 + i) % 900);

const host = await openHost(database);
const chain = await PrunedChain.open(await openStore(host, group), 3, { crashPoint: crashPointAt(crashAt) });
for (let block = 0; block < Number(blocks); block++) {
  await chain.add(chain.top, outputsOf(block), [block % 4]);
  await chain.grow(chain.top);
}
process.stdout.write('pruning\n');
await chain.pruner.finish();
process.stdout.write('done\n');
await host.close();
