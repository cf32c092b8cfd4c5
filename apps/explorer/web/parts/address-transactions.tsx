import { useSignal } from '@preact/signals';
import { balancesAfter } from '../store/balances.js';
import { type MempoolTransaction, type Transaction } from '../store/forms.js';
import { type AnyTransaction, changes, counterparties, isKnownAt, type Way, wayOf } from '../store/payments.js';
import { texts } from '../texts.js';
import { AddressLink, ChainBadge, TransactionLink } from './links.js';
import { Age, Amount } from './values.js';

const arrows: Readonly<Record<Way, string>> = { in: '↓', out: '↑', self: '↻', exchange: '⇅', reward: '↓' };

const WayMark = ({ way }: { readonly way: Way }) => (
  <span class={`way ${way}`}>
    <span aria-hidden="true">{arrows[way]}</span> {texts.address.ways[way]}
  </span>
);

const Counterparty = ({ addresses }: { readonly addresses: readonly string[] }) => (
  <span class="parties">
    {addresses[0] !== undefined && <AddressLink id={addresses[0]} first={8} last={6} />}
    {addresses.length > 1 && <span class="more">+{addresses.length - 1}</span>}
  </span>
);

/** Assets of a transaction that a row shows. */
const mostAmounts = 2;

const Amounts = ({ transaction, own }: { readonly transaction: AnyTransaction; readonly own: string }) => {
  if (!isKnownAt(transaction, own)) return <span class="quiet">{texts.address.unknownAmount}</span>;
  const changed = changes(transaction).filter(({ address }) => address === own);
  const tokensFirst = [...changed.filter(({ token }) => token), ...changed.filter(({ token }) => !token)];
  return (
    <span class="amounts">
      {tokensFirst.slice(0, mostAmounts).map(({ token, amount }) => (
        <Amount key={token} token={token} amount={amount} isSigned />
      ))}
      {tokensFirst.length > mostAmounts && <span class="more">+{tokensFirst.length - mostAmounts}</span>}
      {tokensFirst.length === 0 && <Amount amount={0n} />}
    </span>
  );
};

interface RowProps {
  readonly transaction: Transaction | MempoolTransaction;
  readonly own: string;
  /** Whether the table shows the balance after each. */
  readonly hasBalance: boolean;
  /** After it, attoCoin; undefined: not known, or it waits. */
  readonly balance?: bigint | undefined;
  readonly isFresh: boolean;
}

const TransactionRow = ({ transaction, own, hasBalance, balance, isFresh }: RowProps) => {
  const isPending = !('blockHash' in transaction);
  return (
    <tr class={isFresh ? 'fresh' : ''}>
      <td>
        <ChainBadge {...transaction} />
      </td>
      <td>
        <TransactionLink id={transaction.hash} />
        {isPending && <span class="tag waits">{texts.address.pending}</span>}
      </td>
      <td class="wide-only">
        <WayMark way={wayOf(transaction, own)} />
      </td>
      <td class="wide-only">
        <Counterparty addresses={counterparties(transaction, own)} />
      </td>
      <td class="number">
        <Amounts transaction={transaction} own={own} />
      </td>
      {hasBalance && (
        <td class="number wide-only after">
          {balance === undefined ? <span class="quiet">—</span> : <Amount amount={balance} />}
        </td>
      )}
      <td class="number quiet">
        <Age timestamp={isPending ? transaction.lastSeen : transaction.timestamp} />
      </td>
    </tr>
  );
};

interface AddressTransactionsProps {
  readonly own: string;
  /** After the newest confirmed one, attoCoin; undefined: not known, so it is not shown. */
  readonly balance?: bigint;
  readonly pending: readonly MempoolTransaction[];
  readonly confirmed: readonly Transaction[];
}

/** Transactions of an address as a table: in or out, with whom, how much, what it had then. Those that wait come first. */
export const AddressTransactions = ({ own, balance, pending, confirmed }: AddressTransactionsProps) => {
  const opened = useSignal(Date.now());
  const hasBalance = balance !== undefined;
  const balances = hasBalance ? balancesAfter(balance, confirmed, own) : [];
  const words = texts.address;
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{words.transactions}</caption>
        <thead>
          <tr>
            <th>{texts.latest.chain}</th>
            <th>{texts.latest.transaction}</th>
            <th class="wide-only">{words.way}</th>
            <th class="wide-only">{words.counterparty}</th>
            <th class="number">{words.amount}</th>
            {hasBalance && <th class="number wide-only">{words.balanceAfter}</th>}
            <th class="number">{words.age}</th>
          </tr>
        </thead>
        <tbody>
          {pending.map((transaction, place) => (
            <TransactionRow key={place} transaction={transaction} own={own} hasBalance={hasBalance} isFresh={false} />
          ))}
          {confirmed.map((transaction, i) => (
            <TransactionRow
              key={pending.length + i}
              transaction={transaction}
              own={own}
              hasBalance={hasBalance}
              balance={balances[i]}
              isFresh={transaction.timestamp > opened.value}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};
