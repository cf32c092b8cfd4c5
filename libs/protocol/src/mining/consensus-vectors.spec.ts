import { describe, expect, it } from '@jest/globals';
import { testKeyOf } from '@shardnode/testing/keys';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { Workbench } from '@shardnode/testing/workbench';
import { type Block, decodeBlock, hashRateOf } from '../block/index.js';
import { blocksForStateView, confirmations, currentDifficulty } from '../dag/index.js';
import { bytesToHex, DecodeError, hexToBytes } from '../encoding/index.js';
import { developmentNetwork, type NetworkSettings, parseGenesisFile, settingsOfKind } from '../network/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';
import { stateHash } from '../state/index.js';
import { type TransactionTemplate } from '../transaction/index.js';
import { type Refusal } from '../validation/index.js';
import { longestPrefix } from './index.js';

type Chain = [number, number];

interface ReplayBlock {
  readonly id: string;
  readonly chain: Chain;
  readonly hash: string;
  readonly block: string;
  readonly timestamp: number;
  readonly target: string;
  readonly deps: string[];
  readonly depStateHash: string;
  readonly height: number;
  readonly weight: string;
  readonly blocksForStateView: string[];
  readonly stateAfter?: { outputRoot: string; contractRoot: string; stateHash: string };
  readonly hashesAtHeight: string[];
  readonly bestDepsAfter: string[][];
  readonly bestIntraTipAfter: string;
}
interface Consensus {
  readonly genesis: {
    replayNet: { allocations: { address: string; attoCoin: string; lockMs: number }[]; proof: string[] };
  };
  readonly replay: { keys: { privateKey: string }[]; bestDepsBefore: string[][]; blocks: ReplayBlock[] };
  readonly rejected: { blocks: { expected: string; note: string; chain: Chain; hash: string; block: string }[] };
  readonly roundWeights: { weights: number[] };
  readonly confirmations: { steps: { value: number[] }[]; genesisTx: number[]; intraGroupTxFirstBlock: number[] };
  readonly difficultyReplay: {
    genesisHashes: string[];
    blocks: [string, string, string][];
    finalBestDeps: string[][];
    finalState: { group: number; tip: string; height: number; stateHash: string }[];
  };
}

const vectors = readVectors<Consensus>('consensus.json');
const groups = [0, 1, 2, 3];
const chainOf = ([from, to]: Chain): ChainIndex => ({ from, to });
const allChains = groups.flatMap((from) => groups.map((to): ChainIndex => ({ from, to })));
const miners = vectors.replay.keys.map(({ privateKey }) => testKeyOf(hexToBytes(privateKey)).lockupScript);

const replayNet = (numZeros: number, uncleDependencyGapMs: number): NetworkSettings => {
  const { allocations, proof } = vectors.genesis.replayNet;
  return parseGenesisFile({
    networkId: 2,
    numZeros,
    uncleDependencyGapMs,
    noPreMineProof: proof,
    allocations: allocations.map(({ address, attoCoin, lockMs }) => ({
      address,
      attoCoinAmount: attoCoin,
      lockDurationMs: lockMs,
    })),
  });
};

const replayed = () => {
  const bench = new Workbench(replayNet(0, 0));
  const names = new Map<Hash, string>();
  for (const chain of allChains) names.set(bench.dag.genesis(chain), `G${chain.from}${chain.to}`);
  const named = (hashes: readonly Hash[]): string[] => hashes.map((hash) => names.get(hash) ?? hash);
  return { bench, names, named };
};

const candidatesOf = (block: Block): TransactionTemplate[] => block.transactions.slice(0, -1);

/** B11 is a second branch, B13 conflicts with B12: not what a template at that moment would be. */
const notFromTemplate = ['B11', 'B13'];

const walkReplay = ({ blocks, bestDepsBefore }: Consensus['replay']): void => {
  const { bench, names, named } = replayed();
  it('starts with the best dependencies of genesis', () => {
    expect(groups.map((group) => named(bench.bestDeps(group)))).toEqual(bestDepsBefore);
  });
  it.each(blocks)('$id: $note', (expected) => {
    const block = decodeBlock(hexToBytes(expected.block), 4);
    const { header } = block;
    const chain = chainOf(expected.chain);
    if (!notFromTemplate.includes(expected.id)) {
      const wish = { now: header.timestamp, candidates: candidatesOf(block), miner: miners[chain.to]! };
      expect(bytesToHex(bench.mine(chain, wish).raw)).toBe(expected.block);
    }
    names.set(header.hash, expected.id);
    expect(named(header.blockDeps)).toEqual(expected.deps);
    expect(named(blocksForStateView(bench.dag, chain.from, header.blockDeps))).toEqual(expected.blocksForStateView);
    expect(bench.check(block)).toBeUndefined();
    const added = bench.add(block);
    expect([added.height, added.weight.toString()]).toEqual([expected.height, expected.weight]);
    expect(named(bench.dag.hashesAt(chain, added.height))).toEqual(expected.hashesAtHeight);
    expect(groups.map((group) => named(bench.bestDeps(group)))).toEqual(expected.bestDepsAfter);
    if (!expected.stateAfter) return;
    const state = bench.stateAt(header.hash);
    const { outputRoot, contractRoot } = state;
    expect({ outputRoot, contractRoot, stateHash: stateHash(state) }).toEqual(expected.stateAfter);
  });
};

const reasons: { readonly [text: string]: string } = {
  'coinbase output in the wrong group': 'InvalidOutputGroupIndex',
  'wrong network id': 'InvalidNetworkId',
  'input does not exist': 'NonExistInput',
  'wrong output group': 'InvalidOutputGroupIndex',
};

const verdictText = (verdict: Refusal | undefined): string =>
  !verdict ? 'valid' : verdict.reason ? `${verdict.code} (${verdict.reason.code})` : verdict.code;

const expectedText = (text: string): string => text.replace(/\((.*)\)/, (_, reason: string) => `(${reasons[reason]})`);

const walkRejected = ({ blocks }: Consensus['rejected']): void => {
  const { bench } = replayed();
  for (const { block } of vectors.replay.blocks) bench.add(decodeBlock(hexToBytes(block), 4));
  it.each(blocks)('$expected: $note', ({ expected, block: raw }) => {
    if (expected === 'InvalidDepsNum') {
      expect(() => decodeBlock(hexToBytes(raw), 4)).toThrow(DecodeError);
      expect(() => decodeBlock(hexToBytes(raw), 4)).toThrow(/InvalidDepsNum/);
      return;
    }
    expect(verdictText(bench.check(decodeBlock(hexToBytes(raw), 4)))).toBe(expectedText(expected));
  });
};

const walkDifficultyReplay = (section: Consensus['difficultyReplay']): void => {
  const bench = new Workbench(replayNet(6, 16_000));
  it('starts from the same genesis', () => {
    expect(allChains.map((chain) => bench.dag.genesis(chain))).toEqual(section.genesisHashes);
  });
  it('mines the same 416 blocks', () => {
    let now = 1_690_000_000_000n;
    section.blocks.forEach(([hash, target, weight], n) => {
      now += 3000n + ((BigInt(n) * 7919n) % 997n);
      const chain = { from: Math.floor((n % 16) / 4), to: n % 4 };
      const block = bench.mine(chain, { now, miner: miners[chain.to]! });
      expect([n, block.header.hash, block.header.target.toString(16).padStart(8, '0')]).toEqual([n, hash, target]);
      expect(bench.check(block)).toBeUndefined();
      expect(bench.add(block).weight).toBe(BigInt(weight));
    });
  });
  it('ends with the same best dependencies and states', () => {
    expect(groups.map((group) => bench.bestDeps(group))).toEqual(section.finalBestDeps);
    for (const { group, tip, height, stateHash: expected } of section.finalState) {
      expect(bench.bestDeps(group)[3 + group]).toBe(tip);
      expect(bench.dag.height(tip)).toBe(height);
      expect(stateHash(bench.stateAt(tip))).toBe(expected);
    }
    expect(currentDifficulty(bench.dag, bench.settings)).toBeGreaterThan(1n);
    expect(hashRateOf(bench.settings, 0x20ffffff)).toBe(4n);
  });
};

const walkRoundWeights = ({ weights }: Consensus['roundWeights']): void => {
  const bench = new Workbench({ ...settingsOfKind('development'), allocations: developmentNetwork.allocations });
  it.each(weights.map((weight, round) => ({ weight, round })))('round $round weighs $weight', ({ weight, round }) => {
    const now = 1_690_000_000_000n + BigInt(round) * 1000n;
    const blocks = allChains.map((chain) => bench.mine(chain, { now }));
    for (const block of blocks) expect(bench.import(block).weight).toBe(BigInt(weight));
  });
};

const counts = (bench: Workbench, hash: Hash): number[] => {
  const { chainConfirmations, fromGroupConfirmations, toGroupConfirmations } = confirmations(bench.dag, hash);
  return [chainConfirmations, fromGroupConfirmations, toGroupConfirmations];
};

const development = (): Workbench => new Workbench(developmentNetwork);

const walkConfirmations = (section: Consensus['confirmations']): void => {
  it.each(allChains.filter(({ from, to }) => from !== to))('inter-group ($from,$to)', ({ from, to }) => {
    const bench = development();
    const { hash } = bench.grow({ from, to }).header;
    const steps = [counts(bench, hash)];
    bench.grow({ from, to: from });
    steps.push(counts(bench, hash));
    bench.grow({ from: to, to });
    steps.push(counts(bench, hash));
    expect(steps).toEqual(section.steps.map(({ value }) => value));
  });
  it('genesis and intra-group', () => {
    const bench = development();
    for (const chain of allChains) expect(counts(bench, bench.dag.genesis(chain))).toEqual(expectedOfGenesis(chain));
    const { hash } = bench.grow({ from: 2, to: 2 }).header;
    expect(counts(bench, hash)).toEqual(section.intraGroupTxFirstBlock);
  });
  // Without a block on (f,f) the genesis block of an inter-group chain is in no source-group block: 7.9 gives 0 there.
  const expectedOfGenesis = ({ from, to }: ChainIndex): number[] => (from === to ? section.genesisTx : [1, 0, 1]);
};

const walkers: { readonly [section: string]: (section: never) => void } = {
  replay: walkReplay,
  rejected: walkRejected,
  difficultyReplay: walkDifficultyReplay,
  roundWeights: walkRoundWeights,
  confirmations: walkConfirmations,
};

describe('consensus.json', () => {
  for (const section of sectionsClaimedBy('consensus.json', 'mining')) {
    const walk = walkers[section];
    const value = vectors[section as keyof Consensus];
    if (!walk) it(`${section} has a walker`, () => expect(section).toBe('walked'));
    else if (value) describe(section, () => walk(value as never));
  }
});

interface TransactionValidation {
  readonly templateTruncation: {
    cases: { gasPerTx: number; txs: number; maxTxs: number; maxGas: number; taken: number }[];
  };
  readonly confirmations: { cases: { name: string; steps: { add: string; expect: number[] }[] }[] };
}

const transactionWalkers: { readonly [S in keyof TransactionValidation]: (section: TransactionValidation[S]) => void } =
  {
    templateTruncation: ({ cases }) => {
      it.each(cases)('$txs of $gasPerTx in $maxTxs and $maxGas', ({ gasPerTx, txs, maxTxs, maxGas, taken }) => {
        const candidates = Array.from(
          { length: txs },
          () => ({ unsigned: { gasAmount: gasPerTx } }) as TransactionTemplate,
        );
        expect(longestPrefix(candidates, { transactions: maxTxs, gas: maxGas })).toHaveLength(taken);
      });
    },
    confirmations: ({ cases }) => {
      it.each(cases)('$name', ({ name, steps }) => {
        const bench = development();
        const isInter = name.startsWith('inter-group');
        const [from, to] = isInter ? [1, 3] : [1, 1];
        let hash = bench.dag.genesis({ from, to });
        for (const { add, expect: expected } of steps) {
          if (add.startsWith('block with the transaction')) hash = bench.grow({ from, to }).header.hash;
          else if (add === 'block on chain (from,from)' || add === 'next block on chain (g,g)')
            bench.grow({ from, to: from });
          else if (add === 'block on chain (to,to)') bench.grow({ from: to, to });
          else if (add === 'one block on every chain') for (const chain of allChains) bench.grow(chain);
          else expect(add).toBe('nothing');
          expect([add, counts(bench, hash)]).toEqual([add, expected]);
        }
      });
    },
  };

describe('tx-validation.json', () => {
  const values = readVectors<Partial<TransactionValidation>>('tx-validation.json');
  for (const section of sectionsClaimedBy('tx-validation.json', 'mining')) {
    const walk = transactionWalkers[section as keyof TransactionValidation] as ((value: unknown) => void) | undefined;
    const value = values[section as keyof TransactionValidation];
    if (!walk) it(`${section} has a walker`, () => expect(section).toBe('walked'));
    else if (value) describe(section, () => walk(value));
  }
});
