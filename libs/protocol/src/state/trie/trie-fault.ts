/**
 * A broken trie or a wrong use of it: a fault, never a refusal and never "key absent" (protocol 04 §2.9). The block or
 * the query in progress fails; no block is marked invalid.
 */
export class TrieFault extends Error {
  constructor(
    /** KeyNotFound: the key to remove is absent, or the store lacks a node. DecodingError: a node's bytes are none. */
    readonly code: 'KeyNotFound' | 'DecodingError',
    detail: string,
  ) {
    super(`${code}: ${detail}`);
    this.name = 'TrieFault';
  }
}
