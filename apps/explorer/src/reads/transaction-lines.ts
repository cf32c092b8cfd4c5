import { plainDecimal } from '@shardnode/protocol/primitives';
import { tokenDecimals, smallestUnitOf } from '@shardnode/protocol/primitives/token-decimals';
import { type InputAnswer, type OutputAnswer, type TransactionAnswer } from '../answers/transactions.js';

/** Symbol and decimals of a token in exported lines. */
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
type Party = ExportedTransaction['inputs'][number];

export interface ExportedFile {
  readonly address: string;
  readonly coinSymbol: string;
  /** Units of tokens by their ids; others are shown in their smallest unit, by id. */
  readonly units: ReadonlyMap<string, TokenUnit>;
}

export const headerLine = 'Date,Amount,Currency,TxHash,FromAddresses,ToAddresses\n';

/** A text that a spreadsheet takes as text: symbols are chosen by strangers. */
const asText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** ISO 8601, without milliseconds when they are 0. */
const dateOf = (timestamp: number): string => new Date(timestamp).toISOString().replace('.000Z', 'Z');

const addressesOf = (parties: readonly Party[]): string[] => [
  ...new Set(parties.flatMap(({ address }) => address ?? [])),
];
const coinsOf = ({ attoCoinAmount }: Party): bigint => BigInt(attoCoinAmount ?? 0);
const tokensOf = ({ tokens = [] }: Party, id: string): bigint =>
  tokens.reduce((sum, token) => (token.id === id ? sum + BigInt(token.amount) : sum), 0n);

/**
 * The lines of a transaction in the file of an address: the change of its coins, then that of each token that changed
 * (protocol 08 §5.10).
 */
export const linesOf = (
  { hash, timestamp, inputs, outputs }: ExportedTransaction,
  { address, coinSymbol, units }: ExportedFile,
): string => {
  const changeOf = (amountOf: (party: Party) => bigint): bigint => {
    const sum = (parties: readonly Party[]): bigint =>
      parties.reduce((total, party) => (party.address === address ? total + amountOf(party) : total), 0n);
    return sum(outputs) - sum(inputs);
  };
  const line = (amount: string, currency: string, senders: readonly Party[], receivers: readonly Party[]): string => {
    const from = addressesOf(senders);
    const to = addressesOf(receivers).filter((receiver) => !from.includes(receiver));
    const fields = [dateOf(Number(timestamp)), amount, asText(currency), hash, from.join('-'), to.join('-')];
    return `${fields.map(quoted).join(',')}\n`;
  };
  const tokenLine = (id: string): string => {
    const change = changeOf((party) => tokensOf(party, id));
    if (change === 0n) return '';
    const holds = (party: Party): boolean => tokensOf(party, id) > 0n;
    const [senders, receivers] = [inputs.filter(holds), outputs.filter(holds)];
    const unit = units.get(id);
    const decimals = unit && tokenDecimals(unit.decimals);
    if (unit && decimals !== undefined) return line(plainDecimal(change, decimals), unit.symbol, senders, receivers);
    return line(change.toString(), unit ? smallestUnitOf(unit.symbol) : id, senders, receivers);
  };
  const ids = new Set([...inputs, ...outputs].flatMap(({ tokens = [] }) => tokens.map(({ id }) => id)));
  return [line(plainDecimal(changeOf(coinsOf)), coinSymbol, inputs, outputs), ...[...ids].map(tokenLine)].join('');
};

/** Header `Content-Disposition` of the file. Times are milliseconds since 1970, `toTs` is the first one after it. */
export const dispositionOf = (address: string, fromTs: bigint, toTs: bigint): string =>
  `attachment;filename="${address}-${fromTs}-${toTs}.csv"`;
