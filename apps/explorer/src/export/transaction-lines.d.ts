import { type InputAnswer, type OutputAnswer, type TransactionAnswer } from '../answers/transactions.js';
/** What exported lines show of a token. */
export interface TokenUnit {
  readonly symbol: string;
  /** Decimal places. */
  readonly decimals: bigint;
}
/** The part of a transaction that its lines show. */
export type ExportedTransaction = Pick<TransactionAnswer, 'hash' | 'timestamp'> & {
  readonly inputs: readonly Pick<InputAnswer, 'address' | 'attoCoinAmount' | 'tokens'>[];
  readonly outputs: readonly Pick<OutputAnswer, 'address' | 'attoCoinAmount' | 'tokens'>[];
};
export interface ExportedFile {
  readonly address: string;
  readonly coinSymbol: string;
  /** Units of tokens by their ids; others are shown in their smallest unit, by id. */
  readonly units: ReadonlyMap<string, TokenUnit>;
}
export declare const headerLine = 'Date,Amount,Currency,TxHash,FromAddresses,ToAddresses\n';
/**
 * The lines of a transaction in the file of an address: the change of its coins, then that of each token that changed
 * (protocol 08 §5.10).
 */
export declare const linesOf: (
  { hash, timestamp, inputs, outputs }: ExportedTransaction,
  { address, coinSymbol, units }: ExportedFile,
) => string;
/** Header `Content-Disposition` of the file. Times are milliseconds since 1970, `toTs` is the first one after it. */
export declare const dispositionOf: (address: string, fromTs: bigint, toTs: bigint) => string;
