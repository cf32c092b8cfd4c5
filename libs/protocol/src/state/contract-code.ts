import { blake2bHash } from '../crypto/index.js';
import { encode } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { type Contract, contractCodec, methodAreaLength } from '../script/index.js';

/** What a search for a selector has found so far in one code object (protocol 05 §6.10). */
export interface SelectorMemo {
  /** Method index by selector. */
  readonly found: Map<number, number>;
  /** Index of the method looked at last; -1 before the first. */
  position: number;
}

/**
 * The code of a contract as one object in memory. It carries the selector memo, which decides how much a call by selector
 * costs, so its identity matters: who loads and who puts which object is law (protocol 05 §6.10).
 */
export class ContractCode {
  readonly selectors: SelectorMemo = { found: new Map(), position: -1 };
  private encoded: Uint8Array | undefined;
  private areaLength: number | undefined;

  private constructor(
    /** Code hash (protocol 05 §3.5). */
    readonly hash: Hash,
    readonly contract: Contract,
  ) {}

  /** A new object, with an empty memo. */
  static of(contract: Contract): ContractCode {
    const bytes = encode(contractCodec, contract);
    const code = new ContractCode(blake2bHash(bytes), contract);
    code.encoded = bytes;
    return code;
  }

  /** A new object, with an empty memo, of a contract whose hash is known: it was read under it. */
  static stored(hash: Hash, contract: Contract): ContractCode {
    return new ContractCode(hash, contract);
  }

  /** The canonical encoding. */
  get bytes(): Uint8Array {
    return (this.encoded ??= encode(contractCodec, this.contract));
  }

  /** Bytes of all methods in canonical form (protocol 05 §3.4). */
  get methodAreaLength(): number {
    return (this.areaLength ??= methodAreaLength(this.contract));
  }
}
