import { type MempoolTransaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { coinSymbol, groups, network, now } from '../store/network.js';
import { areSendersKnown, feeOf, moved } from '../store/payments.js';
import { waitingLanes } from '../store/waiting.js';
import { shortAmount } from '../parts/attocoins.js';
import { Card, Failure } from '../parts/card.js';
import { ChainBadge, TransactionLink } from '../parts/links.js';
import { count, span } from '../parts/numbers.js';
import { Parties } from '../parts/transactions.js';
import { useSlowly } from '../parts/use-slowly.js';
import { Age, Amount } from '../parts/values.js';
import { pointedAt, soughtId, WaitingLanesCard } from '../parts/waiting-lanes.js';
import { texts } from '../texts.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';

const limit = 100;
const path = `mempool/transactions?limit=${limit}`;
const nanoDecimals = 9;

const PendingRow = ({ transaction }: { readonly transaction: MempoolTransaction }) => {
  const { hash, gasPrice, lastSeen } = transaction;
  const point = (): void => void (pointedAt.value = hash);
  const isSought = hash === soughtId();
  return (
    <tr
      class={pointedAt.value === hash || isSought ? 'pointed' : ''}
      data-row={hash}
      onPointerEnter={point}
      onFocusIn={point}
    >
      <td>
        <ChainBadge {...transaction} />
      </td>
      <td>
        <TransactionLink id={hash} />
        {isSought && <span class="tag waits">{texts.pending.sought}</span>}
      </td>
      <td class="wide-only">
        <Parties transaction={transaction} />
      </td>
      <td class="number wide-only">
        {areSendersKnown(transaction) ? <Amount {...moved(transaction)} /> : texts.address.unknownAmount}
      </td>
      <td class="number">
        <Amount amount={feeOf(transaction)} />
      </td>
      <td class="number wide-only">
        {shortAmount(BigInt(gasPrice), nanoDecimals)} <span class="quiet">n{coinSymbol.value}</span>
      </td>
      <td class="number quiet">
        <Age timestamp={lastSeen} />
      </td>
    </tr>
  );
};

const PendingTable = ({ transactions }: { readonly transactions: readonly MempoolTransaction[] }) => (
  <div class="scroll" onPointerLeave={() => void (pointedAt.value = undefined)}>
    <table>
      <caption class="unseen">{texts.pending.title}</caption>
      <thead>
        <tr>
          <th>{texts.latest.chain}</th>
          <th>{texts.latest.transaction}</th>
          <th class="wide-only">{texts.latest.fromTo}</th>
          <th class="number wide-only">{texts.latest.moved}</th>
          <th class="number">{texts.transaction.fee}</th>
          <th class="number wide-only">{texts.pending.gasPrice}</th>
          <th class="number">{texts.latest.age}</th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <PendingRow key={transaction.hash} transaction={transaction} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Why does mine wait? */
export const PendingPage = () => {
  const { pending, pendingCount } = network.value;
  const words = texts.pending;
  const { value = [], failure, isLoading } = useAnswer<readonly MempoolTransaction[]>(path, useSlowly(pending));
  const waiting = waitingLanes(pending.values(), groups.value, now.value);
  useTabTitle(words.title);
  const isCut = value.length === limit && pendingCount > limit;
  return (
    <>
      <PageTitle
        title={words.title}
        intro={
          waiting.oldestMs === undefined ? words.nothing : words.waits(count(pendingCount), span(waiting.oldestMs))
        }
      />
      <WaitingLanesCard waiting={waiting} />
      <Card
        title={words.list}
        aside={<span class="quiet">{isCut ? words.newest(limit, count(pendingCount)) : words.oldestFirst}</span>}
        class="table"
      >
        {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
        {failure === undefined && value.length === 0 && (
          <p class="empty">{isLoading ? texts.loading : words.nothingHint}</p>
        )}
        {value.length > 0 && <PendingTable transactions={value.toReversed()} />}
      </Card>
    </>
  );
};
