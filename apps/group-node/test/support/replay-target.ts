import { randomBytes } from 'node:crypto';
import { systemClock } from '@shardnode/core/lifecycle';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { type ServiceError } from '@shardnode/core/errors';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { decode, DecodeError, encode } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type ChainIndex, groupOfLockupScript, type Hash, referenceId } from '@shardnode/protocol/primitives';
import { contractCodec, valsCodec } from '@shardnode/protocol/script';
import {
  emptyWorldState,
  type LoadedNodes,
  outputOfStateValue,
  type StoredOutput,
  trieScan,
  type WorldState,
} from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { admissionChainIndex } from '@shardnode/protocol/policy';
import { refuse, type RefusalName } from '@shardnode/protocol/validation';
import {
  agreedChainState,
  type ChainState,
  type ImportOutcome,
  type ReplayContract,
  type ReplayEvent,
  type ReplayTarget,
  submissionAnswer,
  type SubmissionAnswer,
} from '@shardnode/testing/replay';
import { type GroupNode, openGroupNode } from '../../src/group-node.js';
import { type MemoryLimits } from '../../src/memory/group-memory.js';
import { importRoles, roleOf } from '../../src/dag/roles.js';
import { type IntakeOutcome } from '../../src/intake/index.js';
import { type GroupStore } from '../../src/store/index.js';
import { unspentOf } from '../../src/view/address-outputs.js';
import { runCall } from '../../src/contracts/contract-runs.js';
import { Runs } from '../../src/contracts/runs.js';
import { SmallCalls } from '../../src/contracts/small-calls.js';
import { contractAt } from '../../src/view/contract-view.js';

const deaf = { publish: () => undefined };
const alone = { request: (): Promise<never> => Promise.reject(new Error('no siblings in a replay')) };

const roomy: MemoryLimits = { trieNodeBytes: 64 * 2 ** 20, blockBytes: 64 * 2 ** 20 };

export interface NodesOptions {
  readonly settings: NetworkSettings;
  readonly store: (group: number) => Promise<GroupStore>;
  readonly logger?: Logger;
  readonly limits?: MemoryLimits;
  /** Default: every state is kept. */
  readonly pruningHorizon?: number;
}

/** Four group-nodes over their stores, without a bus: whoever drives them carries the blocks. */
export const openSilentNodes = ({
  settings,
  store,
  logger = silentLogger,
  limits = roomy,
  pruningHorizon,
}: NodesOptions): Promise<GroupNode[]> =>
  Promise.all(
    Array.from({ length: settings.groups }, async (_, group) => {
      const node = await openGroupNode(
        {
          settings,
          group,
          limits,
          mining: { mode: 'off', interval: 0, heartbeat: 0, followUp: 0 },
          minerAddresses: [],
          lazyCommit: 50,
          blocksPerCommit: 32,
          pruningHorizon,
        },
        { store: await store(group), clock: systemClock, logger, peers: deaf, groups: alone, randomBytes },
      );
      node.sync.assumeSynced();
      return node;
    }),
  );

const imported = async ({ intake, queue }: GroupNode): Promise<void> => {
  while (intake.isImporting) {
    await queue.idle();
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const asReplayOutcome = (outcome: IntakeOutcome): ImportOutcome => {
  switch (outcome.kind) {
    case 'added':
    case 'known':
      return { kind: outcome.kind };
    case 'buffered':
      return { kind: 'buffered', missing: outcome.missing };
    case 'undecided':
      return { kind: 'fault', detail: outcome.fault.message };
    case 'refused':
      return { kind: 'refused', refusal: outcome.refusal };
  }
};

const allHeights = async ({ state }: GroupNode, chain: ChainIndex): Promise<ChainState> => {
  const { published, loaded } = state.memory;
  const maxHeight = published.maxHeight(chain);
  const heights = await loaded(() =>
    Array.from({ length: maxHeight + 1 }, (_, height) => ({ height, hashes: published.hashesAt(chain, height) })),
  );
  return {
    maxHeight,
    currentHeight: published.currentHeight(chain),
    tips: published.tips(chain),
    hashesWithSeveral: heights.filter(({ hashes }) => hashes.length > 1),
  };
};

/** Four group-nodes with their real pipeline and stores behind the port of the comparison of histories. */
class GroupNodesTarget implements ReplayTarget {
  readonly name = 'four group-nodes, embedded';
  private unsettled = false;

  constructor(
    private readonly nodes: readonly GroupNode[],
    private readonly onClose: () => Promise<void>,
  ) {}

  async importBlock(raw: Uint8Array): Promise<ImportOutcome> {
    const { settings } = this.nodes[0]!.state;
    let block: Block;
    try {
      block = decodeBlock(raw, settings.groups);
    } catch (error) {
      return undecodable(error);
    }
    const { from } = block.header.chainIndex;
    const outcome = await this.nodes[from]!.intake.accept(raw, 'block', { kind: 'submitted' });
    if (outcome.kind === 'refused' || outcome.kind === 'undecided') return asReplayOutcome(outcome);
    this.unsettled = true;
    const others = this.nodes.filter(({ state }) => state.group !== from);
    await Promise.all(others.map((node) => this.announce(node, block, from)));
    // What waited for this block is imported by now, too.
    for (const node of this.nodes) await imported(node);
    return asReplayOutcome(outcome);
  }

  async validateBlock(raw: Uint8Array): Promise<ImportOutcome> {
    try {
      const block = decodeBlock(raw, this.nodes[0]!.state.settings.groups);
      const { header } = block;
      const { importer } = this.nodes[header.chainIndex.from]!;
      // Mined: the limit of the fork depth is for imports and is not part of the verdicts.
      const { refusal } = await importer.judge({ header, block, role: 'own', origin: 'mined' });
      return refusal ? { kind: 'refused', refusal } : { kind: 'added' };
    } catch (error) {
      return error instanceof DecodeError
        ? undecodable(error)
        : { kind: 'fault', detail: (error as ServiceError).message };
    }
  }

  async blockState(hash: Hash, chain: ChainIndex) {
    const { dag, loaded } = this.nodes[chain.from]!.state.memory;
    return loaded(() =>
      dag.has(hash)
        ? { height: dag.height(hash), weight: dag.weight(hash), isCanonical: dag.isCanonical(hash) }
        : undefined,
    );
  }

  async worldState(hash: Hash, group: number): Promise<WorldState | undefined> {
    const { state, store } = this.nodes[group]!;
    const { dag, loaded } = state.memory;
    if (!(await loaded(() => dag.has(hash)))) return undefined;
    if (!this.unsettled) {
      const stored = await store.worldState(hash);
      if (!stored) return undefined;
      const { outputRoot, contractRoot } = stored;
      return { outputRoot, contractRoot, codeRoot: emptyWorldState().state.codeRoot };
    }
    return state.memory.loaded(() => state.memory.states.need(hash).state);
  }

  async bestDependencies(group: number): Promise<readonly Hash[]> {
    return this.nodes[group]!.importer.best();
  }

  async chainState(chain: ChainIndex): Promise<ChainState> {
    await this.settle();
    const states = await Promise.all(this.nodes.map((node) => allHeights(node, chain)));
    return agreedChainState(states, chain);
  }

  async unspentOutputs(address: string): Promise<readonly StoredOutput[]> {
    await this.settle();
    const lockupScript = parseAssetAddress(address);
    if (!lockupScript) throw new Error(`not an asset address: ${address}`);
    const node = this.nodes[groupOfLockupScript(lockupScript, this.nodes.length)]!;
    const outputs = await unspentOf(node, lockupScript, { pool: false });
    return outputs.map(({ reference, output }) => ({ reference, output }));
  }

  async stateCounts(hash: Hash, group: number) {
    await this.settle();
    const { store, state } = this.nodes[group]!;
    const { outputRoot } = (await store.worldState(hash))!;
    const nodes: LoadedNodes = state.memory.nodes;
    const all = await trieScan(store, outputRoot, new Uint8Array(0), Infinity, undefined, nodes);
    const assetOutputs = all.filter(({ value }) => outputOfStateValue(value).kind === 'asset').length;
    return { assetOutputs, contractOutputs: all.length - assetOutputs };
  }

  async events(hash: Hash, group: number): Promise<readonly ReplayEvent[]> {
    await this.settle();
    return this.nodes[group]!.store.blockEvents(hash);
  }

  async callContract(contractId: Hash, group: number, methodIndex: number): Promise<Uint8Array | undefined> {
    await this.settle();
    const { state } = this.nodes[group]!;
    const maker = { execute: () => Promise.reject(new Error('the call takes too long for this thread')) };
    const runs = new Runs(maker, systemClock, new SmallCalls(state, systemClock));
    const call = { contractId, methodIndex, args: encode(valsCodec, []), inputAssets: [], existingContracts: [] };
    const reply = await runCall({ state, clock: systemClock }, runs, call);
    return reply.type === 'CallContractSucceeded' ? reply.returns : undefined;
  }

  async contract(contractId: Hash, group: number): Promise<ReplayContract | undefined> {
    await this.settle();
    const { state, store } = this.nodes[group]!;
    const found = await contractAt(state.memory, state.shown.state, contractId);
    if (!found) return undefined;
    const { record, immutableState, contract, output } = found;
    return {
      code: encode(contractCodec, contract),
      codeHash: immutableState.codeHash,
      initialStateHash: immutableState.initialStateHash,
      immutableFields: encode(valsCodec, immutableState.immutableFields),
      mutableFields: encode(valsCodec, record.mutableFields),
      outputReference: referenceId(record.outputReference),
      amount: output.amount,
      tokens: output.tokens,
      eventRecords: await store.eventPageCount(contractId),
    };
  }

  async checkAdmission(bytes: Uint8Array) {
    const template = decode(transactionTemplateCodec, bytes);
    const chain = admissionChainIndex(template, this.nodes.length);
    return 'code' in chain ? chain : (await this.nodes[chain.from]!.submission.verdict(template)).refusal;
  }

  async submitTransaction(bytes: Uint8Array): Promise<SubmissionAnswer> {
    const chain = admissionChainIndex(decode(transactionTemplateCodec, bytes), this.nodes.length);
    // Any group names what keeps a transaction from belonging to a chain.
    return submissionAnswer(this.nodes['code' in chain ? 0 : chain.from]!.submission.submit(bytes));
  }

  /** The projection of every group against a scan of its trie. */
  async checkProjections(): Promise<void> {
    await this.settle();
    for (const { store } of this.nodes) {
      const check = await store.checkProjection();
      if (!check.equal) throw new Error(`projection of group ${store.group}: ${check.difference}`);
    }
  }

  async close(): Promise<void> {
    await this.settle();
    for (const node of this.nodes) await node.stop();
    await this.onClose();
  }

  private async announce(node: GroupNode, block: Block, from: number): Promise<void> {
    const { group, settings } = node.state;
    const { form } = importRoles[roleOf(block.header.chainIndex, group, settings.groups)];
    const raw = form === 'block' ? block.raw : block.header.raw;
    const outcome = await node.intake.accept(raw, form, { kind: 'announced', from });
    if (outcome.kind === 'refused')
      throw new Error(`group ${group} refused a sibling's block: ${outcome.refusal.code}`);
    if (outcome.kind === 'undecided') throw outcome.fault;
  }

  private async settle(): Promise<void> {
    if (!this.unsettled) return;
    for (const node of this.nodes) await node.settle();
    this.unsettled = false;
  }
}

/** The four nodes as a target; its functions stand alone, so that a caller may spread it. */
export const groupNodesTarget = (nodes: readonly GroupNode[], onClose: () => Promise<void>) => {
  const target = new GroupNodesTarget(nodes, onClose);
  return {
    name: target.name,
    importBlock: target.importBlock.bind(target),
    validateBlock: target.validateBlock.bind(target),
    blockState: target.blockState.bind(target),
    worldState: target.worldState.bind(target),
    bestDependencies: target.bestDependencies.bind(target),
    chainState: target.chainState.bind(target),
    unspentOutputs: target.unspentOutputs.bind(target),
    stateCounts: target.stateCounts.bind(target),
    events: target.events.bind(target),
    contract: target.contract.bind(target),
    callContract: target.callContract.bind(target),
    checkAdmission: target.checkAdmission.bind(target),
    submitTransaction: target.submitTransaction.bind(target),
    checkProjections: target.checkProjections.bind(target),
    close: target.close.bind(target),
  } satisfies ReplayTarget & { readonly checkProjections: () => Promise<void> };
};

/** Two header rules are kept by the decoder; their names stand before the text. */
const undecodable = (error: unknown): ImportOutcome => {
  if (!(error instanceof DecodeError)) throw error;
  const name = /^(InvalidDepsNum|EarlierThanLaunchTimeStamp): /.exec(error.message)?.[1] as RefusalName | undefined;
  return { kind: 'refused', refusal: refuse(name ?? 'Undecodable', error.message) };
};
