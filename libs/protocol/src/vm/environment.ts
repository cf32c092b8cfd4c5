import { type Hash } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';

/** Block data visible to scripts (protocol 05 §8.3, §8.4). */
export interface BlockEnvironment {
  /** 0: the main network. */
  readonly networkId: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** The expanded mining target. */
  readonly target: bigint;
  /** Undefined in template runs and gas estimations: events are dropped there. */
  readonly blockHash: Hash | undefined;
  /** Of the intra-group chain: last byte of the ids of created contracts. */
  readonly group: number;
}

/** Transaction data visible to scripts. */
export interface TransactionEnvironment {
  readonly id: Hash;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  readonly gasAmount: number;
  /** The outputs that the asset inputs spend, with their lock times as the state holds them (protocol 05 §6.6). */
  readonly inputs: readonly AssetOutput[];
  readonly fixedOutputs: readonly AssetOutput[];
}
