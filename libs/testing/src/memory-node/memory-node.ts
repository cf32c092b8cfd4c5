import { type Block, decodeBlock, genesisBlocks } from '@shardnode/protocol/block';
import { type SignatureVerifier, verifySignature } from '@shardnode/protocol/crypto';
import {
  bestDependencies,
  BlockDag,
  blocksForStateView,
  missingDependencies,
  SpentInputs,
} from '@shardnode/protocol/dag';
import { DecodeError } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash, isIntraGroup } from '@shardnode/protocol/primitives';
import {
  applyChanges,
  type ContractChanges,
  ContractLayer,
  contractStateOf,
  genesisWorldState,
  type GroupView,
  groupView,
  hasOutput,
  LoadedImmutables,
  LoadedNodes,
  type LogEntry,
  readOutput,
  stateChanges,
  stateHash,
  type WorldState,
} from '@shardnode/protocol/state';
import {
  blockEnvironmentOf,
  checkBlock,
  checkForkDepth,
  checkHeader,
  examineTransaction,
  preCheck,
  refuse,
  type RefusalName,
  scriptExecutor,
  type Verdict,
  withContracts,
} from '@shardnode/protocol/validation';
import { type ImportOutcome } from '../replay/replay-target.js';
import { DependencyBuffer } from './dependency-buffer.js';

export interface MemoryNodePorts {
  /** Local clock, milliseconds. */
  readonly now: () => bigint;
  readonly verifySignature: SignatureVerifier;
}

interface StateOfBlock {
  readonly state: WorldState;
  readonly hash: Hash;
}

/** Sizes of all state of the node: equal before and after a refused block. */
export type MemoryNodeSizes = Readonly<
  Record<'headers' | 'blocks' | 'states' | 'nodes' | 'immutables' | 'events' | 'spent' | 'buffered', number>
>;

/** An event with its place: number of the contract's record, one for each block with events of it, and place in there. */
export interface PlacedEvent extends LogEntry {
  readonly record: number;
  readonly offset: number;
}

/**
 * A full node of all groups in memory, with only the rules: no mempool, no mining, no network. It is the reference for
 * the services, which use a database and messages; tests compare them with it.
 */
export class MemoryNode {
  readonly dag: BlockDag;
  private readonly spent = new SpentInputs();
  private readonly blocks = new Map<Hash, Block>();
  private readonly states = new Map<Hash, StateOfBlock>();
  /** Trie nodes of all states, without eviction. */
  readonly nodes = new LoadedNodes();
  readonly immutables = new LoadedImmutables();
  private readonly events = new Map<Hash, readonly PlacedEvent[]>();
  private readonly eventRecords = new Map<Hash, number>();
  private buffer = new DependencyBuffer();
  private readonly best: Hash[][] = [];

  constructor(
    readonly settings: NetworkSettings,
    private readonly ports: MemoryNodePorts = { now: () => BigInt(Date.now()), verifySignature },
  ) {
    const genesis = genesisBlocks(settings);
    this.dag = new BlockDag(
      settings,
      genesis.map((block) => block.header),
    );
    for (const block of genesis) {
      const { hash, chainIndex } = block.header;
      this.blocks.set(hash, block);
      this.spent.add(hash, block.transactions);
      if (!isIntraGroup(chainIndex)) continue;
      const { state, nodes } = genesisWorldState(settings, chainIndex.from);
      this.nodes.add(nodes);
      this.states.set(hash, { state, hash: stateHash(state) });
    }
    for (let group = 0; group < settings.groups; group++) this.updateBestDependencies(group);
  }

  get sizes(): MemoryNodeSizes {
    return {
      headers: this.dag.size,
      blocks: this.blocks.size,
      states: this.states.size,
      nodes: this.nodes.size,
      immutables: this.immutables.size,
      events: this.events.size,
      spent: this.spent.size,
      buffered: this.buffer.size,
    };
  }

  block(hash: Hash): Block | undefined {
    return this.blocks.get(hash);
  }

  /** The world state after an intra-group block. */
  worldState(hash: Hash): WorldState | undefined {
    return this.states.get(hash)?.state;
  }

  bestDependencies(group: number): readonly Hash[] {
    return this.best[group]!;
  }

  /** The blocks-only view of a group (protocol 02 §3.1), at its best dependencies unless others are given. */
  view(group: number, deps: readonly Hash[] = this.bestDependencies(group)): GroupView {
    const { groups } = this.settings;
    const base = this.stateOf(deps[groups - 1 + group]!).state;
    const pending = blocksForStateView(this.dag, group, deps).map((hash) => this.blocks.get(hash)!);
    return groupView(group, groups, (reference) => readOutput(this.nodes, base.outputRoot, reference), pending);
  }

  /** A new layer over the contracts of a group after an intra-group block, at its best dependencies unless one is given. */
  contracts(
    group: number,
    intraGroup = this.bestDependencies(group)[this.settings.groups - 1 + group]!,
  ): ContractLayer {
    return ContractLayer.overState(contractStateOf(this.nodes, this.immutables, this.stateOf(intraGroup).state));
  }

  /** Events of an intra-group block, in the order of emission. */
  eventsOf(hash: Hash): readonly PlacedEvent[] {
    return this.events.get(hash) ?? [];
  }

  /** Number of blocks with events of a contract, those of side branches too. */
  eventRecordsOf(contractId: Hash): number {
    return this.eventRecords.get(contractId) ?? 0;
  }

  /** Gas used by each transaction of a block, without the coinbase: the block's transactions are validated again. */
  gasUsed(hash: Hash): number[] {
    const { settings } = this;
    const { header, transactions } = this.blocks.get(hash)!;
    const { from } = header.chainIndex;
    const contracts = this.contracts(from, header.blockDeps[settings.groups - 1 + from]!);
    const common = {
      settings,
      chainIndex: header.chainIndex,
      timestamp: header.timestamp,
      view: withContracts(this.view(from, header.blockDeps), contracts),
      verifySignature: this.ports.verifySignature,
      kind: 'block' as const,
      executor: scriptExecutor(blockEnvironmentOf(settings, header), contracts),
    };
    return transactions.slice(0, -1).map((transaction) => examineTransaction({ ...common, transaction }).gasUsed);
  }

  /** Imports a block as from outside: stand-alone checks, dependency buffer, all rules, then stores it. */
  importBlock(raw: Uint8Array): ImportOutcome {
    const block = this.decode(raw);
    if ('kind' in block) return block;
    const { header } = block;
    if (this.dag.has(header.hash) || this.buffer.has(header.hash)) return { kind: 'known' };
    const refusal = preCheck(this.settings, header);
    if (refusal) return { kind: 'refused', refusal };
    const missing = missingDependencies(this.dag, header);
    if (missing.length > 0) {
      this.buffer.put(block, missing, this.ports.now());
      return { kind: 'buffered', missing };
    }
    const outcome = this.validateAndAdd(block, checkForkDepth(this.dag, header));
    this.settle(header.hash, outcome);
    return outcome;
  }

  /** Empties the dependency buffer. */
  forgetBuffered(): void {
    this.buffer = new DependencyBuffer();
  }

  /**
   * The verdict of all rules on a block, even without its dependencies: `added` if it could be added. Stores nothing.
   */
  validateBlock(raw: Uint8Array): ImportOutcome {
    const block = this.decode(raw);
    if ('kind' in block) return block;
    return asOutcome(() => this.judge(block).verdict);
  }

  private decode(raw: Uint8Array): Block | ImportOutcome {
    try {
      return decodeBlock(raw, this.settings.groups);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      // The decoder enforces two header rules; their names precede the text.
      const name = /^(InvalidDepsNum|EarlierThanLaunchTimeStamp): /.exec(error.message)?.[1] as RefusalName | undefined;
      return { kind: 'refused', refusal: refuse(name ?? 'Undecodable', error.message) };
    }
  }

  /** Applies a verdict to waiting blocks: after a fault they continue to wait (protocol 03 §6.4). */
  private settle(hash: Hash, outcome: ImportOutcome): void {
    if (outcome.kind === 'refused') this.buffer.drop(hash);
    if (outcome.kind !== 'added') return;
    const ready = this.buffer.release(hash);
    for (let block = ready.shift(); block; block = ready.shift()) {
      const { kind } = this.validateAndAdd(block);
      if (kind === 'added') ready.push(...this.buffer.release(block.header.hash));
      if (kind === 'refused') this.buffer.drop(block.header.hash);
    }
  }

  private validateAndAdd(block: Block, refusal?: Verdict): ImportOutcome {
    return asOutcome(() => {
      if (refusal) return refusal;
      const { verdict, contracts } = this.judge(block);
      if (!verdict) this.add(block, contracts?.changes());
      return verdict;
    });
  }

  private judge(block: Block): { readonly verdict: Verdict; readonly contracts?: ContractLayer } {
    const { settings, dag: reader, spent } = this;
    const { header } = block;
    const { from } = header.chainIndex;
    const intraDep = header.blockDeps[settings.groups - 1 + from]!;
    const depStateHash = this.states.get(intraDep)?.hash;
    const refusal = checkHeader({ settings, reader, header, now: this.ports.now(), depStateHash });
    if (refusal) return { verdict: refusal };
    const view = this.view(from, header.blockDeps);
    const { verifySignature: verify } = this.ports;
    const contracts = isIntraGroup(header.chainIndex) ? this.contracts(from, intraDep) : undefined;
    const context = { settings, reader, spent, role: 'own' as const, block, view, contracts, verifySignature: verify };
    return { verdict: checkBlock(context), contracts };
  }

  /** All steps that can fail precede the first change. */
  private add(block: Block, contracts: ContractChanges | undefined): void {
    const { header, transactions } = block;
    const { from, to } = header.chainIndex;
    const applied = from === to ? this.nextState(block, contracts) : undefined;
    this.dag.add(header);
    this.blocks.set(header.hash, block);
    this.spent.add(header.hash, transactions);
    if (applied) {
      this.nodes.add(applied.added);
      this.states.set(header.hash, { state: applied.state, hash: stateHash(applied.state) });
    }
    if (contracts) {
      this.immutables.add(contracts.immutable);
      this.record(header.hash, contracts.events);
    }
    for (let group = 0; group < this.settings.groups; group++) {
      if (from === to || group === from) this.updateBestDependencies(group);
    }
  }

  private record(hash: Hash, events: readonly LogEntry[]): void {
    if (events.length === 0) return;
    const records = new Map<Hash, { readonly record: number; count: number }>();
    const placed = events.map((event): PlacedEvent => {
      const own = records.get(event.contractId) ?? { record: this.eventRecords.get(event.contractId) ?? 0, count: 0 };
      records.set(event.contractId, own);
      return { ...event, record: own.record, offset: own.count++ };
    });
    for (const [contractId, { record }] of records) this.eventRecords.set(contractId, record + 1);
    this.events.set(hash, placed);
  }

  private nextState(
    { header, ...rest }: Block,
    contracts: ContractChanges | undefined,
  ): ReturnType<typeof applyChanges> {
    const { groups } = this.settings;
    const group = header.chainIndex.from;
    const before = this.stateOf(header.blockDeps[groups - 1 + group]!).state;
    const pending = blocksForStateView(this.dag, group, header.blockDeps).map((hash) => this.blocks.get(hash)!);
    const blocks = [...pending, { header, ...rest }];
    const exists = (reference: Parameters<typeof hasOutput>[2]) => hasOutput(this.nodes, before.outputRoot, reference);
    return applyChanges(this.nodes, before, stateChanges(group, groups, blocks, exists), contracts);
  }

  private stateOf(hash: Hash): StateOfBlock {
    const state = this.states.get(hash);
    if (!state) throw new Error(`no world state of block ${hash}`);
    return state;
  }

  private updateBestDependencies(group: number): void {
    this.best[group] = bestDependencies(this.dag, this.spent, group, this.settings);
  }
}

/** A refusal is an outcome; anything thrown is a fault, and the block is neither valid nor invalid. */
const asOutcome = (judge: () => Verdict): ImportOutcome => {
  try {
    const refusal = judge();
    return refusal ? { kind: 'refused', refusal } : { kind: 'added' };
  } catch (error) {
    return { kind: 'fault', detail: error instanceof Error ? error.message : String(error) };
  }
};
