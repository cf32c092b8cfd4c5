import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import {
  type AddressRequest,
  type ChainSelector,
  HandlesGroupRequest,
  type InspectedBlock,
  type InspectedChain,
  type InspectedState,
  type StateEntry,
  type UtxoItem,
  type VerdictReply,
  serviceError,
} from '@shardnode/messages';
import { chainIndexOfHash, decodeBlock } from '@shardnode/protocol/block';
import { bytesToHex, decode, DecodeError, hexToBytes } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, type Hash } from '@shardnode/protocol/primitives';
import { trieScan, type WorldState } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { failureOf, refusalText, type Verdict, verdictText } from '@shardnode/protocol/validation';
import { decodeField } from '../requests/request-fields.js';
import { Importer } from '../import/index.js';
import { Arrivals } from '../intake/arrivals.js';
import { Submission } from '../mempool/submission.js';
import { unspentOf } from '../view/address-outputs.js';
import { type NodeReads } from '../view/reads.js';
import { WorkQueue } from '../writer/work-queue.js';
import { utxoItem } from './address.js';
import { READS, SETTLE, type Settle } from './tokens.js';

/** Milliseconds: below the deadline of the caller. */
const mostPatience = 8_000;
/** Heights of a page. */
const heightsAtOnce = 10_000;
/** Entries of a page, which must fit into a message. */
const entriesAtOnce = 2_000;

const pageSize = (limit = entriesAtOnce): number => Math.max(1, Math.min(limit, entriesAtOnce));

const replyOf = (verdict: Verdict): VerdictReply => {
  if (!verdict) return { verdict: 'valid' };
  const { code, detail, transactionId, reason } = verdict;
  return {
    verdict: 'refused',
    code,
    // The bus has no other field for failures of scripts.
    detail: failureOf(verdict) ? refusalText(verdict) : (detail ?? refusalText(verdict)),
    transactionId,
    reason: reason && verdictText(reason),
  };
};

/**
 * Read-only queries of replays, operators and the ledger oracle. Judging and waiting run in the writer's queue, so that
 * a response is of one moment.
 */
@Controller()
export class InspectionRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    @Inject(SETTLE) private readonly settle: Settle,
    private readonly arrivals: Arrivals,
    private readonly importer: Importer,
    private readonly submission: Submission,
    private readonly queue: WorkQueue,
  ) {}

  @HandlesGroupRequest('read.inspection.block')
  async block({ hash, waitMs = 0 }: { readonly hash: string; readonly waitMs?: number }): Promise<InspectedBlock> {
    const patience = Math.min(waitMs, mostPatience);
    const found = await this.arrivals.after(hash, patience, () => this.inspect(hash));
    if (!found) throw notFound(hash);
    return found;
  }

  @HandlesGroupRequest('read.inspection.chain')
  async chain({ from, to, fromHeight = 0 }: ChainSelector & { readonly fromHeight?: number }): Promise<InspectedChain> {
    await this.settle();
    const { memory } = this.node.state;
    const { published } = memory;
    const chain = { from, to };
    const maxHeight = published.maxHeight(chain);
    const end = Math.min(maxHeight + 1, fromHeight + heightsAtOnce);
    const forks: { height: number; hashes: readonly Hash[] }[] = [];
    for (let height = fromHeight; height < end; height++) {
      const hashes = await memory.loaded(() => published.hashesAt(chain, height));
      if (hashes.length > 1) forks.push({ height, hashes });
    }
    const state = { maxHeight, currentHeight: published.currentHeight(chain), tips: published.tips(chain), forks };
    return end > maxHeight ? state : { ...state, next: end };
  }

  @HandlesGroupRequest('read.inspection.state-entries')
  async entries({
    hash,
    prefix,
    limit,
  }: {
    readonly hash: string;
    readonly prefix: string;
    readonly limit?: number;
  }): Promise<{ readonly entries: readonly StateEntry[]; readonly complete: boolean }> {
    const { store, state } = this.node;
    const { outputRoot } = await this.ownState(hash);
    const size = pageSize(limit);
    const found = await state.memory.horizon.reading(hash, () =>
      trieScan(store, outputRoot, hexToBytes(prefix), size + 1),
    );
    const entries = found.slice(0, size).map(({ key, value }) => ({ key: bytesToHex(key), value: bytesToHex(value) }));
    return { entries, complete: found.length <= size };
  }

  @HandlesGroupRequest('read.inspection.unspent')
  async unspent(
    request: AddressRequest & { readonly offset?: number; readonly limit?: number },
  ): Promise<{ readonly utxos: readonly UtxoItem[]; readonly total: number }> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    await this.settle();
    // Outputs of level 2 are of blocks that only a sibling's group includes yet.
    const outputs = (await unspentOf(this.node, lockupScript, { pool: false })).filter(({ level }) => level < 2);
    const { offset = 0 } = request;
    const page = outputs.slice(offset, offset + pageSize(request.limit));
    return { utxos: page.map(utxoItem), total: outputs.length };
  }

  @HandlesGroupRequest('read.inspection.verdict')
  verdict({ block: raw }: { readonly block: Uint8Array }): Promise<VerdictReply> {
    const { state } = this.node;
    return this.judged(async () => {
      const block = decodeBlock(raw, state.settings.groups);
      const { header } = block;
      if (header.chainIndex.from !== state.group) {
        throw serviceError('NotThisGroup', `its chain belongs to group ${header.chainIndex.from}`);
      }
      // As if mined here: the limit of the fork depth applies to imports and is no part of the verdict.
      return (await this.importer.judge({ header, block, role: 'own', origin: 'mined' })).refusal;
    });
  }

  @HandlesGroupRequest('read.inspection.admission')
  admission({ template }: { readonly template: Uint8Array }): Promise<VerdictReply> {
    return this.judged(async () => (await this.submission.verdict(decode(transactionTemplateCodec, template))).refusal);
  }

  /** Runs as a task of the writer's queue. Refuses undecodable bytes; any other error is a fault of this node. */
  private async judged(judge: () => Promise<Verdict>): Promise<VerdictReply> {
    try {
      return replyOf(await this.queue.run('inspect', judge));
    } catch (error) {
      if (error instanceof DecodeError) return { verdict: 'refused', code: 'Undecodable', detail: error.message };
      if (error instanceof ServiceError && error.kind !== 'broken') throw error;
      return { verdict: 'fault', detail: (error as Error).message };
    }
  }

  private async inspect(hash: Hash): Promise<InspectedBlock> {
    const { state } = this.node;
    const { dag, published, loaded } = state.memory;
    const { from, to } = chainIndexOfHash(hash, state.settings.groups);
    const hasState = from === to && from === state.group;
    return {
      ...(await loaded(() => ({
        height: dag.height(hash),
        weight: dag.weight(hash).toString(),
        isCanonical: dag.isCanonical(hash),
        isStored: published.has(hash),
      }))),
      ...(hasState ? { state: rootsOf(await this.stateAfter(hash)) } : {}),
      bestDependencies: await this.importer.best(),
    };
  }

  /** Of a stored intra-group block of this group. */
  private async ownState(hash: Hash): Promise<WorldState> {
    const { memory, group } = this.node.state;
    const node = await memory.find(hash);
    if (!node) throw notFound(hash);
    const { from, to } = node;
    if (from !== group || to !== group) {
      throw serviceError('NoState', `block ${hash} of chain (${from}, ${to}) has no state here`);
    }
    return this.stateAfter(hash);
  }

  private stateAfter(hash: Hash): Promise<WorldState> {
    const { memory } = this.node.state;
    return memory.loaded(() => memory.states.need(hash).state);
  }
}

const rootsOf = ({ outputRoot, contractRoot, codeRoot }: WorldState): InspectedState => ({
  outputRoot,
  contractRoot,
  codeRoot,
});

const notFound = (hash: Hash): ServiceError =>
  serviceError('BlockNotFound', `Block ${hash} not found`, { resource: `Block ${hash}` });
