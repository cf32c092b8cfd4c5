/** What came out, for the test to compare. */
export interface AccountStatement {
  readonly balance: string;
  /** From the inputs and outputs of all transactions. */
  readonly computedBalance: string;
  readonly txNumber: number;
  readonly transactions: number;
  readonly lockedOutputs: number;
  /** Of its fungible tokens. */
  readonly symbols: readonly string[];
  readonly stateFields: readonly string[];
  readonly chains: number;
  /** Transactions in the file. */
  readonly exported: number;
  readonly refusal: string;
}
