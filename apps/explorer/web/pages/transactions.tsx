import { useRef } from 'preact/hooks';
import '../styles/transactions.css';
import { parameter } from '../router.js';
import { newestPayment } from '../store/block-rows.js';
import { type Transaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { calmNetwork } from '../store/network.js';
import { pageNumbers } from '../store/page-numbers.js';
import { paymentsOf } from '../store/series.js';
import { Card, Failure } from '../parts/card.js';
import { Link } from '../parts/links.js';
import { count } from '../parts/numbers.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';
import { TransactionTable } from '../parts/transactions.js';
import { useReading } from '../parts/use-reading.js';
import { useSlowly } from '../parts/use-slowly.js';
import { texts } from '../texts.js';
import { transactionsTexts } from '../texts/transactions.js';

const rowsOfPage = 50;
const words = transactionsTexts;
const title = texts.stats.transactions;

const pathOf = (page: number): string => (page === 1 ? 'transactions' : `transactions?page=${page}`);

/** Links to the pages of the list. */
const Pages = ({ current, last }: { readonly current: number; readonly last: number }) => (
  <nav class="pages" aria-label={words.pages}>
    {current > 1 && <Link to={pathOf(current - 1)}>‹ {words.newer}</Link>}
    {pageNumbers(current, last).map((page, i) =>
      page === undefined ? (
        <span key={`gap ${i}`}>…</span>
      ) : (
        <Link key={page} to={pathOf(page)} class="number" current={page === current ? 'page' : undefined}>
          {count(page)}
        </Link>
      ),
    )}
    {current < last && <Link to={pathOf(current + 1)}>{words.older} ›</Link>}
  </nav>
);

/** Who paid whom, ever? */
export const TransactionsPage = () => {
  const { stats, blocks, groups } = calmNetwork.value;
  const current = Math.max(1, Number(/^\d{1,7}$/.exec(parameter('page') ?? '')?.[0] ?? 1));
  const { element, listeners, isReading } = useReading();
  const newest = useSlowly(newestPayment(blocks));
  // What is read stays. Older pages move with each payment, so they are read once.
  const shown = useRef(newest);
  if (!isReading) shown.current = newest;
  const path = `transactions?payments=true&limit=${rowsOfPage}&page=${current}`;
  const { value, failure, isLoading } = useAnswer<readonly Transaction[]>(path, current === 1 ? shown.current : '');
  const total = stats && paymentsOf(stats.totalTransactions, stats.totalBlocks, groups);
  const showNew = (): void => {
    shown.current = newest;
    void reload(path);
    scrollTo({ top: 0 });
  };
  useTabTitle(title);
  return (
    <>
      <PageTitle title={title} intro={words.intro} />
      <div ref={element} {...listeners}>
        <Card
          title={texts.blocks.list}
          aside={
            current === 1 && shown.current !== newest ? (
              <button type="button" class="button small" onClick={showNew}>
                {words.fresh}
              </button>
            ) : (
              total !== undefined && <span class="quiet number">{texts.blocks.total(count(total))}</span>
            )
          }
          class="table"
        >
          {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
          {failure === undefined && (value ?? []).length === 0 && (
            <p class="empty">{isLoading ? texts.loading : current === 1 ? texts.latest.noTransactions : words.none}</p>
          )}
          {value !== undefined && value.length > 0 && <TransactionTable transactions={value} caption={title} />}
          {total !== undefined && <Pages current={current} last={Math.ceil(total / rowsOfPage)} />}
        </Card>
      </div>
    </>
  );
};
