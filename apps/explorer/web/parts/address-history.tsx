import { type ComponentChildren } from 'preact';
import { onPlainClick, parameter, setParameters, withParameters } from '../router.js';
import { type AddressInfo, type MempoolTransaction, type Transaction } from '../store/forms.js';
import { type ShownList, useList } from '../store/list.js';
import { now } from '../store/network.js';
import { pageNumbers } from '../store/page-numbers.js';
import { senders } from '../store/payments.js';
import { texts } from '../texts.js';
import { AddressTransactions } from './address-transactions.js';
import { Card } from './card.js';
import { Choices } from './choices.js';
import { CsvCard } from './csv-card.js';
import { ListState, More } from './list-parts.js';
import { count } from './numbers.js';

/** Transactions of a page. */
export const pageLimit = 20;

const dayMs = 86_400_000;

type Direction = 'all' | 'in' | 'out';

/** The part of the list that the address of the page names. */
interface Chosen {
  readonly direction: Direction;
  /** The last day, UTC: `2026-11-29`; undefined: today. */
  readonly until: string | undefined;
  /** From 1. */
  readonly page: number;
}

const chosenPart = (): Chosen => {
  const [direction, until, page] = [parameter('direction'), parameter('until'), Number(parameter('page'))];
  return {
    direction: direction === 'in' || direction === 'out' ? direction : 'all',
    until: until !== undefined && /^\d{4}-\d\d-\d\d$/.test(until) && !isNaN(Date.parse(until)) ? until : undefined,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
};

/** Another choice begins at its first page. */
const choose = (values: Partial<Record<keyof Chosen, string | undefined>>): void =>
  setParameters({ page: undefined, ...values });

const pathOf = (address: string, { direction, until, page }: Chosen): string => {
  const list =
    until === undefined ? 'transactions?' : `timeranged-transactions?fromTs=0&toTs=${Date.parse(until) + dayMs - 1}&`;
  return `addresses/${address}/${list}limit=${pageLimit}${direction === 'all' ? '' : `&direction=${direction}`}&page=${page}`;
};

const isWhole = ({ direction, until }: Chosen): boolean => direction === 'all' && until === undefined;

const Pager = ({ page, last }: { readonly page: number; readonly last: number }) =>
  Math.max(page, last) === 1 ? null : (
    <nav class="pager" aria-label={texts.address.pages}>
      {pageNumbers(page, last).map((number, i) => {
        if (number === undefined) return <span key={-i}>…</span>;
        const values = { page: number === 1 ? undefined : String(number) };
        return (
          <a
            key={number}
            href={withParameters(values)}
            aria-current={number === page ? 'page' : undefined}
            onClick={(event) => onPlainClick(event, () => setParameters(values))}
          >
            {count(number)}
          </a>
        );
      })}
    </nav>
  );

const isCsvShown = (): boolean => parameter('tab') === 'csv';

/** What is shown of the list, and the button of its file. */
const Filter = ({ chosen: { direction, until } }: { readonly chosen: Chosen }) => {
  const words = texts.address;
  return (
    <>
      <Choices
        label={words.way}
        values={(['all', 'in', 'out'] as const).map((each) => [each, words.directions[each]] as const)}
        chosen={direction}
        onChoose={(each) => choose({ direction: each === 'all' ? undefined : each })}
      />
      <label class="until">
        {words.until}{' '}
        <input
          type="date"
          value={until}
          max={new Date(now.value).toISOString().slice(0, 10)}
          onChange={({ currentTarget: { value } }) => choose({ until: value === '' ? undefined : value })}
        />
      </label>
      <button
        type="button"
        class="button small"
        aria-expanded={isCsvShown()}
        onClick={() => setParameters({ tab: isCsvShown() ? undefined : 'csv' })}
      >
        {texts.csv.tab}
      </button>
    </>
  );
};

interface RowsProps {
  readonly address: string;
  readonly list: ShownList<Transaction>;
  readonly pending: readonly MempoolTransaction[];
  /** After the newest one in a block, attoCoin; undefined: the list does not begin with the newest. */
  readonly balance?: bigint;
  readonly none: string;
  readonly children: ComponentChildren;
}

const Rows = ({ address, list, pending, balance, none, children }: RowsProps) => {
  const rows = [...pending, ...list.rows];
  return (
    <>
      <ListState list={{ ...list, rows }} none={none} />
      {rows.length > 0 && (
        <AddressTransactions own={address} balance={balance} pending={pending} confirmed={list.rows} />
      )}
      <More more={list.more}>{texts.address.more}</More>
      {children}
    </>
  );
};

interface HistoryProps {
  readonly address: string;
  readonly info: AddressInfo;
  /** The newest transactions. */
  readonly list: ShownList<Transaction>;
  readonly pending: readonly MempoolTransaction[];
  /** Changes when the lists may have. */
  readonly version: string;
}

/** A part of the list that does not begin with the newest transaction, or has not all. */
const ChosenRows = ({ address, info, pending, version, chosen }: HistoryProps & { readonly chosen: Chosen }) => {
  const { direction, until, page } = chosen;
  const list = useList<Transaction>(pathOf(address, chosen), version);
  const isOut = (transaction: MempoolTransaction): boolean => senders(transaction).includes(address);
  const shown = pending.filter((each) => direction === 'all' || isOut(each) === (direction === 'out'));
  const known = page + (list.more === undefined ? 0 : 1);
  return (
    <Rows
      address={address}
      list={list}
      pending={page === 1 && until === undefined ? shown : []}
      none={texts.address.noSuchTransactions}
    >
      <Pager page={page} last={isWhole(chosen) ? Math.ceil(info.txNumber / pageLimit) : known} />
    </Rows>
  );
};

/** Transactions of an address: the newest, as they come, or the part that the address of the page names. */
export const AddressHistory = (props: HistoryProps) => {
  const { address, info, list, pending } = props;
  const words = texts.address;
  const chosen = chosenPart();
  return (
    <>
      {isCsvShown() && <CsvCard address={address} />}
      <Card
        title={words.transactions}
        aside={info.txNumber > 0 && <Filter chosen={chosen} />}
        class="table under-tab history"
      >
        {isWhole(chosen) && chosen.page === 1 ? (
          <Rows
            address={address}
            list={list}
            pending={pending}
            balance={BigInt(info.balance)}
            none={words.noTransactions}
          >
            <Pager page={1} last={Math.ceil(info.txNumber / pageLimit)} />
          </Rows>
        ) : (
          <ChosenRows {...props} chosen={chosen} />
        )}
      </Card>
    </>
  );
};
