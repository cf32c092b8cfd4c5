/** Answers of the API as far as the scenarios read them (protocol 07 §2). */

export interface OutputRef {
  readonly hint: number;
  readonly key: string;
}
export interface FixedOutput extends OutputRef {
  readonly attoCoinAmount: string;
  readonly address: string;
  readonly tokens: readonly unknown[];
  readonly lockTime: number | string;
  readonly message: string;
}
interface UnsignedForm {
  readonly txId: string;
  readonly version: number;
  readonly networkId: number;
  readonly gasAmount: number;
  readonly gasPrice: string;
  readonly inputs: readonly { readonly outputRef: OutputRef; readonly unlockScript: string }[];
  readonly fixedOutputs: readonly FixedOutput[];
}
export interface TransactionForm {
  readonly unsigned: UnsignedForm;
  readonly scriptExecutionOk: boolean;
  readonly contractInputs: readonly OutputRef[];
  readonly generatedOutputs: readonly unknown[];
  readonly inputSignatures: readonly string[];
  readonly scriptSignatures: readonly string[];
}
export interface BlockForm {
  readonly hash: string;
  readonly timestamp: number;
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly height: number;
  readonly deps: readonly string[];
  readonly transactions: readonly TransactionForm[];
}
export interface BuiltForm {
  readonly unsignedTx: string;
  readonly gasAmount: number;
  readonly gasPrice: string;
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}
export interface SubmittedForm {
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}
export interface ConfirmedForm {
  readonly type: 'Confirmed';
  readonly blockHash: string;
  readonly txIndex: number;
  readonly chainConfirmations: number;
  readonly fromGroupConfirmations: number;
  readonly toGroupConfirmations: number;
}
export type StatusForm =
  | ConfirmedForm
  | { readonly type: 'MemPooled' }
  | { readonly type: 'TxNotFound'; readonly reason?: { readonly code: string; readonly detail: string } };
export interface BalanceForm {
  /** Left out when there are none. */
  readonly tokenBalances?: readonly { readonly id: string; readonly amount: string }[];
  readonly balance: string;
  readonly balanceHint: string;
  readonly lockedBalance: string;
  readonly lockedBalanceHint: string;
  readonly utxoNum: number;
}
export interface UtxosForm {
  readonly utxos: readonly { readonly ref: OutputRef; readonly amount: string; readonly lockTime: number | string }[];
}
export interface DestinationForm {
  readonly address: string;
  readonly attoCoinAmount: string;
  readonly tokens?: readonly { readonly id: string; readonly amount: string }[];
  readonly lockTime?: number;
  readonly message?: string;
}
