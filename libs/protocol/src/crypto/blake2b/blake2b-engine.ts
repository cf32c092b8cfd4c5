/** Unkeyed BLAKE2b, 32 bytes (protocol 01 §4.1). Each engine is one file; `selected-blake2b-engine.ts` chooses. */
export interface Blake2bEngine {
  readonly name: string;
  blake2b(bytes: Uint8Array): Uint8Array;
}
