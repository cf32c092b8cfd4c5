/**
 * Requests to a group-node about contracts and their events, and for transactions that run scripts. Values of the machine
 * travel as encoded lists (`valsCodec`, protocol 05 §2.4), code as bytes; contracts are named by their ids.
 */
import { type ErrorData } from '@shardnode/core/errors';
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { contractPayloads } from './contract-request-schemas.js';
import { requestTable, type RequestDefinition } from './request-definition.js';
import { type BuiltTransaction, type OutputToSpend, type TokenAmount } from './request-items.js';

/** Assets of an address or a contract. */
export interface AssetItem {
  /** attoCoin */
  readonly amount: string;
  readonly tokens: readonly TokenAmount[];
}
/** State of a contract for a dry run. */
export interface ContractItem extends AssetItem {
  readonly contractId: string;
  /** Encoded contract (protocol 05 §3.4). */
  readonly code: Uint8Array;
  /** Encoded lists of values. */
  readonly immutableFields: Uint8Array;
  readonly mutableFields: Uint8Array;
}
export interface ContractStateReply extends ContractItem {
  readonly codeHash: string;
  readonly initialStateHash: string;
}
/** The single output of a contract (protocol 04 §4.2). */
export interface ContractAssetReply extends AssetItem {
  readonly reference: OutputToSpend;
}
/** Assets of a dry run besides those of contracts. */
export interface InputAssetItem extends AssetItem {
  /** Encoded asset lockup script, hex. */
  readonly lockupScript: string;
}
interface RunItem {
  /** Absent: random. */
  readonly txId?: string;
  /** Caller of the method; absent: a script. */
  readonly callerId?: string;
  readonly methodIndex: number;
  /** Encoded list of values. */
  readonly args: Uint8Array;
  readonly inputAssets: readonly InputAssetItem[];
}
/** A method of a contract that is not on the chain (protocol 05 §14.2). */
export interface TestContractRequest extends RunItem {
  readonly contract: ContractItem;
  readonly existingContracts: readonly ContractItem[];
  /** Absent: random. */
  readonly blockHash?: string;
  /** Milliseconds, decimal text; absent: now. */
  readonly blockTimestamp?: string;
}
/** A method of a contract on the chain (protocol 05 §14.3). */
export interface ContractCall extends RunItem {
  readonly contractId: string;
  /** Ids of contracts whose states the response contains, before that of the called one. */
  readonly existingContracts: readonly string[];
  /** Block of the intra-group chain; absent: the tip that the node builds on. */
  readonly worldStateBlockHash?: string;
}
/** An event of a contract; `fields` without the index. */
export interface EventItem {
  readonly blockHash: string;
  readonly txId: string;
  readonly contractId: string;
  /** -128 to 127 */
  readonly eventIndex: number;
  /** Encoded list of values. */
  readonly fields: Uint8Array;
}
export interface RunReply {
  /** Code hash of the called contract after the run, which may have migrated it. */
  readonly codeHash: string;
  /** Encoded list of values. */
  readonly returns: Uint8Array;
  readonly gasUsed: number;
  readonly contracts: readonly ContractStateReply[];
  /** Contracts whose outputs were loaded and changed. */
  readonly inputContracts: readonly string[];
  /** Encoded generated outputs; their keys derive from `outputsTxId` and their indexes. */
  readonly outputs: readonly Uint8Array[];
  readonly outputsTxId: string;
  readonly events: readonly EventItem[];
  readonly debugMessages: readonly DebugMessage[];
}
interface DebugMessage {
  readonly contractId: string;
  readonly message: string;
}
/** A failed call is a successful response, not an error (00-decisions, 5). */
export type CallReply =
  | ({ readonly type: 'CallContractSucceeded' } & RunReply)
  | {
      readonly type: 'CallContractFailed';
      readonly error: string;
      /** Data for other texts of the failure (profile `reference`); absent from older services. */
      readonly code?: string;
      readonly facts?: ErrorData;
    };

interface ScriptSender {
  /** Encoded scripts of the sender, hex. */
  readonly lockupScript: string;
  readonly unlockScript: string;
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  /** Absent: `refuse`. */
  readonly unminable?: UnminablePolicy;
}
/** Protocol 07 §10.3, §16.9. */
export interface BuildExecuteScriptRequest extends ScriptSender {
  /** Encoded transaction script, as the client sent it. */
  readonly script: Uint8Array;
  /** attoCoin that the script may use. */
  readonly amount?: string;
  readonly tokens: readonly TokenAmount[];
}
/** Protocol 07 §10.2, §16.9, §16.10. */
export interface BuildDeployContractRequest extends ScriptSender {
  /** Contract, immutable fields, mutable fields, each encoded, as the client sent them. */
  readonly bytecode: Uint8Array;
  /** attoCoin; absent: one coin. */
  readonly initialAmount?: string;
  readonly initialTokens: readonly TokenAmount[];
  readonly issueTokenAmount?: string;
  /** Encoded asset lockup script, hex. */
  readonly issueTokenTo?: string;
}
export interface BuiltDeployment extends BuiltTransaction {
  readonly contractId: string;
}

export interface ContractRequests {
  /** In the state that the node builds on; `not-found` for an unknown contract. */
  'read.contract.stored': RequestDefinition<{ readonly contractId: string }, ContractStateReply>;
  'read.contract.asset': RequestDefinition<{ readonly contractId: string }, ContractAssetReply>;
  /** A failed run is `refused`, with `ContractTestFailed`. */
  'read.contract.test': RequestDefinition<TestContractRequest, RunReply>;
  /** Each call starts from the chain's state; at most 20. Replies are in the order of the calls. */
  'read.contract.call': RequestDefinition<
    { readonly calls: readonly ContractCall[] },
    { readonly results: readonly CallReply[] }
  >;
  /**
   * Events of the entries from `start`, at most `limit` of them; an entry holds the events of the contract in one block.
   * `AnswerTooLarge`, here and below, when they have more than `maxBytes`: their fields, and 100 for each.
   */
  'read.events.contract': RequestDefinition<
    { readonly contractId: string; readonly start: number; readonly limit: number; readonly maxBytes?: number },
    { readonly events: readonly EventItem[]; readonly nextStart: number }
  >;
  /** Number of entries. */
  'read.events.count': RequestDefinition<{ readonly contractId: string }, { readonly count: number }>;
  'read.events.transaction': RequestDefinition<
    { readonly txId: string; readonly maxBytes?: number },
    { readonly events: readonly EventItem[] }
  >;
  'read.events.block': RequestDefinition<
    { readonly hash: string; readonly maxBytes?: number },
    { readonly events: readonly EventItem[] }
  >;
  'read.building.execute-script': RequestDefinition<BuildExecuteScriptRequest, BuiltTransaction>;
  'read.building.deploy-contract': RequestDefinition<BuildDeployContractRequest, BuiltDeployment>;
}

const payloads = contractPayloads;

export const contractRequests = requestTable<ContractRequests>({
  'read.contract.stored': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.contract },
  'read.contract.asset': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.contract },
  'read.contract.test': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.test },
  'read.contract.call': { senders: ['gateway', 'explorer'], deadlineMs: 20_000, schema: payloads.calls },
  'read.events.contract': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.contractPage },
  'read.events.count': { senders: ['gateway', 'explorer'], deadlineMs: 2_000, schema: payloads.contract },
  'read.events.transaction': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.transaction },
  'read.events.block': { senders: ['gateway', 'explorer'], deadlineMs: 5_000, schema: payloads.block },
  'read.building.execute-script': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.executeScript },
  'read.building.deploy-contract': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.deployContract },
});
