import { type ErrorData } from '@shardnode/core/errors';
import {
  type ChainSelector,
  type ContractNames,
  type DevelopmentClient,
  type FailureNames,
  type MiningMode,
  type NamedCode,
} from '@shardnode/messages';

/** An account of a development network, whose key everybody knows. */
export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  readonly group: number;
}

/** Tools of a development network on the machine of one person, besides its chains. Other networks have none of it. */
export interface DevelopmentTools {
  readonly accounts: readonly DevelopmentAccount[];
  /** Pays a coin from an account to one of another group. @returns the id of the transaction */
  sendTestPayment(): Promise<string>;
  /** When the network mines by itself. */
  miningMode(): Promise<MiningMode>;
  /** Mines one block, also where the network mines by itself. @returns its hash */
  mineOneBlock(chain: ChainSelector): Promise<string>;
  /** Names of the contract with this code, if the network compiled its source lately. */
  contractOf(codeHash: string): Promise<ContractNames | undefined>;
  /** Contracts of compiled sources whose name begins with a text, in any case. */
  codesNamed(text: string): Promise<readonly NamedCode[]>;
  /** Compiles a source, whose names are known from then on. @returns why it was not compiled; undefined: it was */
  compileSource(source: string): Promise<string | undefined>;
  /** @param failure the facts of a failed run, as group-nodes send them */
  failureNames(failure: ErrorData): Promise<FailureNames>;
}

/** Where controllers find the tools. */
export const developmentTools = Symbol('development tools');

/** The tools that the gateway of the network answers for. */
export const toolsOverBus = (client: DevelopmentClient, accounts: readonly DevelopmentAccount[]): DevelopmentTools => ({
  accounts,
  sendTestPayment: async () => (await client.request('test-payment', {})).txId,
  miningMode: async () => (await client.request('mining-mode', {})).mode,
  mineOneBlock: async (chain) => (await client.request('mine-one-block', chain)).blockHash,
  contractOf: async (codeHash) => (await client.request('contract-names', { codeHash })).names ?? undefined,
  codesNamed: async (text) => (await client.request('codes-named', { text })).codes,
  compileSource: async (source) => (await client.request('compile-source', { source })).refusal ?? undefined,
  failureNames: (facts) => client.request('failure-names', { facts }),
});
