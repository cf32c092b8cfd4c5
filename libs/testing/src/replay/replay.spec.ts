import { beforeAll, describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { historyFolder } from '../vectors/index.js';
import { MemoryNode, memoryNodeTarget } from '../memory-node/index.js';
import {
  compareContracts,
  compareEvents,
  compareFinalState,
  compareGenesis,
  compareTransactions,
  compareVerdicts,
  Differences,
  type History,
  permuted,
  readHistory,
  replayInOrder,
  replayPermuted,
} from './index.js';

const histories = [
  'chain',
  'chain-transfers',
  'chain-forks/views-a',
  'chain-forks/views-b',
  'chain-forks/views-c',
  'chain-forks/views-d',
  'chain-forks/height-gap',
];

const fresh = (history: History): MemoryNode => new MemoryNode(history.settings);

/** Everything that a trace would be seen in. */
const traces = (node: MemoryNode): unknown => ({
  sizes: node.sizes,
  best: [0, 1, 2, 3].map((group) => node.bestDependencies(group)),
  tips: [...Array(16).keys()].map((flat) => node.dag.tips({ from: flat >> 2, to: flat & 3 })),
});

describe.each(histories)('the history %s', (name) => {
  const history = readHistory(historyFolder(name));

  it('comes out equal after every block and at the end', async () => {
    const differences = new Differences();
    const target = memoryNodeTarget(fresh(history));
    compareGenesis(history, differences);
    await replayInOrder(target, history, differences);
    await compareFinalState(target, history, differences);
    expect(differences.list).toEqual([]);
    expect(differences.compared).toBeGreaterThan(history.blocks.length * 8);
  });

  const seeds = name === 'chain-transfers' ? [1, 2, 3, 4, 5] : name === 'chain' ? [1, 2] : [1];
  it.each(seeds)('ends equal in any order, every block twice (seed %i)', async (seed) => {
    const differences = new Differences();
    await replayPermuted(memoryNodeTarget(fresh(history)), history, seed, differences, { twice: true });
    expect(differences.list).toEqual([]);
  });
});

/** Histories with their bad blocks and transactions: entries of each file, and values that are compared at least. */
const judgedHistories = [
  [
    'chain-transfers',
    [
      ['rejected-blocks.json', 103],
      ['rejected-transactions.json', 85],
      ['check-order.json', 334],
    ],
    700,
  ],
  [
    'chain',
    [
      ['rejected-blocks.json', 109],
      ['rejected-transactions.json', 150],
    ],
    400,
  ],
] as const;

describe.each(judgedHistories)('bad blocks and transactions after the history %s', (name, files, leastCompared) => {
  const history = readHistory(historyFolder(name));
  const node = fresh(history);
  const target = memoryNodeTarget(node);

  beforeAll(() => {
    for (const { raw } of history.blocks) node.importBlock(hexToBytes(raw));
  });

  it('are there', () => {
    const counts = history.judged.map(({ file, entries }) => [file, entries.length]);
    expect(counts).toEqual(files);
    const all = history.judged.flatMap(({ entries }) => entries);
    expect(all.every((entry) => entry.after === history.blocks.length)).toBe(true);
  });

  it('handed in as from outside are not added, for the reason named, and leave no trace', () => {
    const before = traces(node);
    const beforeTheDoor = ['Undecodable', 'InvalidPoW'];
    for (const { entries } of history.judged) {
      for (const entry of entries) {
        const expected = entry.required ?? entry.blockVerdict ?? entry.verdict;
        if (entry.setup || entry.block === undefined || expected === 'valid') continue;
        const outcome = node.importBlock(hexToBytes(entry.block));
        if (outcome.kind === 'buffered') {
          // A temporary node buffers it; a block with missing dependencies is not refused.
          node.forgetBuffered();
        } else if (outcome.kind !== 'refused') {
          expect([entry.name, outcome.kind]).toEqual([entry.name, expected === 'internal error' ? 'fault' : 'refused']);
        } else if (!beforeTheDoor.includes(outcome.refusal.code)) {
          expect(`${entry.name}: ${expected}`).toContain(`${entry.name}: ${outcome.refusal.code}`);
        }
        expect([entry.name, traces(node)]).toEqual([entry.name, before]);
      }
    }
  });

  it('get the verdicts of the vectors, name by name', async () => {
    const differences = new Differences();
    await compareVerdicts(target, history, history.blocks.length, differences);
    expect(differences.list).toEqual([]);
    // Every entry with a block, every template with a mempool verdict, every block that comes first.
    expect(differences.compared).toBeGreaterThan(leastCompared);
  });
});

describe('the comparison', () => {
  const history = readHistory(historyFolder('chain-forks/views-a'));
  const wrong = '00'.repeat(32);

  const differencesOf = async (changed: History): Promise<string[]> => {
    const differences = new Differences();
    const target = memoryNodeTarget(fresh(history));
    compareGenesis(changed, differences);
    await replayInOrder(target, changed, differences);
    await compareFinalState(target, changed, differences);
    return [...new Set(differences.list.map(({ what }) => what))];
  };
  const withLine = (change: Partial<History['blocks'][number]>): History => ({
    ...history,
    blocks: history.blocks.map((line, i) => (i === 20 ? { ...line, ...change } : line)),
  });
  const line = history.blocks[20]!;
  const intra = history.blocks.findIndex((block) => block.worldState);
  const withFinal = (change: Partial<History['final']>): History => ({
    ...history,
    final: { ...history.final, ...change },
  });
  const { chains, groups, addresses } = history.final;

  it.each<[string, History, string[]]>([
    ['height', withLine({ height: line.height + 1 }), ['height']],
    ['weight', withLine({ weight: '1' }), ['weight']],
    ['flag when added', withLine({ canonicalWhenAdded: !line.canonicalWhenAdded }), ['canonical when added']],
    ['flag at the end', withLine({ canonical: !line.canonical }), ['canonical']],
    [
      'best dependencies',
      withLine({ bestDeps: line.bestDeps.map((deps, g) => (g === 2 ? [wrong] : deps)) }),
      ['best dependencies of group 2'],
    ],
    ['number of blocks', withFinal({ blocks: 1 }), ['number of blocks']],
    ['tips', withFinal({ chains: chains.map((c, i) => (i === 3 ? { ...c, tips: [wrong] } : c)) }), ['tips']],
    [
      'current height',
      withFinal({ chains: chains.map((c, i) => (i === 3 ? { ...c, currentHeight: 99 } : c)) }),
      ['current height'],
    ],
    [
      'highest height',
      withFinal({ chains: chains.map((c, i) => (i === 3 ? { ...c, maxHeight: 99 } : c)) }),
      ['highest height'],
    ],
    [
      'heights with several',
      withFinal({ chains: chains.map((c) => ({ ...c, hashesWithSeveral: [] })) }),
      ['heights with several blocks'],
    ],
    ['state root', withFinal({ groups: groups.map((g) => ({ ...g, outputsRoot: wrong })) }), ['world state']],
    ['output count', withFinal({ groups: groups.map((g) => ({ ...g, assetOutputs: 0 })) }), ['asset outputs']],
    ['unspent outputs', withFinal({ addresses: addresses.map((a) => ({ ...a, refs: [] })) }), ['references']],
    ['sum', withFinal({ addresses: addresses.map((a) => ({ ...a, attoCoinAmount: '1' })) }), ['sum']],
    ['genesis state', { ...history, genesis: history.genesis.map((g) => ({ ...g, hash: wrong })) }, ['hash']],
  ])('sees a wrong %s', async (_, changed, what) => {
    expect(await differencesOf(changed)).toEqual(what);
  });

  it('sees a wrong world state and a wrong verdict', async () => {
    const states = history.blocks.map((block, i) =>
      i === intra ? { ...block, worldState: { ...block.worldState!, outputs: wrong } } : block,
    );
    expect(await differencesOf({ ...history, blocks: states })).toEqual(['world state']);
    const differences = new Differences();
    const judged = [{ file: 'f', entries: [{ name: 'x', after: 0, block: line.raw, verdict: 'valid' }] }];
    await compareVerdicts(memoryNodeTarget(fresh(history)), { ...history, judged }, 0, differences);
    expect(differences.list).toHaveLength(1);
  });

  it('permutes by the seed alone', () => {
    const list = [...Array(50).keys()];
    expect(permuted(list, 7)).toEqual(permuted(list, 7));
    expect(permuted(list, 7)).not.toEqual(permuted(list, 8));
    expect([...permuted(list, 7)].sort((a, b) => a - b)).toEqual(list);
  });
});

describe('the comparison of contracts', () => {
  const history = readHistory(historyFolder('chain'));
  const node = fresh(history);
  const target = memoryNodeTarget(node);
  const wrong = '00'.repeat(32);

  beforeAll(() => {
    for (const { raw } of history.blocks) node.importBlock(hexToBytes(raw));
  });

  const differencesOf = async (compare: (differences: Differences) => Promise<void>): Promise<string[]> => {
    const differences = new Differences();
    await compare(differences);
    return [...new Set(differences.list.map(({ what }) => what))];
  };
  const eventful = history.blocks.findIndex(({ events }) => events);
  const withEvents = (events: NonNullable<History['blocks'][number]['events']>): History => ({
    ...history,
    blocks: history.blocks.map((line, i) => (i === eventful ? { ...line, events } : line)),
  });

  it('sees wrong flags and wrong gas', async () => {
    const line = history.blocks[eventful]!;
    const txs = line.txs!;
    const compared = (changed: typeof txs) =>
      differencesOf((differences) =>
        compareTransactions(target, { ...line, txs: changed }, 'x', history.settings, differences),
      );
    expect(await compared(txs)).toEqual([]);
    expect(await compared(txs.map((tx) => ({ ...tx, scriptExecutionOk: false })))).toEqual(['flags of scripts']);
    expect(await compared(txs.map((tx) => (tx.gasUsed ? { ...tx, gasUsed: tx.gasUsed + 1 } : tx)))).toEqual([
      'gas used',
    ]);
  });

  it('sees wrong events', async () => {
    const events = history.blocks[eventful]!.events!;
    const compared = (changed: typeof events) =>
      differencesOf((differences) => compareEvents(target, withEvents(changed), differences));
    expect(await compared(events)).toEqual([]);
    expect(await compared([])).toEqual(['events']);
    expect(await compared(events.map((event) => ({ ...event, counter: event.counter + 1 })))).toEqual(['events']);
    expect(await compared(events.map((event) => ({ ...event, fields: [] })))).toEqual(['events']);
  });

  it('sees a wrong contract', async () => {
    const { groups } = history.final;
    const compared = (change: Partial<NonNullable<(typeof groups)[number]['contracts']>[number]>) =>
      differencesOf((differences) =>
        compareContracts(
          target,
          {
            ...history,
            final: {
              ...history.final,
              groups: groups.map((group) => ({
                ...group,
                contracts: group.contracts!.map((each) => ({ ...each, ...change })),
              })),
            },
          },
          differences,
        ),
      );
    expect(await compared({})).toEqual([]);
    expect(await compared({ codeHash: wrong })).toEqual(['codeHash']);
    expect(await compared({ mutFields: [{ type: 'Bool', value: true }] })).toEqual(['mutableFields']);
    expect(await compared({ attoCoinAmount: '1' })).toEqual(['amount']);
    expect(await compared({ eventCount: 99 })).toEqual(['eventRecords']);
    expect(new Set(await compared({ contractId: wrong })).size).toBe(9);
  });
});
