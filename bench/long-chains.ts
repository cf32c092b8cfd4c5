/**
 * Headers of many blocks with real links and no work, written into a store: what a group-node has after years. The blocks
 * of its own and incoming chains have bodies and states at the end, in the middle, and here and there.
 */
import { type AddOutcome, BlockDag, expectedTarget } from '@shardnode/protocol/dag';
import {
  blockHash,
  chainIndexOfHash,
  genesisBlocks,
  hasEnoughWork,
  headerCodec,
  type SealedHeader,
} from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork, maxTarget, type NetworkSettings } from '@shardnode/protocol/network';
import {
  blockVersion,
  type ChainIndex,
  flatIndex,
  type Hash,
  sameChain,
  zeroHash,
} from '@shardnode/protocol/primitives';
import { emptyWorldState, genesisWorldState, stateHash } from '@shardnode/protocol/state';
import { roleOf } from '../apps/group-node/src/dag/roles.js';
import { genesisCommits } from '../apps/group-node/src/start/genesis.js';
import { type BlockCommit, type GroupStore } from '../apps/group-node/src/store/index.js';

/** Sixteen chains at 64 s a block are a block each 4 s. */
export const longNetwork: NetworkSettings = { ...developmentNetwork, blockTargetTime: 64_000n };
const spacing = 4_000n;
const group = 0;
const { groups } = longNetwork;
const all = Array.from({ length: groups }, (_, index) => index);

/** Blocks with bodies at the end, and in the middle, where intervals are read. */
const withBodies = 4_000;
/** One block in so many has a body elsewhere. */
const sparse = 100;
const blocksAtOnce = 1_000;

/** A block of an own chain that clients may ask for. */
export interface OldBlock {
  readonly hash: Hash;
  readonly txId: Hash;
  readonly to: number;
  readonly height: number;
  readonly timestamp: number;
}

/** Makes one header after another, each on all that are there. */
class HeaderMaker {
  readonly dag: BlockDag;
  private readonly tips: Hash[];
  private nonce = 0;

  constructor(private timestamp: bigint) {
    const genesis = genesisBlocks(longNetwork).map(({ header }) => header);
    this.dag = new BlockDag(longNetwork, genesis, { window: 1_024, settled: 0 });
    this.tips = [...genesis]
      .sort((a, b) => flatIndex(a.chainIndex, groups) - flatIndex(b.chainIndex, groups))
      .map(({ hash }) => hash);
  }

  /** Of a chain that starts in the group; to which group it leads is chance. Its target is the easiest one. */
  next(from: number): { readonly header: SealedHeader; readonly outcome: AddOutcome } {
    return this.make(from, maxTarget(longNetwork), (chain) => chain.from === from);
  }

  /** Of one chain, and valid. */
  nextOf(chain: ChainIndex): { readonly header: SealedHeader; readonly outcome: AddOutcome } {
    const target = expectedTarget(this.dag, longNetwork, chain, this.depsOf(chain.from));
    return this.make(chain.from, target, (made, hash) => sameChain(made, chain) && hasEnoughWork(hash, target));
  }

  private depsOf(from: number): Hash[] {
    const ins = all.filter((other) => other !== from).map((other) => this.tips[other * groups + other]!);
    return [...ins, ...all.map((to) => this.tips[from * groups + to]!)];
  }

  private make(from: number, target: number, isWanted: (chain: ChainIndex, hash: Hash) => boolean) {
    this.timestamp += spacing;
    const fields = {
      nonce: new Uint8Array(24),
      version: blockVersion,
      blockDeps: this.depsOf(from),
      depStateHash: zeroHash,
      txsHash: zeroHash,
      timestamp: this.timestamp,
      target,
    };
    const raw = encode(headerCodec, fields);
    const view = new DataView(raw.buffer, raw.byteOffset);
    for (;;) {
      view.setUint32(20, this.nonce++ >>> 0);
      const hash = blockHash(raw);
      const chainIndex = chainIndexOfHash(hash, groups);
      if (!isWanted(chainIndex, hash)) continue;
      const header = { ...fields, nonce: raw.slice(0, 24), hash, chainIndex, raw };
      this.tips[flatIndex(chainIndex, groups)] = hash;
      return { header, outcome: this.dag.add(header) };
    }
  }
}

const { state, nodes } = genesisWorldState(longNetwork, group);
/** The blocks have no transactions, so their states are that of genesis. */
const unchanged = {
  outputRoot: state.outputRoot,
  contractRoot: state.contractRoot,
  stateHash: stateHash({ ...state, codeRoot: emptyWorldState().state.codeRoot }),
  addedNodes: new Map(nodes),
  replacedNodes: [],
  removed: [],
  added: [],
};

const commitOf = (
  { header, outcome }: ReturnType<HeaderMaker['next']>,
  tips: readonly Hash[],
  hasBody: boolean,
): BlockCommit => {
  const { from, to } = header.chainIndex;
  const role = roleOf(header.chainIndex, group, groups);
  return {
    header,
    height: outcome.height,
    weight: outcome.weight,
    orders: outcome.lists,
    tips,
    body: hasBody && role !== 'foreign' ? Uint8Array.of(...header.raw, 0) : undefined,
    // Any id does.
    transactionIds: hasBody && role === 'own' ? [header.hash] : undefined,
    worldState: hasBody && from === group && to === group ? unchanged : undefined,
  };
};

export interface LongChains {
  /** The newest block of the own intra-group chain, whose state the outputs are. */
  readonly head: SealedHeader | undefined;
  /** Own blocks with bodies, of all heights. */
  readonly old: readonly OldBlock[];
  /** All canonical own blocks after this time, for some hours, have bodies. */
  readonly intervalFrom: number;
  /** Valid headers of foreign chains that come next. */
  readonly next: readonly Uint8Array[];
}

/** Fills a store with so many blocks. */
export const writeLongChains = async (
  store: GroupStore,
  length: number,
  following: number,
  progress: (blocks: number) => void = () => undefined,
): Promise<LongChains> => {
  const maker = new HeaderMaker(BigInt(Date.now()) - BigInt(length + following + 100) * spacing);
  await store.commitBlocks(genesisCommits(longNetwork, group));
  const old: OldBlock[] = [];
  const middle = Math.floor(length / 2);
  let intervalFrom = 0;
  let batch: BlockCommit[] = [];
  let head: SealedHeader | undefined;
  for (let i = 0; i < length; i++) {
    const made = maker.next(i % groups);
    const { hash, chainIndex, timestamp } = made.header;
    const isInterval = i >= middle && i < middle + withBodies;
    const hasBody = isInterval || i >= length - withBodies || i % sparse < groups;
    if (i === middle) intervalFrom = Number(timestamp);
    batch.push(commitOf(made, maker.dag.tips(chainIndex), hasBody));
    if (hasBody && chainIndex.from === group) {
      old.push({ hash, txId: hash, to: chainIndex.to, height: made.outcome.height, timestamp: Number(timestamp) });
      if (chainIndex.to === group) head = made.header;
    }
    if (batch.length < blocksAtOnce && i < length - 1) continue;
    await store.commitBlocks(batch);
    batch = [];
    progress(i + 1);
  }
  return { head, old, intervalFrom, next: foreignHeaders(maker, following) };
};

/** Headers that group 0 takes without bodies. */
const foreignHeaders = (maker: HeaderMaker, count: number): Uint8Array[] => {
  const headers: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const chain = { from: 1 + (i % 2), to: 1 + (Math.floor(i / 2) % 3) };
    headers.push(maker.nextOf(chain).header.raw);
  }
  return headers;
};
