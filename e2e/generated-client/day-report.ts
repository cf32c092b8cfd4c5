/** What the day needs besides the interface. */
export interface Surroundings {
  readonly baseUrl: string;
  readonly mnemonic: string;
  readonly walletName: string;
  /** Where a customer pays in. */
  readonly deposit: { readonly address: string; readonly publicKey: string };
  /** A signature over a transaction id by the customer's key, both hexadecimal. */
  readonly signAsCustomer: (txId: string) => string;
}

/** What came out, for the test to compare. */
export interface DayReport {
  readonly activeAddress: string;
  readonly confirmations: number;
  readonly depositedAttoCoin: string;
  readonly blockHasTransaction: boolean;
  readonly spentOutput: { readonly hint: number; readonly key: string };
  readonly unspentAfterwards: number;
  readonly refusal: string;
  readonly chains: number;
}
