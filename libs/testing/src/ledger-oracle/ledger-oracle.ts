import { decode } from '@shardnode/protocol/encoding';
import { type AssetOutput, outputCodec } from '@shardnode/protocol/transaction';
import { addressOf } from '@shardnode/protocol/address';
import { Acknowledgements } from './acknowledgements.js';
import { checkBlockAlone, checkGenesis, checkLinks } from './chain-checks.js';
import { type ContractRules, type LedgerEvent } from './contract-rules.js';
import { type ContractEntry, ContractStates } from './contract-states.js';
import { compareNodeContracts, type NodeContracts } from './node-contracts.js';
import { hashOfRoots } from './empty-state.js';
import { GroupStates } from './group-states.js';
import { Histories } from './history.js';
import { KnownBlocks } from './known-blocks.js';
import { type LedgerBlock, type LedgerOutput } from './ledger-block.js';
import { type StoredState } from './load-stored-states.js';
import { MainLedger, type Supply } from './main-ledger.js';
import { type OracleNetwork } from './network.js';
import { type Problem, type ProblemName, Problems } from './problems.js';
import { checkTransactions } from './transaction-checks.js';

export interface ChainOfBlocks {
  readonly from: number;
  readonly to: number;
  /** Raw blocks, ascending from genesis. */
  readonly blocks: readonly Uint8Array[];
}

/** Canonical chains as loaded from nodes, and their disagreements. */
export interface LoadedBlocks {
  readonly chains: readonly ChainOfBlocks[];
  /** Blocks off the chains that canonical ones depend on. */
  readonly side?: readonly Uint8Array[];
  /** States after intra-group blocks as stored by nodes. */
  readonly storedStates?: readonly StoredState[];
  /** Contracts and events as reported by nodes. */
  readonly contracts?: NodeContracts;
  /** Sentences; each is a problem. */
  readonly differences?: readonly string[];
}

/** An unspent output in a state: its lock time is at least the time of its block. */
interface UnspentOutput extends AssetOutput {
  /** Hint and key, 72 hexadecimal digits. */
  readonly reference: string;
  readonly address: string;
}

/** The oracle's findings, computed from the blocks alone. Amounts in attoCoin. */
export interface LedgerReport {
  /** Canonical ones, genesis counted. */
  readonly blocks: number;
  /** In canonical blocks, coinbases and genesis counted. */
  readonly transactions: number;
  readonly supply: Supply;
  readonly utxoCount: number;
  /** Addresses with unspent outputs. */
  readonly addresses: readonly string[];
  /** Canonical blocks that depend on a block off the canonical chains: 0 once forks are settled. */
  readonly sideDependencies: number;
  readonly problems: readonly Problem[];
  /** Count of each problem; `problems` has the first 50 of a name. */
  readonly problemCounts: ReadonlyMap<ProblemName, number>;
  /** Over all canonical blocks, also those that the group of the address has not included yet. */
  balanceOf(address: string): bigint;
  /** Number of unspent outputs that `balanceOf` sums. */
  outputCountOf(address: string): number;
  /** The state of a group after its last canonical intra-group block. */
  unspentOutputs(group: number): readonly UnspentOutput[];
  /** Hash of the state after an intra-group block; undefined if the oracle could not compute it. */
  stateHashAfter(blockHash: string): string | undefined;
  /**
   * By reference, the outputs that a block of the group with these seven dependencies may spend. Throws RangeError if
   * they build on a state that is not among the newest ones.
   */
  spendableAt(group: number, dependencies: readonly string[]): ReadonlyMap<string, LedgerOutput>;
  /** The contracts of a group after its last canonical intra-group block. */
  contractsOf(group: number): readonly ContractEntry[];
  /** Of an intra-group block, in the order of emission. */
  eventsOf(blockHash: string): readonly LedgerEvent[];
  /** Number of canonical blocks that hold the transaction. */
  confirmationsOf(transactionId: string): number;
  /** Throws an error that lists the first problems. */
  expectSound(): void;
}

export interface LedgerOracle {
  /** A node answered 200 for this transaction. The groups, if known, are those of the answer. */
  acknowledge(transactionId: string, chain?: { readonly from?: number; readonly to?: number }): void;
  /** A node reported why an acknowledged transaction left the mempool unmined (00-decisions, 12). */
  refused(transactionId: string, reason: string): void;
  /** The next canonical blocks of a chain, ascending; the first of all is genesis. */
  addCanonical(chain: { readonly from: number; readonly to: number }, blocks: readonly Uint8Array[]): void;
  /** Blocks off the canonical chains: they are checked, but not counted. */
  addSide(blocks: readonly Uint8Array[]): void;
  load(loaded: LoadedBlocks): void;
  /** Checks everything again. */
  verify(): LedgerReport;
  expectSound(): LedgerReport;
}

/** The parts of one verification. */
interface Verification {
  readonly known: KnownBlocks;
  readonly ledger: MainLedger;
  readonly histories: Histories;
  readonly states: GroupStates;
  readonly contracts: ContractStates;
  readonly problems: Problems;
}

/** An independent check of the chains, from the protocol and the bytes of blocks alone. */
class Oracle implements LedgerOracle {
  private readonly promises = new Acknowledgements();
  private readonly canonical: ChainOfBlocks[] = [];
  private readonly side: Uint8Array[] = [];
  private readonly storedStates: StoredState[] = [];
  private readonly shown: NodeContracts[] = [];
  private readonly differences: string[] = [];

  constructor(
    private readonly network: OracleNetwork,
    private readonly rules: ContractRules | undefined,
  ) {}

  acknowledge(transactionId: string, chain?: { readonly from?: number; readonly to?: number }): void {
    this.promises.acknowledge(transactionId, chain);
  }

  refused(transactionId: string, reason: string): void {
    this.promises.refused(transactionId, reason);
  }

  addCanonical({ from, to }: { readonly from: number; readonly to: number }, blocks: readonly Uint8Array[]): void {
    this.canonical.push({ from, to, blocks });
  }

  addSide(blocks: readonly Uint8Array[]): void {
    this.side.push(...blocks);
  }

  load({ chains, side = [], storedStates = [], contracts, differences = [] }: LoadedBlocks): void {
    if (contracts) this.shown.push(contracts);
    this.canonical.push(...chains);
    this.side.push(...side);
    this.storedStates.push(...storedStates);
    this.differences.push(...differences);
  }

  verify(): LedgerReport {
    const problems = new Problems();
    for (const text of this.differences) problems.add('HoldersDiffer', text, text);
    const known = new KnownBlocks(this.network.groups, problems);
    for (const chain of this.canonical) known.addCanonical(chain, chain.blocks);
    known.addSide(this.side);
    const genesis = known.genesis();
    if (!genesis) problems.add('GenesisMissing', '', 'the genesis blocks of some chains were not given');
    const histories = new Histories(known, genesis ?? [], problems);
    const contracts = new ContractStates(this.rules, problems);
    const states = new GroupStates(known, histories, contracts, problems);
    const ledger = new MainLedger(known, this.network, problems);
    const parts = { known, ledger, histories, states, contracts, problems };
    const order = known.inOrder();
    checkLinks(known, problems);
    for (const block of order) {
      if (block.isGenesis) checkGenesis(block, this.network, problems);
      checkBlockAlone(block, known, problems);
      checkTransactions(block, known, this.network, problems, this.rules !== undefined);
      if (genesis && histories.add(block)) states.add(block);
      if (known.isCanonical(block.hash)) ledger.add(block);
    }
    compareStates(parts);
    if (this.rules) checkContracts(parts, this.shown);
    for (const stored of this.storedStates) compareStored(stored, parts);
    this.promises.check(ledger.blocksOf, problems);
    return reportOf(
      parts,
      order.filter(({ hash }) => known.isCanonical(hash)),
    );
  }

  expectSound(): LedgerReport {
    const report = this.verify();
    report.expectSound();
    return report;
  }
}

/**
 * A ledger oracle for a network; `groups` must equal that of the network. Without `contractRules` chains with scripts
 * are a problem. Throws RangeError when the two numbers differ.
 */
export const createLedgerOracle = (options: {
  readonly genesis: OracleNetwork;
  readonly groups?: number;
  readonly contractRules?: ContractRules;
}): LedgerOracle => {
  const { genesis, groups = genesis.groups, contractRules } = options;
  if (groups !== genesis.groups) throw new RangeError(`the network has ${genesis.groups} groups, not ${groups}`);
  return new Oracle(genesis, contractRules);
};

/** Checks that the state after the last block of (g,g), with blocks not included yet, equals the sum of the chains. */
const compareStates = ({ known, ledger, histories, states, problems }: Verification): void => {
  for (let group = 0; group < known.groups; group++) {
    const last = known.list(group, group).at(-1);
    const before = last && histories.of(last);
    // A correct state that includes side blocks differs from that of the canonical chains.
    if (!last || !before || before.some((block) => !known.isCanonical(block.hash))) continue;
    const now = before.map((block) => known.list(block.from, block.to).at(-1)!);
    const seen = states.visible(group, last, now);
    const expected = new Set([...ledger.unspent.values()].filter((output) => output.group === group).map(referenceOf));
    const extra = [...seen].filter((reference) => !expected.has(reference));
    const lost = [...expected].filter((reference) => !seen.has(reference));
    if (extra.length + lost.length === 0) continue;
    const text = `group ${group} has ${extra.length} outputs too many (${extra[0]}), ${lost.length} too few (${lost[0]})`;
    problems.add('LedgerAndStateDiffer', String(group), text);
  }
};

/** Checks the contracts after the last block of each (g,g) for consistency, and against those reported by nodes. */
const checkContracts = (
  { known, states, contracts, ledger, problems }: Verification,
  shown: readonly NodeContracts[],
) => {
  for (let group = 0; group < known.groups; group++) {
    const last = known.list(group, group).at(-1);
    if (last) contracts.checkAll(last, states.entries(last));
  }
  for (const nodes of shown) compareNodeContracts(nodes, { known, contracts, ledger, problems });
};

/** Compares the stored state of a block with the oracle's. */
const compareStored = (stored: StoredState, { known, states, problems }: Verification): void => {
  const block = known.get(stored.blockHash);
  const expected = block && states.stateHash(block);
  const kept = hashOfRoots(stored.outputRoot, stored.contractRoot);
  if (kept === expected) return;
  const text = `a node keeps the state ${kept} for block ${stored.blockHash}, it is ${expected}`;
  problems.add('StoredStateDiffers', stored.blockHash, text);
};

const referenceOf = ({ reference }: { readonly reference: string }): string => reference;

const unspentAfter = (states: GroupStates, block: LedgerBlock | undefined): UnspentOutput[] =>
  (block ? states.entries(block) : []).flatMap(({ key, data }) => {
    const output = decode(outputCodec, data);
    return output.kind === 'asset' ? [{ ...output, reference: key, address: addressOf(output.lockupScript) }] : [];
  });

const reportOf = (parts: Verification, canonical: readonly LedgerBlock[]): LedgerReport => {
  const { known, ledger, histories, states, contracts, problems } = parts;
  const balances = new Map<string, { amount: bigint; count: number }>();
  for (const { address, output } of ledger.unspent.values()) {
    const { amount, count } = balances.get(address) ?? { amount: 0n, count: 0 };
    balances.set(address, { amount: amount + output.amount, count: count + 1 });
  }
  const onSide = ({ isGenesis, deps }: LedgerBlock): boolean =>
    !isGenesis && deps.some((hash) => known.get(hash) && !known.isCanonical(hash));
  return {
    blocks: canonical.length,
    transactions: canonical.reduce((sum, { transactions }) => sum + transactions.length, 0),
    supply: ledger.supply,
    utxoCount: ledger.unspent.size,
    addresses: [...balances.keys()],
    sideDependencies: canonical.filter(onSide).length,
    problems: problems.list,
    problemCounts: problems.countOf,
    balanceOf: (address) => balances.get(address)?.amount ?? 0n,
    outputCountOf: (address) => balances.get(address)?.count ?? 0,
    unspentOutputs: (group) => unspentAfter(states, known.list(group, group).at(-1)),
    stateHashAfter: (hash) => {
      const block = known.get(hash);
      return block && states.stateHash(block);
    },
    spendableAt: (group, dependencies) => {
      const base = known.get(dependencies[known.groups - 1 + group]!);
      const included = histories.merged(dependencies, `group ${group}`);
      if (!base || !included || !states.has(base)) {
        throw new RangeError(`the oracle does not know all of ${dependencies.join(' ')} any more`);
      }
      const references = [...states.visible(group, base, included)];
      return new Map(references.map((reference) => [reference, known.origin(reference)!.output]));
    },
    contractsOf: (group) => {
      const last = known.list(group, group).at(-1);
      return last ? contracts.contractsAfter(last) : [];
    },
    eventsOf: (hash) => contracts.eventsOf(hash),
    confirmationsOf: (id) => ledger.blocksOf.get(id)?.length ?? 0,
    expectSound: () => {
      if (problems.list.length > 0) throw new Error(soundnessText(problems));
    },
  };
};

const shownProblems = 10;

const soundnessText = (problems: Problems): string => {
  const counts = [...problems.countOf].map(([name, count]) => `${count} ${name}`).join(', ');
  const lines = problems.list.slice(0, shownProblems).map(({ name, detail }) => `- ${name}: ${detail}`);
  return [`the ledger is not sound (${counts}):`, ...lines].join('\n');
};
