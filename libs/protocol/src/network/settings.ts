import { type AssetLockupScript } from '../primitives/index.js';

export interface GenesisAllocation {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin */
  readonly amount: bigint;
  /** Milliseconds after the launch timestamp. */
  readonly lockDuration: bigint;
}

/**
 * Everything that differs between networks (protocol 03 §2.3). Passed as a value, never global: one process may hold
 * four group-nodes. Derived constants (windows, reward schedule) are functions of it, in the file of their rule.
 */
export interface NetworkSettings {
  /** -128..127 */
  readonly networkId: number;
  /** G: 4 everywhere but in some vectors. */
  readonly groups: number;
  /** Leading zero bits of the easiest target. */
  readonly numZeros: number;
  /** Milliseconds. */
  readonly blockTargetTime: bigint;
  /** Milliseconds (protocol 03 §5 check 12). */
  readonly uncleDependencyGap: bigint;
  /** Milliseconds. */
  readonly coinbaseLockPeriod: bigint;
  readonly allocations: readonly GenesisAllocation[];
  /** Hash texts, concatenated as text for the pre-mine proof (protocol 01 §12.2). */
  readonly preMineProof: readonly string[];
}
