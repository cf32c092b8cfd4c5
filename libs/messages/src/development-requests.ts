import { type ErrorData } from '@shardnode/core/errors';
import { chain, hash, object, text } from './fields.js';
import { type ChainSelector } from './request-items.js';
import { messageSchema } from './message-schema.js';
import { requestTable, type RequestDefinition } from './request-definition.js';
import { z } from 'zod';

/** A value of the machine, as the source names it: an array has one for each element, `xs[0]`, a struct for each field, `point.x`. */
export interface SlotNames {
  readonly name: string;
  /** `U256`, `I256`, `Bool`, `ByteVec`, `Address`, or the name of a contract, whose id it is. */
  readonly type: string;
}

export interface FieldNames extends SlotNames {
  readonly isMutable: boolean;
}

export interface FunctionNames {
  readonly name: string;
  readonly isPublic: boolean;
  /** Whether its caller must approve assets. */
  readonly usePreapprovedAssets: boolean;
  /** Absent: a type whose layout is unknown. */
  readonly params?: readonly SlotNames[] | undefined;
  /** Types of the results; absent as `params` are. */
  readonly returns?: readonly string[] | undefined;
}

/** Names in the source of a contract. A missing list has a type whose layout is unknown. */
export interface ContractNames {
  readonly contract: string;
  readonly fields?: readonly FieldNames[] | undefined;
  /** By index of the method. */
  readonly functions: readonly FunctionNames[];
  /** By index of the event. */
  readonly events: readonly { readonly name: string; readonly fields?: readonly SlotNames[] | undefined }[];
}

/** A contract of a compiled source. */
export interface NamedCode {
  readonly contract: string;
  /** Hashes of its release and its debug code. */
  readonly codeHashes: readonly string[];
}

/** Names of a failure in the source of its contract. */
export interface FailureNames {
  /** `Contract.function` */
  readonly failedFunction?: string | undefined;
  /** `Enum.Value`; of several with commas between. */
  readonly assertionName?: string | undefined;
}

/** When blocks are made: with each submit, in rounds, or on request alone. */
export type MiningMode = 'instant' | 'interval' | 'off';

/** Requests that the gateway of a development network answers to the explorer beside it. Other networks have none of them. */
export interface DevelopmentRequests {
  /** Pays a coin from an account of the network to one of another group. */
  'test-payment': RequestDefinition<Record<string, never>, { readonly txId: string }>;
  /** When the network mines by itself, as its settings say. */
  'mining-mode': RequestDefinition<Record<string, never>, { readonly mode: MiningMode }>;
  /** Mines one block on a chain; answered when it is stored. */
  'mine-one-block': RequestDefinition<ChainSelector, { readonly blockHash: string }>;
  /** Names of the contract with this code; null: the gateway has not compiled it lately. */
  'contract-names': RequestDefinition<{ readonly codeHash: string }, { readonly names: ContractNames | null }>;
  /** Contracts of compiled sources whose name begins with a text, in any case. */
  'codes-named': RequestDefinition<{ readonly text: string }, { readonly codes: readonly NamedCode[] }>;
  /** Compiles a source, whose names are known from then on. `refusal`: why the source was not compiled, for people. */
  'compile-source': RequestDefinition<{ readonly source: string }, { readonly refusal: string | null }>;
  /** `facts`: the data of a failed run, as group-nodes send them. */
  'failure-names': RequestDefinition<{ readonly facts: ErrorData }, FailureNames>;
}

export type DevelopmentRequestName = keyof DevelopmentRequests;

const fact = z.union([z.string().max(1_000), z.number(), z.boolean()], { error: 'expected a text, number or boolean' });
const explorerOnly = { senders: ['explorer'] as const };

/** Characters of a source that is compiled. */
export const longestSource = 256 * 1024;

/** A payment waits for the keys of the wallet, a source for the compiler. */
export const developmentRequests = requestTable<DevelopmentRequests>({
  'test-payment': { ...explorerOnly, deadlineMs: 28_000, schema: messageSchema(() => object({})) },
  'mining-mode': { ...explorerOnly, deadlineMs: 2_000, schema: messageSchema(() => object({})) },
  // Longer than the gateway waits for the group-node.
  'mine-one-block': {
    ...explorerOnly,
    deadlineMs: 12_000,
    schema: messageSchema((groups) => object(chain(groups))),
  },
  'contract-names': { ...explorerOnly, deadlineMs: 2_000, schema: messageSchema(() => object({ codeHash: hash })) },
  'codes-named': { ...explorerOnly, deadlineMs: 2_000, schema: messageSchema(() => object({ text: text(8_192) })) },
  'compile-source': {
    ...explorerOnly,
    deadlineMs: 28_000,
    schema: messageSchema(() => object({ source: text(longestSource) })),
  },
  'failure-names': {
    ...explorerOnly,
    deadlineMs: 2_000,
    schema: messageSchema(() => object({ facts: z.record(z.string().max(100), fact) })),
  },
});
