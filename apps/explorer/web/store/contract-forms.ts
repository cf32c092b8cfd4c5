/** What the API answers of contracts (protocol 08 §5.4, §5.8), and of a development network of their sources. */

export interface ContractMoment {
  readonly blockHash: string;
  readonly txHash: string;
  /** Of its block, milliseconds since 1970. */
  readonly timestamp: number;
}

/** From a creation to a destruction. */
export interface ContractLife {
  readonly parent: string | null;
  readonly creation: ContractMoment;
  readonly destruction: ContractMoment | null;
  readonly interfaceId: string | null;
}

export type Val =
  | { readonly type: 'Bool'; readonly value: boolean }
  | { readonly type: 'U256' | 'I256' | 'ByteVec' | 'Address'; readonly value: string };

export interface ContractState {
  readonly bytecode: string;
  readonly codeHash: string;
  readonly initialStateHash?: string;
  readonly immFields: readonly Val[];
  readonly mutFields: readonly Val[];
  readonly asset: {
    readonly attoCoinAmount: string;
    readonly tokens?: readonly { readonly id: string; readonly amount: string }[];
  };
}

export interface ContractEvent {
  readonly blockHash: string;
  readonly timestamp: number;
  readonly txHash: string;
  /** Of events of the machine a reserved one. */
  readonly contractAddress: string;
  readonly inputAddress: string | null;
  readonly eventIndex: number;
  readonly fields: readonly Val[];
}
