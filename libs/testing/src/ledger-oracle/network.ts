import { type AssetLockupScript } from '@shardnode/protocol/primitives';

/** Network settings of the oracle; the product's settings have this type. Durations in milliseconds. */
export interface OracleNetwork {
  readonly networkId: number;
  readonly groups: number;
  readonly blockTargetTime: bigint;
  readonly coinbaseLockPeriod: bigint;
  readonly allocations: readonly {
    readonly lockupScript: AssetLockupScript;
    /** attoCoin */
    readonly amount: bigint;
    readonly lockDuration: bigint;
  }[];
  readonly preMineProof: readonly string[];
}

/** Milliseconds since 1970 (protocol 03 §2.2). */
export const genesisTimestamp = 1_231_006_505_000n;
/** Milliseconds since 1970 (protocol 03 §2.2). */
export const launchTimestamp = 1_636_379_973_000n;

/** A chain as a number: from * groups + to. */
export const chainNumber = (chain: { readonly from: number; readonly to: number }, groups: number): number =>
  chain.from * groups + chain.to;
