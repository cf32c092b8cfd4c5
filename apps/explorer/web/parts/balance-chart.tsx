import { useSignal } from '@preact/signals';
import { type AmountHistory, type BalancePoint, balancesOf, balancesSince } from '../store/balances.js';
import { type AddressInfo, type Transaction } from '../store/forms.js';
import { useAnswer } from '../store/loaded.js';
import { coinSymbol, now } from '../store/network.js';
import { texts } from '../texts.js';
import { shortAmount } from './attocoins.js';
import { Card } from './card.js';
import { Marks } from './charts/marks.js';
import { baseOf, type Plot, plotOf, stepPaths, valueMarks } from './charts/plot.js';
import { Choices } from './choices.js';
import { useWidth } from './use-width.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

type Range = 'day' | 'month' | 'all';

/** How far back, and in which steps the service counts: no more days than it allows at first. */
const ranges: Readonly<Record<Range, { readonly lengthMs: number; readonly interval: 'hourly' | 'daily' }>> = {
  day: { lengthMs: dayMs, interval: 'hourly' },
  month: { lengthMs: 30 * dayMs, interval: 'daily' },
  all: { lengthMs: 365 * dayMs, interval: 'daily' },
};

/** An address with more transactions is counted when somebody asks for it: each count reads all of them. */
const mostCounted = 10_000;

interface BalanceChartProps {
  readonly address: string;
  readonly info: AddressInfo;
  /** Newest first, not those of genesis, which may be years away from the next one. */
  readonly transactions: readonly Transaction[];
  /** Whether there are no others. */
  readonly areAll: boolean;
  /** Class of the colour. */
  readonly colour: string;
}

/** The balance since the chosen time, oldest first; the listed transactions alone while none is chosen. */
const useBalances = ({ address, info, transactions, areAll }: BalanceChartProps, range: Range | undefined) => {
  const listed = balancesOf(BigInt(info.balance), transactions, address);
  const oldest = listed[0]?.timestamp ?? now.value;
  const until = Math.ceil(now.value / hourMs) * hourMs;
  const { lengthMs, interval } = ranges[range ?? 'all'];
  const from = range === undefined ? oldest : until - lengthMs;
  const isWhole = areAll || oldest <= from;
  const path = `addresses/${address}/amount-history?fromTs=${until - lengthMs}&toTs=${until}&interval-type=${interval}`;
  const { value } = useAnswer<AmountHistory>(isWhole ? undefined : path);
  const points = balancesSince(from, listed, isWhole ? undefined : value);
  const change = points[1]?.timestamp;
  if (range !== 'all' || change === undefined) return points;
  // All that happened: nothing did before the first change.
  const start = Math.max(from, change - (now.value - change) * leadingPart);
  return [{ ...points[0]!, timestamp: start }, ...points.slice(1)];
};

/** Of the time with changes: so much is shown before the first one. */
const leadingPart = 0.04;

/** An amount as a number: exact enough for a picture. */
const coins = (amount: bigint): number => Number(amount / 10n ** 9n) / 1e9;

const scale = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 9 });

const height = 190;
/** Pixels for a digit of a mark, and around the plot. */
const [digitWidth, margins] = [7, { left: 12, right: 22, top: 10, bottom: 30 }];

const Picture = ({ points, width }: { readonly points: readonly BalancePoint[]; readonly width: number }) => {
  const [times, values] = [points.map(({ timestamp }) => timestamp), points.map(({ balance }) => coins(balance))];
  const base = baseOf(values);
  const above = values.map((value) => value - base);
  const markOf = (value: number): string => scale(value + base);
  const plotFrom = (left: number): Plot => {
    const area = { left, right: width - margins.right, top: margins.top, bottom: height - margins.bottom };
    return plotOf(area, [times[0]!], Math.max(1, now.value - times[0]!), [above]);
  };
  const longest = Math.max(...valueMarks(plotFrom(0)).map((value) => markOf(value).length));
  const plot = plotFrom(margins.left + digitWidth * longest);
  const { line, area } = stepPaths(plot, times, above);
  return (
    <svg width={width} height={height} aria-hidden="true">
      <Marks plot={plot} scale={markOf} />
      <path class="area" d={area} />
      <path class="line" d={line} />
    </svg>
  );
};

/** The balance over time: a day, a month, or all that is listed and counted. */
export const BalanceChart = (props: BalanceChartProps) => {
  const { element, width } = useWidth();
  const chosen = useSignal<Range | undefined>(props.info.txNumber <= mostCounted ? 'all' : undefined);
  const points = useBalances(props, chosen.value);
  const amounts = points.map(({ balance }) => balance).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [least, most] = [amounts[0]!, amounts.at(-1)!].map((amount) => shortAmount(amount));
  const words = texts.address;
  return (
    <Card
      title={words.chart}
      aside={
        <Choices
          label={words.chartTime}
          values={(Object.keys(ranges) as Range[]).map((range) => [range, words.chartRanges[range]] as const)}
          chosen={chosen.value}
          onChoose={(range) => void (chosen.value = range)}
        />
      }
      class={`balance-chart ${props.colour}`}
    >
      <div ref={element} role="img" aria-label={words.chartLabel(least!, most!, coinSymbol.value)}>
        {width > 0 && <Picture points={points} width={width} />}
      </div>
      <p class="quiet">{words.chartRange(least!, most!, coinSymbol.value)}</p>
    </Card>
  );
};
