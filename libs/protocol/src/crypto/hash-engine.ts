/** What the protocol hashes with on its hot paths. Each engine is one file; `selected-engines.ts` chooses. */
export interface HashEngine {
  readonly name: string;
  /** Unkeyed BLAKE2b, 32 bytes (protocol 01 §4.1). */
  blake2b(bytes: Uint8Array): Uint8Array;
  /** BLAKE3 in plain hash mode, the first 32 bytes (protocol 01 §4.1). */
  blake3(bytes: Uint8Array): Uint8Array;
}
