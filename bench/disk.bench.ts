/**
 * Disk of a group-node over PostgreSQL: bytes of each block by table, growth a day, with and without pruning, and what
 * pruning costs. The blocks are those of one intra-group chain with as many transfers as the row says; beside it the
 * chains to the other groups grow, so that the horizon moves.
 */
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';
import { importAll, onServer, silentNode, type OpenedDatabase } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';
import { genesisOutputs, nextTransfers, withSpendableOutputs } from './transfer-chain.js';

/** Intra-group blocks of a measurement, the first half before the horizon. */
const rounds = isShort ? 16 : Math.max(24, Math.ceil(seconds * 12));
/** Heights; the usual 2,000 would take hours to reach. Steady growth does not depend on it. */
const horizon = Math.floor(rounds / 4);
/** At 64 seconds a block and chain (protocol 04 §9.7). */
const roundsOfDay = 86_400 / 64;

const settings = withSpendableOutputs(developmentNetwork);
const { groups } = settings;

type Sizes = ReadonlyMap<string, number>;

const tablesOf = async ({ host }: OpenedDatabase): Promise<Sizes> => {
  const database = host.service('group_0');
  for (const table of ['trie_node', 'world_state', 'utxo', 'address_balance'])
    await database.script(`VACUUM group_0.${table}`);
  const rows = await database.query<{ name: string; bytes: bigint }>(
    'sizes',
    `SELECT c.relname AS name, pg_total_relation_size(c.oid)::bigint AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'group_0' AND c.relkind = 'r'`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
};

/** Blocks of a round: one on each own chain, the one of the group to itself with so many transfers. */
const blocksOf = (transfers: number): Uint8Array[][] => {
  const node = new MemoryNode(settings, { now: () => BigInt(Date.now()), verifySignature: () => true });
  let spendable = genesisOutputs(settings).slice(0, transfers);
  return Array.from({ length: rounds }, () => {
    const made: Uint8Array[] = [];
    const next = nextTransfers(settings, spendable, 0);
    spendable = next.spendable;
    for (let to = 0; to < groups; to++) {
      const block = nextBlock(node, { from: 0, to }, { transactions: to === 0 ? next.transactions : [] });
      const outcome = node.importBlock(block.raw);
      if (outcome.kind !== 'added') throw new Error(`an invented block is ${JSON.stringify(outcome)}`);
      made.push(block.raw);
    }
    return made;
  });
};

interface Measured {
  /** Bytes that the second half of the rounds has added, a round, by table. */
  readonly growth: Sizes;
  /** Milliseconds of processor time, a round. */
  readonly processor: number;
  readonly pruned: number;
  /** Milliseconds of the writer's time per round. */
  readonly pruning: number;
}

const measure = async (blocks: readonly Uint8Array[][], pruningHorizon: number | undefined): Promise<Measured> => {
  const folder = temporaryFolder();
  try {
    const opened = await onServer(folder.path);
    let [pruned, pruning] = [0, 0];
    const { node, close } = await silentNode(settings, opened, {
      pruningHorizon,
      pruned: (nodes, milliseconds) => {
        pruned += nodes;
        pruning += milliseconds;
      },
    });
    const half = Math.floor(blocks.length / 2);
    const load = async (some: readonly Uint8Array[][]): Promise<void> => {
      for (const round of some) await importAll(node, round);
      await node.pruner?.finish();
    };
    await load(blocks.slice(0, half));
    const before = await tablesOf(opened);
    const used = process.cpuUsage();
    [pruned, pruning] = [0, 0];
    await load(blocks.slice(half));
    const { user, system } = process.cpuUsage(used);
    const after = await tablesOf(opened);
    const count = blocks.length - half;
    await close();
    return {
      growth: new Map([...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / count])),
      processor: (user + system) / 1000 / count,
      pruned: pruned / count,
      pruning: pruning / count,
    };
  } finally {
    folder.remove();
  }
};

const total = (sizes: Sizes): number => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`;
const megabytesOfDay = (sizes: Sizes): string => counted((total(sizes) * roundsOfDay) / 2 ** 20, 'MB/day');

const largest = (sizes: Sizes): string =>
  [...sizes]
    .filter(([, bytes]) => bytes >= 100)
    .sort(([, a], [, b]) => b - a)
    .map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
    .join(', ');

const rowsOf = async (transfers: number): Promise<Row[]> => {
  const blocks = blocksOf(transfers);
  const what = transfers === 0 ? 'idle' : `${transfers} transfers a block`;
  const all = await measure(blocks, undefined);
  const kept = await measure(blocks, horizon);
  return [
    { row: `${what}: growth, every state kept`, figure: megabytesOfDay(all.growth), beside: largest(all.growth) },
    { row: `${what}: growth with pruning`, figure: megabytesOfDay(kept.growth), beside: largest(kept.growth) },
    {
      row: `${what}: cost of pruning`,
      figure: `${kept.pruning.toFixed(2)} ms`,
      beside: `a block of 64 s, in the writer's turn; ${counted(kept.pruned, 'nodes')}; processor ${kept.processor.toFixed(0)} ms instead of ${all.processor.toFixed(0)} ms`,
    },
  ];
};

if (hasServers(['postgres'])) {
  const rows: Row[] = [];
  for (const transfers of isShort ? [0, 20] : [0, 100, 500]) rows.push(...(await rowsOf(transfers)));
  printRows(rows);
}
process.exit();
