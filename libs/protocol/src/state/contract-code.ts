import { type Hash } from '../primitives/index.js';
import { type Contract, contractBytes, contractCodeHash, methodAreaLength } from '../script/index.js';

/** State of the searches for selectors in one code object (protocol 05 §6.10). */
export interface SelectorMemo {
  /** Method index by selector. */
  readonly found: Map<number, number>;
  /** Index of the last searched method; -1 before the first. */
  position: number;
}

/**
 * The code of a contract as one object in memory. It holds the selector memo, which determines the gas of a call by
 * selector. So the identity of the object is a consensus rule (protocol 05 §6.10).
 */
export class ContractCode {
  readonly selectors: SelectorMemo = { found: new Map(), position: -1 };

  private constructor(
    /** Code hash (protocol 05 §3.5). */
    readonly hash: Hash,
    readonly contract: Contract,
  ) {}

  /** A new object, with an empty memo. */
  static of(contract: Contract): ContractCode {
    return new ContractCode(contractCodeHash(contract), contract);
  }

  /** A new object, with an empty memo, of a contract that was read by its hash. */
  static stored(hash: Hash, contract: Contract): ContractCode {
    return new ContractCode(hash, contract);
  }

  /** The canonical encoding. */
  get bytes(): Uint8Array {
    return contractBytes(this.contract);
  }

  /** Bytes of all methods in canonical form (protocol 05 §3.4). */
  get methodAreaLength(): number {
    return methodAreaLength(this.contract);
  }
}
