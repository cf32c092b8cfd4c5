/** Types used in requests of several tables: hashes are lower-case hexadecimal, amounts decimal text. */
export interface TokenAmount {
  readonly id: string;
  readonly amount: string;
}
export interface OutputToSpend {
  readonly hint: number;
  readonly key: string;
}
export interface BuiltTransaction {
  readonly unsignedTx: Uint8Array;
  readonly txId: string;
  readonly gasAmount: number;
  readonly gasPrice: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}
export interface ChainSelector {
  readonly from: number;
  readonly to: number;
}
