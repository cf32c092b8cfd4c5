/**
 * Contracts beside 1,000,000 others (BENCH_CONTRACTS): calls in blocks that are imported, against the same on a chain
 * without them, and a script that asks for what is not in memory. Filling the databases takes some minutes.
 */
import { join } from 'node:path';
import { crowdBlocks, crowdImportRows, type Side, type Sides } from './crowd-import.js';
import { crowdedChain } from './crowded-chain.js';
import { hostileMissesRow } from './hostile-misses.js';
import { contractCount } from './many-contracts.js';
import { besides, isShort, printRows, type Row } from './rows.js';
import { hasServers } from './servers.js';
import { benchServer, databaseOn, type DatabasePlace } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const server = !isShort && hasServers(['postgres']) ? await benchServer(folder.path) : undefined;

/** The chain with so many contracts, in each kind of database. */
const sidesWith = async (name: string, contracts: number): Promise<Side[]> => {
  const embedded: DatabasePlace = { kind: 'embedded', folder: join(folder.path, name) };
  const places = server ? [embedded, await databaseOn(server, `crowd_${name}`)] : [embedded];
  const file = join(folder.path, `${name}.blocks`);
  await crowdedChain({ contracts, blocks: crowdBlocks, places, file });
  return places.map((place) => ({ place, file }));
};

const rowsOf = async (sides: Sides<Side>): Promise<Row[]> => [
  // First: nothing of the chain is spent yet.
  await hostileMissesRow(sides.among.place),
  ...(await crowdImportRows(sides)),
];

const alone = await sidesWith('alone', 0);
const among = await sidesWith('among', contractCount);
const rows: Row[][] = [];
for (const [i, side] of alone.entries()) rows.push(await rowsOf({ alone: side, among: among[i]! }));
const [inProcess, overServer] = rows;
printRows(overServer ? besides(inProcess!, overServer) : inProcess!);
await server?.remove();
folder.remove();
process.exit();
