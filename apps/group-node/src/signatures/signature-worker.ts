import { parentPort } from 'node:worker_threads';
import { verifySignature } from '@shardnode/protocol/crypto';

/** One job after the other in three arrays of bytes: messages (32), signatures (64), public keys (33). */
export interface SignatureBatch {
  readonly id: number;
  readonly count: number;
  readonly messages: Uint8Array;
  readonly signatures: Uint8Array;
  readonly publicKeys: Uint8Array;
}

export interface SignatureResults {
  readonly id: number;
  /** 1 for valid. */
  readonly results: Uint8Array;
}

parentPort?.on('message', ({ id, count, messages, signatures, publicKeys }: SignatureBatch) => {
  const results = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const message = messages.subarray(i * 32, i * 32 + 32);
    const signature = signatures.subarray(i * 64, i * 64 + 64);
    const publicKey = publicKeys.subarray(i * 33, i * 33 + 33);
    results[i] = verifySignature(message, signature, publicKey) ? 1 : 0;
  }
  parentPort?.postMessage({ id, results } satisfies SignatureResults);
});
