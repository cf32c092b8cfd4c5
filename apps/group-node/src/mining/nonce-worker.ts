import { parentPort } from 'node:worker_threads';
import { type BlockTemplate, searchNonce } from '@shardnode/protocol/mining';
import { type NetworkSettings } from '@shardnode/protocol/network';

export interface NonceTask extends Pick<BlockTemplate, 'header' | 'chain'> {
  readonly id: number;
  readonly settings: NetworkSettings;
  /** 24 bytes. */
  readonly start: Uint8Array;
  readonly tries: number;
}

export interface NonceAnswer {
  readonly id: number;
  /** Undefined: none of the tried nonces fits. */
  readonly nonce: Uint8Array | undefined;
}

parentPort?.on('message', ({ id, header, chain, settings, start, tries }: NonceTask) => {
  const nonce = searchNonce(header, chain, settings, start, tries);
  parentPort?.postMessage({ id, nonce } satisfies NonceAnswer);
});
