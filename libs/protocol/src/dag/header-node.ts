import { type BlockHeader, headerCodec, type SealedHeader, workOf } from '../block/index.js';
import { bytesToHex, encode, hexToBytes } from '../encoding/index.js';
import { blockVersion, type ChainIndex, type Hash, nonceLength } from '../primitives/index.js';
import { type DagNode, skipNodeFor, workAfter } from './node.js';
import { accumulatedWeight } from './weight.js';

const hashLength = 32;
/** Nonce, state hash and transactions hash: the header fields that its node does not hold otherwise. */
const packedLength = nonceLength + 2 * hashLength;
const slotsPerChunk = 1024;

/** Fixed parts of headers in a few large arrays: one small array each would cost more than its bytes. */
export class PackedHeaders {
  private readonly chunks: Uint8Array[] = [];
  private count = 0;
  private canonicalLength: number | undefined;

  /**
   * Whether `raw`, the bytes of this header, are its canonical encoding (protocol 01 §2.8). All canonical headers of a
   * network have one length: other forms of its compact integers are longer.
   */
  isCanonical(header: BlockHeader, raw: Uint8Array): boolean {
    this.canonicalLength ??= encode(headerCodec, header).length;
    return header.version === blockVersion && raw.length === this.canonicalLength;
  }

  private at(slot: number): Uint8Array {
    const start = (slot % slotsPerChunk) * packedLength;
    return this.chunks[Math.floor(slot / slotsPerChunk)]!.subarray(start, start + packedLength);
  }

  keep(header: BlockHeader): number {
    const slot = this.count++;
    if (slot % slotsPerChunk === 0) this.chunks.push(new Uint8Array(slotsPerChunk * packedLength));
    const target = this.at(slot);
    target.set(header.nonce);
    target.set(hexToBytes(header.depStateHash), nonceLength);
    target.set(hexToBytes(header.txsHash), nonceLength + hashLength);
    return slot;
  }

  read(slot: number): Pick<BlockHeader, 'nonce' | 'depStateHash' | 'txsHash'> {
    const bytes = this.at(slot);
    return {
      nonce: bytes.slice(0, nonceLength),
      depStateHash: bytesToHex(bytes.subarray(nonceLength, nonceLength + hashLength)),
      txsHash: bytesToHex(bytes.subarray(nonceLength + hashLength)),
    };
  }
}

/**
 * A node of BlockDag. While new it holds the header object; later only the data that cannot be rebuilt from its fields
 * and links, to save memory.
 */
export class HeaderNode implements DagNode {
  readonly hash: Hash;
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly weight: bigint;
  readonly timestamp: bigint;
  readonly target: number;
  readonly work: bigint;
  readonly chainWork: bigint;
  readonly skip: DagNode | undefined;
  private source: SealedHeader | number;

  /** `deps` may be filled in later, before the node is shared; then `weight` is required. */
  constructor(
    private readonly packed: PackedHeaders,
    readonly chainIndex: ChainIndex,
    header: SealedHeader,
    public deps: readonly DagNode[],
    readonly parent: DagNode | undefined,
    weight?: bigint,
  ) {
    this.hash = header.hash;
    this.from = chainIndex.from;
    this.to = chainIndex.to;
    this.timestamp = header.timestamp;
    this.target = header.target;
    this.source = header;
    this.work = parent ? workAfter(parent, header.target) : workOf(header.target);
    this.height = parent ? parent.height + 1 : 0;
    this.chainWork = parent ? parent.chainWork + this.work : 0n;
    this.skip = parent && skipNodeFor(parent);
    this.weight = weight ?? (parent ? accumulatedWeight(this.from, deps, this.work) : 0n);
  }

  get header(): SealedHeader {
    return typeof this.source === 'number' ? this.unpacked(this.source) : this.source;
  }

  /** Releases the header object, unless its bytes are not canonical and so cannot be rebuilt. */
  pack(): void {
    if (typeof this.source === 'number' || !this.parent) return;
    const { source } = this;
    if (this.packed.isCanonical(source, source.raw)) this.source = this.packed.keep(source);
  }

  private withFields(kept: Pick<BlockHeader, 'nonce' | 'depStateHash' | 'txsHash'>): BlockHeader {
    return {
      nonce: kept.nonce,
      version: blockVersion,
      blockDeps: this.deps.map((dep) => dep.hash),
      depStateHash: kept.depStateHash,
      txsHash: kept.txsHash,
      timestamp: this.timestamp,
      target: this.target,
    };
  }

  private unpacked(slot: number): SealedHeader {
    const header = this.withFields(this.packed.read(slot));
    const { hash, chainIndex } = this;
    return { ...header, hash, chainIndex, raw: encode(headerCodec, header) };
  }
}
