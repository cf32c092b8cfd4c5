import { type BlockHeader, headerCodec, type SealedHeader } from '../block/index.js';
import { bytesToHex, encode, hexToBytes } from '../encoding/index.js';
import { blockVersion, nonceLength } from '../primitives/index.js';

const hashLength = 32;
/** Nonce, state hash and transactions hash: the header fields that its node does not hold otherwise. */
const packedLength = nonceLength + 2 * hashLength;
const slotsPerChunk = 1024;

/** Parts of headers in a few large arrays: one small array each would cost more than its bytes. */
export class PackedHeaders {
  private readonly chunks: Uint8Array[] = [];
  private readonly free: number[] = [];
  private count = 0;
  private canonicalLength: number | undefined;

  /** Whether a header can be rebuilt from its parts: its bytes are the canonical encoding (protocol 01 §2.8). */
  canPack(header: SealedHeader): boolean {
    // All canonical headers of a network have one length: other forms of its compact integers are longer.
    this.canonicalLength ??= encode(headerCodec, header).length;
    return header.version === blockVersion && header.raw.length === this.canonicalLength;
  }

  /** Returns the slot. */
  keep(header: BlockHeader): number {
    const slot = this.free.pop() ?? this.count++;
    if (slot === this.chunks.length * slotsPerChunk) this.chunks.push(new Uint8Array(slotsPerChunk * packedLength));
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

  /** The slot is used again. */
  release(slot: number): void {
    this.free.push(slot);
  }

  private at(slot: number): Uint8Array {
    const start = (slot % slotsPerChunk) * packedLength;
    return this.chunks[Math.floor(slot / slotsPerChunk)]!.subarray(start, start + packedLength);
  }
}
