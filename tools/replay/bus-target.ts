import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type InspectedBlock, type InspectedChain, type VerdictReply } from '@shardnode/messages';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { type Block, decodeBlock, genesisBlocks } from '@shardnode/protocol/block';
import { bytesToHex, decode, DecodeError, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { valsCodec } from '@shardnode/protocol/script';
import { type NetworkSettings } from '@shardnode/protocol/network';
import {
  assetLockupScriptCodec,
  type ChainIndex,
  flatIndex,
  groupOfLockupScript,
  type Hash,
  referenceId,
} from '@shardnode/protocol/primitives';
import { outputOfStateValue, type StoredOutput, type WorldState } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { admissionChainIndex } from '@shardnode/protocol/policy';
import { refuse, type Refusal, type RefusalName } from '@shardnode/protocol/validation';
import {
  agreedChainState,
  type BlockState,
  type ChainState,
  type ImportOutcome,
  type ReplayContract,
  type ReplayEvent,
  type ReplayTarget,
  type StateCounts,
  submissionAnswer,
  type SubmissionAnswer,
} from '@shardnode/testing/replay';

/** Milliseconds that a group-node may take to import what the others have imported, and that one request waits for it. */
const patience = { inAll: 60_000, atOnce: 8_000 };
/** Blocks per round of requests when all groups must have them. */
const settledAtOnce = 64;
/** Limit on submitted blocks in flight. */
const submittedAtOnce = 32;

export interface BusTargetOptions {
  readonly client: Pick<GroupClient, 'request'>;
  readonly settings: NetworkSettings;
  readonly name: string;
  readonly onClose: () => Promise<void>;
}

/** State of every group-node right after the import of the block. */
interface Snapshot {
  readonly hash: Hash;
  readonly byGroup: readonly InspectedBlock[];
}

/**
 * Group-nodes accessed only over the bus. A block is submitted to the group that owns its chain; the others get it from
 * their sibling as usual. It counts as imported when all groups have it and have reported the state for the comparison.
 */
class BusTarget implements ReplayTarget {
  readonly name: string;
  private readonly client: BusTargetOptions['client'];
  private readonly settings: NetworkSettings;
  private readonly groups: readonly number[];
  private readonly genesis: readonly Hash[];
  private last: Snapshot | undefined;
  /** Submitted blocks that not all groups have yet. */
  private readonly underWay = new Map<Hash, Block>();
  private readonly everywhere = new Set<Hash>();

  constructor(private readonly options: BusTargetOptions) {
    this.name = options.name;
    this.client = options.client;
    this.settings = options.settings;
    this.groups = Array.from({ length: options.settings.groups }, (_, group) => group);
    this.genesis = genesisBlocks(options.settings).map(({ header }) => header.hash);
    for (const hash of this.genesis) this.everywhere.add(hash);
  }

  async importBlock(raw: Uint8Array): Promise<ImportOutcome> {
    const block = this.decoded(raw);
    if ('kind' in block) return block;
    this.last = undefined;
    const { hash, blockDeps } = block.header;
    // Their replies show the state right after the import, before later blocks are imported.
    const unwanted = new AbortController();
    const inspected = blockDeps.every((dependency) => this.everywhere.has(dependency))
      ? this.inspectAll(hash, unwanted.signal)
      : undefined;
    inspected?.catch(() => undefined);
    const outcome = await this.submit(block);
    if (outcome.kind === 'refused' || outcome.kind === 'fault') {
      unwanted.abort();
      return outcome;
    }
    if (!this.everywhere.has(hash)) this.underWay.set(hash, block);
    if (!inspected) return outcome;
    try {
      this.last = { hash, byGroup: await inspected };
    } catch (error) {
      return faultOf(error);
    }
    this.arrived(hash);
    return outcome;
  }

  async importBlocks(raws: readonly Uint8Array[]): Promise<readonly ImportOutcome[]> {
    this.last = undefined;
    const outcomes: ImportOutcome[] = [];
    let next = 0;
    const submitNext = async (): Promise<void> => {
      while (next < raws.length) {
        const index = next++;
        outcomes[index] = await this.handOver(raws[index]!);
      }
    };
    await Promise.all(Array.from({ length: submittedAtOnce }, submitNext));
    return outcomes;
  }

  async validateBlock(raw: Uint8Array): Promise<ImportOutcome> {
    const block = this.decoded(raw);
    if ('kind' in block) return block;
    try {
      const { from } = block.header.chainIndex;
      return verdictOutcome(await this.client.request(from, 'read.inspection.verdict', { block: raw }));
    } catch (error) {
      return faultOf(error);
    }
  }

  async blockState(hash: Hash, chain: ChainIndex): Promise<BlockState | undefined> {
    const inspected = await this.inspected(hash, chain.from);
    if (!inspected) return undefined;
    const { height, weight, isCanonical } = inspected;
    return { height, weight: BigInt(weight), isCanonical };
  }

  async worldState(hash: Hash, group: number): Promise<WorldState | undefined> {
    return (await this.inspected(hash, group))?.state;
  }

  async bestDependencies(group: number): Promise<readonly Hash[]> {
    const { hash } = this.last ?? { hash: this.genesis[flatIndex({ from: group, to: group }, this.settings.groups)]! };
    return (await this.inspected(hash, group))!.bestDependencies;
  }

  async chainState(chain: ChainIndex): Promise<ChainState> {
    await this.settle();
    const states = await Promise.all(this.groups.map((group) => this.chainStateOf(group, chain)));
    return agreedChainState(states, chain);
  }

  async unspentOutputs(address: string): Promise<readonly StoredOutput[]> {
    await this.settle();
    const lockupScript = parseAssetAddress(address);
    if (!lockupScript) throw new Error(`not an asset address: ${address}`);
    const group = groupOfLockupScript(lockupScript, this.groups.length);
    const encoded = bytesToHex(encode(assetLockupScriptCodec, lockupScript));
    const outputs: StoredOutput[] = [];
    for (;;) {
      const request = { lockupScript: encoded, offset: outputs.length };
      const { utxos, total } = await this.client.request(group, 'read.inspection.unspent', request);
      for (const { hint, key, amount, tokens, lockTime, additionalData } of utxos) {
        const output = {
          kind: 'asset' as const,
          amount: BigInt(amount),
          lockupScript,
          lockTime: BigInt(lockTime),
          tokens: tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) })),
          additionalData: hexToBytes(additionalData),
        };
        outputs.push({ reference: { hint, key }, output });
      }
      if (utxos.length === 0 || outputs.length >= total) return outputs;
    }
  }

  async stateCounts(hash: Hash, group: number): Promise<StateCounts> {
    await this.settle();
    const counts = { assetOutputs: 0, contractOutputs: 0 };
    const count = async (prefix: string): Promise<void> => {
      const reply = await this.client.request(group, 'read.inspection.state-entries', { hash, prefix });
      if (!reply.complete) {
        for (let byte = 0; byte < 256; byte++) await count(prefix + byte.toString(16).padStart(2, '0'));
        return;
      }
      for (const { value } of reply.entries) {
        const { kind } = outputOfStateValue(hexToBytes(value));
        counts[kind === 'asset' ? 'assetOutputs' : 'contractOutputs'] += 1;
      }
    };
    await count('');
    return counts;
  }

  async events(hash: Hash, group: number): Promise<readonly ReplayEvent[]> {
    await this.settle();
    const { events = [], isCanonical } = await this.client.request(group, 'read.chain.block', {
      hash,
      withEvents: true,
    });
    const shown = (await this.client.request(group, 'read.events.block', { hash })).events;
    // Alone, events of a block that is not canonical are hidden (00-decisions, 9).
    if (shown.length !== (isCanonical ? events.length : 0))
      throw new Error(`of ${events.length} events of block ${hash}, ${shown.length} are shown`);
    return events;
  }

  async contract(contractId: Hash, group: number): Promise<ReplayContract | undefined> {
    await this.settle();
    const ask = { contractId };
    const state = await this.client.request(group, 'read.contract.stored', ask);
    const { reference, amount, tokens } = await this.client.request(group, 'read.contract.asset', ask);
    const { count } = await this.client.request(group, 'read.events.count', ask);
    return {
      ...state,
      outputReference: referenceId(reference),
      amount: BigInt(amount),
      tokens: tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) })),
      eventRecords: count,
    };
  }

  async callContract(contractId: Hash, group: number, methodIndex: number): Promise<Uint8Array | undefined> {
    const call = { contractId, methodIndex, args: encode(valsCodec, []), inputAssets: [], existingContracts: [] };
    const { results } = await this.client.request(group, 'read.contract.call', { calls: [call] });
    const [result] = results;
    return result?.type === 'CallContractSucceeded' ? result.returns : undefined;
  }

  async checkAdmission(bytes: Uint8Array): Promise<Refusal | undefined> {
    const template = decode(transactionTemplateCodec, bytes);
    const chain = admissionChainIndex(template, this.groups.length);
    if ('code' in chain) return chain;
    const reply = await this.client.request(chain.from, 'read.inspection.admission', { template: bytes });
    if (reply.verdict === 'fault') throw new Error(reply.detail);
    return reply.verdict === 'valid' ? undefined : refusalOf(reply);
  }

  async submitTransaction(template: Uint8Array): Promise<SubmissionAnswer> {
    const chain = admissionChainIndex(decode(transactionTemplateCodec, template), this.groups.length);
    // Any group can report why a transaction belongs to no chain.
    const group = 'code' in chain ? 0 : chain.from;
    return submissionAnswer(this.client.request(group, 'command.mempool.submit', { template }));
  }

  close(): Promise<void> {
    return this.options.onClose();
  }

  private async handOver(raw: Uint8Array): Promise<ImportOutcome> {
    const block = this.decoded(raw);
    if ('kind' in block) return block;
    const outcome = await this.submit(block);
    const { hash } = block.header;
    const isKept = outcome.kind !== 'refused' && outcome.kind !== 'fault';
    if (isKept && !this.everywhere.has(hash)) this.underWay.set(hash, block);
    return outcome;
  }

  private decoded(raw: Uint8Array): Block | ImportOutcome {
    try {
      return decodeBlock(raw, this.settings.groups);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { kind: 'refused', refusal: undecodable(error.message) };
    }
  }

  private async submit({ raw, header }: Block): Promise<ImportOutcome> {
    try {
      const { outcome } = await this.client.request(header.chainIndex.from, 'command.block.submit', { block: raw });
      if (outcome !== 'buffered') return { kind: outcome };
      return { kind: 'buffered', missing: header.blockDeps.filter((hash) => !this.everywhere.has(hash)) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'refused') return faultOf(error);
      const { code, detail, data } = error;
      const reason = data['reason'] as string | undefined;
      return { kind: 'refused', refusal: refusalOf({ verdict: 'refused', code, detail, reason }) };
    }
  }

  private inspectAll(hash: Hash, unwanted?: AbortSignal): Promise<InspectedBlock[]> {
    const limit = performance.now() + patience.inAll;
    const inspect = async (group: number): Promise<InspectedBlock> => {
      for (;;) {
        try {
          return await this.client.request(group, 'read.inspection.block', { hash, waitMs: patience.atOnce });
        } catch (error) {
          const isLate = error instanceof ServiceError && error.kind === 'not-found';
          if (!isLate || unwanted?.aborted || performance.now() > limit) throw error;
        }
      }
    };
    return Promise.all(this.groups.map(inspect));
  }

  private async inspected(hash: Hash, group: number): Promise<InspectedBlock | undefined> {
    if (this.last?.hash === hash) return this.last.byGroup[group];
    await this.settle();
    try {
      return await this.client.request(group, 'read.inspection.block', { hash });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }

  private async chainStateOf(group: number, chain: ChainIndex): Promise<ChainState> {
    const hashesWithSeveral: { height: number; hashes: readonly Hash[] }[] = [];
    for (let fromHeight = 0; ;) {
      const request = { from: chain.from, to: chain.to, fromHeight };
      const reply: InspectedChain = await this.client.request(group, 'read.inspection.chain', request);
      hashesWithSeveral.push(...reply.forks);
      const { maxHeight, currentHeight, tips, next } = reply;
      if (next === undefined) return { maxHeight, currentHeight, tips, hashesWithSeveral };
      fromHeight = next;
    }
  }

  /**
   * Waits until all groups have every block with all ancestors. Requests only the last blocks, because a block is
   * imported after its dependencies.
   */
  private async settle(): Promise<void> {
    const ready = this.withAllAncestors();
    const inner = new Set(ready.flatMap(({ header }) => header.blockDeps));
    const last = ready.map(({ header }) => header.hash).filter((hash) => !inner.has(hash));
    for (let start = 0; start < last.length; start += settledAtOnce) {
      await Promise.all(last.slice(start, start + settledAtOnce).map((hash) => this.inspectAll(hash)));
    }
    for (const { header } of ready) this.arrived(header.hash);
  }

  private withAllAncestors(): readonly Block[] {
    const found = new Map<Hash, Block>();
    const has = (hash: Hash): boolean => this.everywhere.has(hash) || found.has(hash);
    for (let before = -1; found.size > before;) {
      before = found.size;
      for (const [hash, block] of this.underWay) if (block.header.blockDeps.every(has)) found.set(hash, block);
    }
    return [...found.values()];
  }

  private arrived(hash: Hash): void {
    this.underWay.delete(hash);
    this.everywhere.add(hash);
  }
}

const faultOf = (error: unknown): ImportOutcome => ({ kind: 'fault', detail: (error as Error).message });

/** The decoder enforces two header rules; their names precede the text. */
const undecodable = (text: string): Refusal =>
  refuse((/^(InvalidDepsNum|EarlierThanLaunchTimeStamp): /.exec(text)?.[1] ?? 'Undecodable') as RefusalName, text);

/** The group-node has the same names. */
const refusalOf = ({ code = 'Undecodable', detail, transactionId, reason }: VerdictReply): Refusal => ({
  code: code as RefusalName,
  ...(detail === undefined ? {} : { detail }),
  ...(transactionId === undefined ? {} : { transactionId }),
  ...(reason === undefined ? {} : { reason: { code: reason as RefusalName } }),
});

const verdictOutcome = (reply: VerdictReply): ImportOutcome => {
  switch (reply.verdict) {
    case 'valid':
      return { kind: 'added' };
    case 'refused':
      return { kind: 'refused', refusal: refusalOf(reply) };
    case 'fault':
      return { kind: 'fault', detail: reply.detail ?? 'no detail' };
  }
};

/** The group-nodes of a network as a target; its functions stand alone, so that a caller may spread it. */
export const busTarget = (options: BusTargetOptions) => {
  const target = new BusTarget(options);
  return {
    name: target.name,
    importBlock: target.importBlock.bind(target),
    importBlocks: target.importBlocks.bind(target),
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
    close: target.close.bind(target),
  } satisfies ReplayTarget;
};
