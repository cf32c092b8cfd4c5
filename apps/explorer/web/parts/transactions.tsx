import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type Amount as AmountOf,
  type AnyTransaction,
  feeOf,
  isToItself,
  moved,
  receivers,
  senders,
} from '../store/payments.js';
import { type Transaction } from '../store/forms.js';
import { texts } from '../texts.js';
import { AddressLink, ChainBadge, TransactionLink } from './links.js';
import { Age, Amount } from './values.js';

/** Who pays whom. */
export const Parties = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const [from, to] = [senders(transaction), receivers(transaction)];
  const more = from.length + to.length - (from.length > 0 ? 1 : 0) - (to.length > 0 ? 1 : 0);
  return (
    <span class="parties">
      {from[0] === undefined ? texts.transaction.reward : <AddressLink id={from[0]} first={5} last={4} />}
      {isToItself(transaction) ? (
        <span class="quiet">{texts.transaction.toItself}</span>
      ) : (
        <>
          <span aria-hidden="true">→</span>
          <span class="unseen"> to </span>
          {to[0] !== undefined && <AddressLink id={to[0]} first={5} last={4} />}
        </>
      )}
      {more > 0 && <span class="more">+{more}</span>}
    </span>
  );
};

const freshMs = 5_000;

interface TransactionRowsProps {
  readonly transactions: readonly Transaction[];
  readonly caption: string;
  /** Without them in the list of one block. */
  readonly hasChain?: boolean;
  /** What is shown as moved. */
  readonly amountOf?: (transaction: AnyTransaction) => AmountOf;
}

/** Transactions as a table: who, to whom, how much. */
export const TransactionTable = ({
  transactions,
  caption,
  hasChain = true,
  amountOf = moved,
}: TransactionRowsProps) => {
  const opened = useSignal(Date.now());
  const { latest } = texts;
  useEffect(() => void (opened.value = Date.now()), []);
  return (
    <div class="scroll">
      <table class="transactions">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {hasChain && <th>{latest.chain}</th>}
            <th>{latest.transaction}</th>
            <th class="wide-only">{latest.fromTo}</th>
            <th class="number">{latest.moved}</th>
            {hasChain && <th class="number">{latest.age}</th>}
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction, place) => (
            <tr key={place} class={hasChain && transaction.timestamp > opened.value - freshMs ? 'fresh' : ''}>
              {hasChain && (
                <td>
                  <ChainBadge {...transaction} />
                </td>
              )}
              <td>
                <TransactionLink id={transaction.hash} />
              </td>
              <td class="wide-only">
                <Parties transaction={transaction} />
              </td>
              <td class="number">
                {amountOf === moved && isToItself(transaction) ? (
                  <span class="quiet">
                    {texts.transaction.onlyFee} <Amount amount={feeOf(transaction)} />
                  </span>
                ) : (
                  <Amount {...amountOf(transaction)} />
                )}
              </td>
              {hasChain && (
                <td class="number quiet">
                  <Age timestamp={transaction.timestamp} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
