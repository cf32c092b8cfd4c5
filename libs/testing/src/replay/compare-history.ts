import { hexToBytes } from '@shardnode/protocol/encoding';
import { genesisBlocks } from '@shardnode/protocol/block';
import { flatIndex, type Hash, referenceId } from '@shardnode/protocol/primitives';
import { genesisWorldState, stateHash, type StoredOutput, type WorldState } from '@shardnode/protocol/state';
import { verdictText } from '@shardnode/protocol/validation';
import { compareContracts, compareEvents, compareTransactions } from './compare-contracts.js';
import { type Differences } from './differences.js';
import {
  chainOf,
  type FinalState,
  type History,
  type RecordedAddress,
  type RecordedBlock,
  type RecordedChain,
  type RecordedGroup,
  type RecordedState,
} from './history.js';
import { type ImportOutcome, type ReplayTarget } from './replay-target.js';

/** The text of an outcome, as in the verdict files. */
export const outcomeText = (outcome: ImportOutcome): string => {
  switch (outcome.kind) {
    case 'refused':
      return verdictText(outcome.refusal);
    case 'fault':
      return `internal error (${outcome.detail})`;
    case 'buffered':
      return `waits for ${outcome.missing.join(' ')}`;
    case 'added':
    case 'known':
      return outcome.kind;
  }
};

const recorded = (state: WorldState | undefined): RecordedState | undefined =>
  state && {
    outputs: state.outputRoot,
    contracts: state.contractRoot,
    code: state.codeRoot,
    stateHash: stateHash(state),
  };

/** Compares the genesis blocks and states of the settings with the recorded ones. */
export const compareGenesis = ({ settings, genesis }: History, differences: Differences): void => {
  const computed = genesisBlocks(settings);
  for (const expected of genesis) {
    const chain = chainOf(expected);
    const where = `genesis (${chain.from},${chain.to})`;
    differences.compare(where, 'hash', expected.hash, computed[flatIndex(chain, settings.groups)]!.header.hash);
    if (!expected.worldState) continue;
    const { state } = genesisWorldState(settings, chain.from);
    differences.compare(where, 'world state', pick(expected.worldState), recorded(state));
  }
};

const pick = ({ outputs, contracts, code, stateHash: hash }: RecordedState): RecordedState => ({
  outputs,
  contracts,
  code,
  stateHash: hash,
});

/** The state of a target right after the import of a recorded block. */
const compareAfterImport = async (
  target: ReplayTarget,
  line: RecordedBlock,
  where: string,
  settings: History['settings'],
  differences: Differences,
): Promise<void> => {
  const chain = chainOf(line);
  const state = await target.blockState(line.hash, chain);
  differences.compare(where, 'height', line.height, state?.height);
  differences.compare(where, 'weight', line.weight, state?.weight);
  differences.compare(where, 'canonical when added', line.canonicalWhenAdded, state?.isCanonical);
  if (line.worldState) {
    const actual = recorded(await target.worldState(line.hash, chain.from));
    differences.compare(where, 'world state', pick(line.worldState), actual);
  }
  for (const [group, deps] of line.bestDeps.entries()) {
    differences.compare(where, `best dependencies of group ${group}`, deps, await target.bestDependencies(group));
  }
  await compareTransactions(target, line, where, settings, differences);
};

/**
 * Imports the recorded blocks in their order and compares after each. `afterBlock` gets the number of imported blocks.
 */
export const replayInOrder = async (
  target: ReplayTarget,
  history: History,
  differences: Differences,
  afterBlock: (count: number) => Promise<void> | void = () => undefined,
): Promise<void> => {
  for (const [i, line] of history.blocks.entries()) {
    const where = `line ${i + 1} (${line.chain.join(',')}) ${line.hash.slice(0, 8)}`;
    differences.compare(where, 'outcome', 'added', outcomeText(await target.importBlock(hexToBytes(line.raw))));
    await differences.during(where, () => compareAfterImport(target, line, where, history.settings, differences));
    await afterBlock(i + 1);
  }
};

const compareChain = async (target: ReplayTarget, expected: RecordedChain, differences: Differences): Promise<void> => {
  const where = `final state of chain (${expected.chain.join(',')})`;
  const actual = await target.chainState(chainOf(expected));
  const sorted = (hashes: readonly Hash[]): Hash[] => [...hashes].sort();
  const several = expected.hashesWithSeveral.map(({ height, hashes }) => ({ height, hashes }));
  const currentHeight = expected.currentHeightRequired ?? expected.currentHeight;
  differences.compare(where, 'highest height', expected.maxHeight, actual.maxHeight);
  differences.compare(where, 'current height', currentHeight, actual.currentHeight);
  differences.compare(where, 'tips', sorted(expected.tips), sorted(actual.tips));
  // After the canonical block the order is that of arrival.
  const byHeight = (list: typeof several) =>
    list.map(({ height, hashes: [first, ...rest] }) => [height, first, sorted(rest)]);
  const actualSeveral = actual.hashesWithSeveral.map(({ height, hashes }) => ({ height, hashes }));
  differences.compare(where, 'heights with several blocks', byHeight(several), byHeight(actualSeveral));
};

const compareGroup = async (target: ReplayTarget, expected: RecordedGroup, differences: Differences): Promise<void> => {
  const where = `final state of group ${expected.group}`;
  const { stateOf, group } = expected;
  differences.compare(where, 'best dependencies', expected.bestDeps, await target.bestDependencies(group));
  const wanted: RecordedState = {
    outputs: expected.outputsRoot,
    contracts: expected.contractsRoot,
    code: expected.codeRoot,
    stateHash: expected.stateHash,
  };
  differences.compare(where, 'world state', wanted, recorded(await target.worldState(stateOf, group)));
  if (!target.stateCounts) return;
  const counts = await target.stateCounts(stateOf, group);
  differences.compare(where, 'asset outputs', expected.assetOutputs, counts.assetOutputs);
  differences.compare(where, 'contract outputs', expected.contractOutputs, counts.contractOutputs);
};

const tokensOf = (outputs: readonly StoredOutput[]): { id: Hash; amount: string }[] => {
  const sums = new Map<Hash, bigint>();
  for (const { output } of outputs) {
    for (const { id, amount } of output.tokens) sums.set(id, (sums.get(id) ?? 0n) + amount);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, amount]) => ({ id, amount: amount.toString() }));
};

const compareAddress = async (
  target: ReplayTarget,
  expected: RecordedAddress,
  differences: Differences,
): Promise<void> => {
  const where = `final state of address ${expected.address}`;
  const outputs = await target.unspentOutputs(expected.address);
  const references = outputs.map(({ reference }) => referenceId(reference)).sort();
  const sum = outputs.reduce((total, { output }) => total + output.amount, 0n);
  const tokens = [...expected.tokens].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, amount }) => ({ id, amount }));
  differences.compare(where, 'number of unspent outputs', expected.utxos, outputs.length);
  differences.compare(where, 'references', [...expected.refs].sort(), references);
  differences.compare(where, 'sum', expected.attoCoinAmount, sum);
  differences.compare(where, 'token sums', tokens, tokensOf(outputs));
};

const compareCanonical = async (target: ReplayTarget, history: History, differences: Differences): Promise<void> => {
  for (const [i, line] of history.blocks.entries()) {
    const state = await target.blockState(line.hash, chainOf(line));
    const where = `line ${i + 1} (${line.chain.join(',')}) ${line.hash.slice(0, 8)} at the end`;
    differences.compare(where, 'canonical', line.canonical, state?.isCanonical);
    differences.compare(where, 'weight', line.weight, state?.weight);
    if (!line.worldState) continue;
    const found = await target.worldState(line.hash, line.chain[0]);
    differences.compare(where, 'world state', pick(line.worldState), recorded(found));
  }
};

/** The state of a target after all blocks, in any order of arrival. */
export const compareFinalState = async (
  target: ReplayTarget,
  history: History,
  differences: Differences,
): Promise<void> => {
  const { blocks, chains, groups, addresses }: FinalState = history.final;
  differences.compare('final state', 'number of blocks', blocks, history.blocks.length);
  const during = (where: string, run: () => Promise<void>): Promise<void> => differences.during(where, run);
  await during('blocks at the end', () => compareCanonical(target, history, differences));
  await during('events', () => compareEvents(target, history, differences));
  await during('contracts', () => compareContracts(target, history, differences));
  for (const chain of chains) {
    await during(`final state of chain (${chain.chain.join(',')})`, () => compareChain(target, chain, differences));
  }
  for (const group of groups) {
    await during(`final state of group ${group.group}`, () => compareGroup(target, group, differences));
  }
  for (const address of addresses) {
    await during(`final state of address ${address.address}`, () => compareAddress(target, address, differences));
  }
};
