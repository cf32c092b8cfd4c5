import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { csvOf, type Values } from '../../store/statistics.js';
import { type ApiFailure } from '../../stream/api.js';
import { texts } from '../../texts.js';
import { Card, Failure } from '../card.js';
import { Choices } from '../choices.js';
import { bucketName } from './geometry.js';
import { saveFile } from '../save-file.js';

/** What a chart shows, as a column of its table. */
export interface Column {
  readonly name: string;
  readonly values: Values;
  /** A value as people read it. */
  readonly text: (value: number) => string;
  /** The exact value at an index, for the file; else the value itself. */
  readonly exact?: (index: number) => string;
}

export interface ChartData {
  readonly name: string;
  /** Milliseconds since 1970, oldest first. */
  readonly times: readonly number[];
  /** Name of the column of times. */
  readonly timeName: string;
  /** Milliseconds. */
  readonly lengthMs: number;
  readonly columns: readonly Column[];
}

interface ChartCardProps {
  readonly title: string;
  readonly data: ChartData;
  /** Beside the values that are pointed at; alone while nothing is. */
  readonly hint: ComponentChildren;
  readonly pointed?: Signal<number | undefined>;
  readonly failure?: ApiFailure;
  readonly retry: () => void;
  readonly isLoading: boolean;
  /** What would be here. */
  readonly empty: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Rows with a value, the newest first. */
const rowsOf = ({ times, columns }: ChartData): readonly number[] =>
  times.flatMap((_, i) => (columns.some(({ values }) => values[i] !== undefined) ? [i] : [])).reverse();

const save = (data: ChartData): void => {
  const { name, times, timeName, columns } = data;
  const rows = rowsOf(data).map((i) => [
    new Date(times[i]!).toISOString(),
    ...columns.map(({ values, exact }) => (values[i] === undefined ? '' : (exact?.(i) ?? values[i]))),
  ]);
  const text = csvOf([[timeName, ...columns.map((column) => column.name)], ...rows]);
  saveFile(new Blob([text], { type: 'text/csv' }), `${name}.csv`);
};

const Table = ({ title, data }: { readonly title: string; readonly data: ChartData }) => (
  <div class="chart-table" tabIndex={0} role="region" aria-label={title}>
    <table>
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{data.timeName}</th>
          {data.columns.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsOf(data).map((i) => (
          <tr key={i}>
            <th scope="row">{bucketName(data.times[i]!, data.lengthMs)}</th>
            {data.columns.map(({ name, values, text }) => (
              <td key={name} class="number">
                {values[i] === undefined ? '—' : text(values[i])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The values at the place that is pointed at. */
const Readout = ({ data, hint, pointed }: Pick<ChartCardProps, 'data' | 'hint' | 'pointed'>) => {
  const at = pointed?.value;
  const { times, columns, lengthMs } = data;
  if (at === undefined || times[at] === undefined) return <p class="readout quiet">{hint}</p>;
  const parts = columns.map(({ name, values, text }) => (
    <span key={name}>
      {columns.length > 1 && `${name} `}
      <b>{values[at] === undefined ? texts.stats.noValue : text(values[at])}</b>
    </span>
  ));
  return (
    <p class="readout">
      <span class="quiet">{bucketName(times[at], lengthMs)}</span>
      {parts}
    </p>
  );
};

/** A chart, the same as a table, and as a file. */
export const ChartCard = (props: ChartCardProps) => {
  const { title, data, hint, pointed, failure, retry, isLoading, empty, children } = props;
  const isTable = useSignal(false);
  const words = texts.stats;
  const isEmpty = rowsOf(data).length === 0;
  const views = [
    ['chart', words.chart],
    ['table', words.table],
  ] as const;
  const aside = (
    <>
      <Choices
        label={`${words.view}: ${title}`}
        values={views}
        chosen={isTable.value ? 'table' : 'chart'}
        onChoose={(view) => void (isTable.value = view === 'table')}
      />
      <button type="button" class="button small" disabled={isEmpty} onClick={() => save(data)}>
        {words.csv}
      </button>
    </>
  );
  return (
    <Card title={title} aside={aside} class="chart-card">
      {failure !== undefined && <Failure failure={failure} retry={retry} />}
      {failure === undefined && isEmpty && (
        <div class="no-chart">{isLoading ? <p class="quiet">{texts.loading}</p> : empty}</div>
      )}
      {!isEmpty && (
        <>
          <Readout data={data} hint={hint} pointed={pointed} />
          {isTable.value ? <Table title={title} data={data} /> : children}
        </>
      )}
    </Card>
  );
};
