/** Requests to a group-node about building transactions. */
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { groupPayloads } from './group-request-schemas.js';
import { type BuiltTransaction, type OutputToSpend, type TokenAmount } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

export { type UnminablePolicy } from '@shardnode/protocol/building';

export interface DestinationItem {
  /** Encoded asset lockup script, hex. */
  readonly lockupScript: string;
  readonly amount: string;
  readonly tokens: readonly TokenAmount[];
  readonly lockTime?: string;
  /** Hex. */
  readonly message?: string;
}
export interface BuildTransferRequest {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  readonly destinations: readonly DestinationItem[];
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  readonly utxos?: readonly OutputToSpend[];
  readonly targetBlockHash?: string;
  /** `document`: Rule R of protocol 02 §2.5; `reference`: Rule E. */
  readonly gasFormula: 'document' | 'reference';
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
export interface BuildSweepRequest {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  /** Encoded asset lockup script, hex. */
  readonly destination: string;
  /** Only outputs below it are swept. */
  readonly maxAmountPerUtxo?: string;
  /** Milliseconds, decimal text. */
  readonly lockTime?: string;
  /** Of each transaction. */
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  readonly targetBlockHash?: string;
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
/** Outputs that a sweep leaves at the address although they were asked for, and why. */
export interface UnsweptOutputs {
  /** `LockedUtxo`, or the name of the refusal of a sweep of them alone. */
  readonly code: string;
  /** With the placeholders of the coin's names. */
  readonly detail: string;
  /** The first end of a lock, milliseconds since 1970, as digits. */
  readonly spendableAt?: string;
}
export interface SweepReply {
  /** Empty if there is nothing to sweep. */
  readonly transactions: readonly BuiltTransaction[];
  readonly fromGroup: number;
  readonly toGroup: number;
  /** Outputs remain: submit these transactions, then repeat the request. */
  readonly more: boolean;
  readonly left?: UnsweptOutputs;
}
export interface SourceItem {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  readonly destinations: readonly DestinationItem[];
  readonly gasAmount?: number;
  readonly utxos?: readonly OutputToSpend[];
}
export interface BuildManySendersRequest {
  readonly sources: readonly SourceItem[];
  readonly gasPrice?: string;
  readonly targetBlockHash?: string;
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}

export interface BuildingRequests {
  'read.building.transfer': RequestDefinition<BuildTransferRequest, BuiltTransaction>;
  'read.building.sweep': RequestDefinition<BuildSweepRequest, SweepReply>;
  'read.building.many-senders': RequestDefinition<BuildManySendersRequest, BuiltTransaction>;
}

const payloads = groupPayloads;

export const buildingRequests = requestTable<BuildingRequests>({
  'read.building.transfer': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.transfer },
  'read.building.sweep': { senders: ['gateway', 'wallet-service'], deadlineMs: 10_000, schema: payloads.sweep },
  'read.building.many-senders': { senders: ['gateway'], deadlineMs: 5_000, schema: payloads.manySenders },
});
