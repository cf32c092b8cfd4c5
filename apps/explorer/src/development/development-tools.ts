import { type ErrorData } from '@shardnode/core/errors';

/** An account of a development network, whose key everybody knows. */
export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  readonly group: number;
}

/** A value of the machine, as the source names it. */
export interface SlotNames {
  readonly name: string;
  /** `U256`, `I256`, `Bool`, `ByteVec`, `Address`, or the name of a contract, whose id it is. */
  readonly type: string;
}

/** Names in the source of a contract. What is absent has a type whose layout is unknown. */
export interface ContractNames {
  readonly contract: string;
  readonly fields?: readonly (SlotNames & { readonly isMutable: boolean })[] | undefined;
  /** By index of the method. */
  readonly functions: readonly {
    readonly name: string;
    readonly isPublic: boolean;
    /** Whether its caller must approve assets. */
    readonly usePreapprovedAssets: boolean;
    readonly params?: readonly SlotNames[] | undefined;
    readonly returns?: readonly string[] | undefined;
  }[];
  /** By index of the event. */
  readonly events: readonly { readonly name: string; readonly fields?: readonly SlotNames[] | undefined }[];
}

/** Names of a failure in the source of its contract. */
export interface FailureNames {
  /** `Contract.function` */
  readonly failedFunction?: string | undefined;
  /** `Enum.Value`; of several with commas between. */
  readonly assertionName?: string | undefined;
}

/** A contract of a compiled source. */
export interface NamedCode {
  readonly contract: string;
  /** Hashes of its release and its debug code. */
  readonly codeHashes: readonly string[];
}

/** What a development network on the machine of one person has besides its chains. Other networks have none of it. */
export interface DevelopmentTools {
  readonly accounts: readonly DevelopmentAccount[];
  /** Pays a coin from an account to one of another group. @returns the id of the transaction */
  sendTestPayment(): Promise<string>;
  /** Names of the contract with this code, if the network compiled its source lately. */
  contractOf(codeHash: string): ContractNames | undefined;
  /** Contracts of compiled sources whose name begins with a text, in any case. */
  codesNamed(text: string): Promise<readonly NamedCode[]>;
  /** @param failure the facts of a failed run, as group-nodes send them */
  failureNames(failure: ErrorData): FailureNames;
}

/** Where controllers find the tools. */
export const developmentTools = Symbol('development tools');
