/**
 * A chain of contract calls whose genesis state holds a crowd of contracts. It is made in a separate process: millions
 * of objects on the heap would slow down the measured process. The crowd is put into the tables of the store in bulk,
 * not by transactions: a block creates some 600 contracts at most, a million of them would be hours of blocks.
 *
 * Run as a program: node crowded-chain.ts TASK, a `CrowdedTask` as JSON; writes raw blocks as lines of hexadecimal
 * digits.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { byteaArray, hashArray, type SchemaStatements } from '@shardnode/core/database';
import { genesisBlock } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { stateHash } from '@shardnode/protocol/state';
import { Workbench } from '@shardnode/testing/workbench';
import { genesisCommits } from '../apps/group-node/src/start/genesis.js';
import { type Crowded, withCrowd } from './contract-crowd.js';
import { type DatabasePlace, openAt, storeIn } from './silent-node.js';
import { tokenChain } from './token-calls.js';
import { withSpendableOutputs } from './transfer-chain.js';

export interface CrowdedTask {
  /** Contracts at the genesis. */
  readonly contracts: number;
  /** Blocks of calls after the one that deploys the called contract. */
  readonly blocks: number;
  /** Empty databases that the state is put into. */
  readonly places: readonly DatabasePlace[];
  /** The file that gets the blocks. */
  readonly file: string;
}

export const crowdedNetwork = withSpendableOutputs(developmentNetwork);

const rowsAtOnce = 5_000;

const writeNodes = async (database: SchemaStatements, added: ReadonlyMap<Hash, Uint8Array>): Promise<void> => {
  // In order of hash: neighbours in the index are written together.
  const hashes = [...added.keys()].sort();
  for (let start = 0; start < hashes.length; start += rowsAtOnce) {
    const some = hashes.slice(start, start + rowsAtOnce);
    const values = [hashArray(some), byteaArray(some.map((hash) => added.get(hash))), 1n];
    await database.query('crowd', `SELECT ${database.schema}.write_nodes($1, $2, $3)`, values);
  }
};

const fill = async (place: DatabasePlace, { state, added, immutable }: Crowded): Promise<void> => {
  const opened = await openAt(place);
  const { database, store } = await storeIn(crowdedNetwork, opened);
  await writeNodes(database, added);
  const { outputRoot, contractRoot } = state;
  const roots = { outputRoot, contractRoot, stateHash: stateHash(state) };
  const commits = genesisCommits(crowdedNetwork, 0).map((commit) =>
    commit.worldState ? { ...commit, worldState: { ...commit.worldState, ...roots, immutable } } : commit,
  );
  await store.commitBlocks(commits);
  await opened.close();
};

const carryOut = async ({ contracts, blocks, places, file }: CrowdedTask): Promise<void> => {
  const workbench = new Workbench(crowdedNetwork);
  const { hash } = genesisBlock(crowdedNetwork, { from: 0, to: 0 }).header;
  const crowded = withCrowd(workbench.nodes, workbench.stateAt(hash), contracts);
  for (const place of places) await fill(place, crowded);
  workbench.nodes.add(crowded.added);
  workbench.immutables.add(crowded.immutable);
  workbench.states.set(hash, crowded.state);
  writeFileSync(file, tokenChain(crowdedNetwork, blocks, workbench).blocks.map(bytesToHex).join('\n'));
};

/** Fills the databases, and writes the blocks that go on from there. */
export const crowdedChain = async (task: CrowdedTask): Promise<void> => {
  const program = [...process.execArgv, '--max-old-space-size=8192', fileURLToPath(import.meta.url)];
  await promisify(execFile)(process.execPath, [...program, JSON.stringify(task)]);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await carryOut(JSON.parse(process.argv[2]!) as CrowdedTask);
  process.exit();
}
