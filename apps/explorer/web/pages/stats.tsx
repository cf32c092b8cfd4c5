import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import '../styles/stats.css';
import { parameter, setParameter } from '../router.js';
import { allChains } from '../store/chains.js';
import { reload, useAnswer, useAnswers } from '../store/loaded.js';
import { calmNetwork, coinSymbol, groups, now } from '../store/network.js';
import { hashRates as newestRates, mean, rewardsOf } from '../store/series.js';
import {
  bucketsOf,
  hashesOfBlock,
  type Interval,
  intervalOf,
  isRange,
  rangeOfAge,
  type RangeName,
  ranges,
  sumOfChains,
  type Supply,
  type Values,
} from '../store/statistics.js';
import { fullAmount, shortAmount } from '../parts/attocoins.js';
import { Fact, Facts } from '../parts/card.js';
import { ChainMultiples } from '../parts/charts/chain-multiples.js';
import { ChartCard, type ChartData } from '../parts/charts/chart-card.js';
import { TimeChart } from '../parts/charts/time-chart.js';
import { type Statistics, useFirstTime, useStatistics } from '../parts/charts/use-statistics.js';
import { Choices } from '../parts/choices.js';
import { brief, briefText, count } from '../parts/numbers.js';
import { useSlowly } from '../parts/use-slowly.js';
import { texts } from '../texts.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';

const words = texts.stats;
const dayMs = 86_400_000;

const rateText = (rate: number): string => {
  const { digits, size } = brief(rate);
  return `${digits} ${size}H/s`;
};
/** Without zeros at its end: a mark of a scale. */
const scaleText = (value: number): string => {
  const { digits, size } = brief(value);
  return `${Number(digits)}${size}`;
};
const rateScaleText = (rate: number): string => {
  const { digits, size } = brief(rate);
  return rate === 0 ? '0' : `${Number(digits)} ${size}H/s`;
};

const lastOf = (values: Values): number | undefined => values.findLast((value) => value !== undefined);
const sumOf = (values: Values): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
const fileName = (what: string, { range, interval }: Pick<Statistics, 'range' | 'interval'>): string =>
  `${what}-${range}-${interval}`;

const HashRateCard = ({ statistics }: { readonly statistics: Statistics }) => {
  const { starts, rates, interval, failures, isLoading, retry } = statistics;
  const pointed = useSignal<number | undefined>(undefined);
  const blockText = (rate: number): string => briefText(hashesOfBlock(rate, groups.value));
  const lines = useMemo(() => [{ values: rates, colour: '--group-2', isFilled: true }], [rates]);
  const newest = lastOf(rates) ?? 0;
  const data: ChartData = {
    name: fileName('hash-rate', statistics),
    times: starts,
    timeName: words.time,
    lengthMs: bucketsOf[interval].lengthMs,
    columns: [
      { name: words.rate, values: rates, text: rateText },
      {
        name: words.difficulty,
        values: rates,
        text: (rate) => words.hashes(blockText(rate)),
        exact: (i) => String(hashesOfBlock(rates[i]!, groups.value)),
      },
    ],
  };
  return (
    <ChartCard
      title={words.hashRate}
      data={data}
      hint={
        <>
          <span>
            {words.rate} <b>{rateText(newest)}</b>
          </span>
          <span>
            {words.difficulty} <b>{blockText(newest)}</b> {words.hashesUnit}
          </span>
        </>
      }
      pointed={pointed}
      failure={failures[0]}
      retry={retry}
      isLoading={isLoading}
      empty={<p>{words.empty.rates}</p>}
    >
      <TimeChart
        times={starts}
        lengthMs={data.lengthMs}
        lines={lines}
        scale={rateScaleText}
        label={words.hashRateLabel(`${rateText(newest)}, ${words.hashes(blockText(newest))}`)}
        onPoint={(index) => void (pointed.value = index)}
      />
    </ChartCard>
  );
};

const NoCounts = ({ interval }: { readonly interval: Interval }) => (
  <>
    <p>{words.empty.counts}</p>
    {interval !== 'minutely' && (
      <button type="button" class="button" onClick={() => setParameter('range', 'hour')}>
        {words.lastHour}
      </button>
    )}
  </>
);

const TransactionsCard = ({ statistics }: { readonly statistics: Statistics }) => {
  const { starts, chains, interval, failures, isLoading, retry } = statistics;
  const pointed = useSignal<number | undefined>(undefined);
  const counts = useMemo(() => sumOfChains(chains), [chains]);
  const lines = useMemo(() => [{ values: counts, colour: '--group-0', isBars: true }], [counts]);
  const sum = count(sumOf(counts));
  const most = count(Math.max(0, ...counts.map((value) => value ?? 0)));
  const data: ChartData = {
    name: fileName('transactions', statistics),
    times: starts,
    timeName: words.time,
    lengthMs: bucketsOf[interval].lengthMs,
    columns: [{ name: words.transactions, values: counts, text: count }],
  };
  return (
    <ChartCard
      title={words.transactions}
      data={data}
      hint={
        <>
          <b>{sum}</b> {words.countedIn(words.ranges[statistics.range])}
        </>
      }
      pointed={pointed}
      failure={failures[1]}
      retry={retry}
      isLoading={isLoading}
      empty={<NoCounts interval={interval} />}
    >
      <TimeChart
        times={starts}
        lengthMs={data.lengthMs}
        lines={lines}
        scale={scaleText}
        label={words.transactionsLabel(sum, most)}
        onPoint={(index) => void (pointed.value = index)}
      />
    </ChartCard>
  );
};

const ChainsCard = ({ statistics }: { readonly statistics: Statistics }) => {
  const { starts, chains, interval, failures, isLoading, retry } = statistics;
  const data: ChartData = {
    name: fileName('transactions-by-chain', statistics),
    times: starts,
    timeName: words.time,
    lengthMs: bucketsOf[interval].lengthMs,
    columns: allChains(groups.value).map(({ chainFrom, chainTo }, i) => ({
      name: `${chainFrom} → ${chainTo}`,
      values: chains[i]!,
      text: count,
    })),
  };
  return (
    <ChartCard
      title={words.chains}
      data={data}
      hint={words.chainsHint}
      failure={failures[1]}
      retry={retry}
      isLoading={isLoading}
      empty={<NoCounts interval={interval} />}
    >
      <ChainMultiples chains={chains} />
    </ChartCard>
  );
};

const mostOfPage = 100;
/** Days that a range shows: the supply is counted once a day. */
const daysOf = (range: RangeName): number => Math.max(30, Math.floor(ranges[range].ms / dayMs));

/** Whole coins of an amount in attoCoin: exact enough for a picture. */
const coins = (amount: string): number => Number(BigInt(amount) / 10n ** 12n) / 1e6;

const supplyParts = ['total', 'circulating', 'locked'] as const;
const colours = { total: '--text', circulating: '--group-0', locked: '--group-1' } as const;

/** The days of a range or their Sundays, oldest first, and at last the supply of now. */
const useSupply = (range: RangeName, isWeekly: boolean) => {
  const days = daysOf(range);
  const pages = Array.from({ length: Math.ceil(days / mostOfPage) }, (_, i) => i + 1);
  const paths = pages.map((page) => `infos/supply?limit=${Math.min(days, mostOfPage)}&page=${page}`);
  const answers = useAnswers<readonly Supply[]>(paths, Math.floor(now.value / dayMs));
  const version = useSlowly(calmNetwork.value.stats?.totalBlocks);
  const { value: current = [] } = useAnswer<readonly Supply[]>('infos/supply/now', version);
  const rows = useMemo(() => {
    const counted = answers
      .flatMap(({ value = [] }) => value)
      .slice(0, days)
      .filter(({ timestamp }) => !isWeekly || new Date(timestamp).getUTCDay() === 0)
      .reverse();
    return [...counted, ...current.filter(({ timestamp }) => timestamp > (counted.at(-1)?.timestamp ?? 0))];
  }, [...answers.map(({ value }) => value), current, days, isWeekly]);
  return {
    rows,
    failure: answers.find(({ failure }) => failure !== undefined)?.failure,
    isLoading: answers.some(({ isLoading }) => isLoading),
    retry: () => paths.forEach((path) => void reload(path)),
  };
};

const SupplyCard = ({ range, interval }: { readonly range: RangeName; readonly interval: Interval }) => {
  const pointed = useSignal<number | undefined>(undefined);
  const isWeekly = interval === 'weekly';
  const { rows, failure, isLoading, retry } = useSupply(range, isWeekly);
  const lines = useMemo(
    () =>
      supplyParts.map((part) => ({
        values: rows.map((row) => coins(row[part])),
        colour: colours[part],
        isFilled: part === 'circulating',
      })),
    [rows],
  );
  const newest = rows.at(-1);
  const text = (amount: string | undefined): string => `${briefText(coins(amount ?? '0'))} ${coinSymbol.value}`;
  const data: ChartData = {
    name: fileName('supply', { range, interval: isWeekly ? 'weekly' : 'daily' }),
    times: rows.map(({ timestamp }) => timestamp),
    timeName: words.day,
    lengthMs: dayMs,
    columns: supplyParts.map((part, i) => ({
      name: words.supplyParts[part],
      values: lines[i]!.values,
      text: (value) => count(Math.round(value)),
      exact: (at) => fullAmount(BigInt(rows[at]![part])).replaceAll(',', ''),
    })),
  };
  return (
    <ChartCard
      title={`${words.supply} (${coinSymbol.value})`}
      data={data}
      hint={supplyParts.map((part) => (
        <span key={part} title={`${shortAmount(BigInt(newest?.[part] ?? 0))} ${coinSymbol.value}`}>
          <span class={`swatch of-${part}`} aria-hidden="true" /> {words.supplyParts[part]}{' '}
          <b>{briefText(coins(newest?.[part] ?? '0'))}</b>
        </span>
      ))}
      pointed={pointed}
      failure={failure}
      retry={retry}
      isLoading={isLoading}
      empty={<p>{words.empty.supply}</p>}
    >
      <TimeChart
        times={data.times}
        lengthMs={data.lengthMs}
        lines={lines}
        scale={scaleText}
        label={words.supplyLabel(text(newest?.total), text(newest?.circulating))}
        onPoint={(index) => void (pointed.value = index)}
      />
    </ChartCard>
  );
};

/** Numbers of this moment. */
const Newest = () => {
  const { stats, blocks } = calmNetwork.value;
  const asked = useAnswer<number>('infos/total-transactions');
  const rate = mean(newestRates(blocks));
  const total = stats?.totalTransactions ?? asked.value;
  const { averageBlockTimeMs = 0 } = stats ?? {};
  return (
    <Facts>
      <Fact name={words.now} hint={texts.figures.hashRateHint}>
        {blocks.length === 0 ? '…' : rateText(rate)}
      </Fact>
      <Fact name={words.difficulty} hint={words.hashesUnit}>
        {blocks.length === 0 ? '…' : briefText(hashesOfBlock(rate, groups.value))}
      </Fact>
      <Fact name={texts.figures.blockTime} hint={texts.figures.blockTimeHint}>
        {averageBlockTimeMs > 0 ? texts.chain.seconds((averageBlockTimeMs / 1_000).toFixed(1)) : '—'}
      </Fact>
      <Fact
        name={words.counted}
        hint={
          stats === undefined
            ? undefined
            : texts.figures.totalHint(count(rewardsOf(stats.totalBlocks, groups.value)), count(stats.totalBlocks))
        }
      >
        {total === undefined ? '…' : count(total)}
      </Fact>
      <Fact name={texts.figures.waiting}>{count(calmNetwork.value.pendingCount)}</Fact>
    </Facts>
  );
};

interface ChartsProps {
  readonly range: RangeName;
  readonly interval: Interval;
  readonly first: number;
}

const Charts = ({ range, interval, first }: ChartsProps) => {
  const statistics = useStatistics(range, interval, first);
  return (
    <div class="charts">
      <HashRateCard statistics={statistics} />
      <TransactionsCard statistics={statistics} />
      <ChainsCard statistics={statistics} />
      <SupplyCard range={range} interval={interval} />
    </div>
  );
};

/** How does the network grow? */
export const StatsPage = () => {
  useTabTitle(words.title);
  const first = useFirstTime();
  const chosen = parameter('range') ?? '';
  const fitting = first === undefined ? undefined : rangeOfAge(now.peek() - first);
  const range = isRange(chosen) ? chosen : fitting;
  const interval = range && intervalOf(range, parameter('by'));
  const names = Object.keys(ranges) as RangeName[];
  return (
    <>
      <PageTitle title={words.title} intro={words.intro}>
        {range !== undefined && (
          <div class="chart-choices">
            <Choices
              label={words.range}
              values={names.map((name) => [name, words.ranges[name]] as const)}
              chosen={range}
              onChoose={(name) => setParameter('range', name)}
            />
            {ranges[range].intervals.length > 1 && (
              <Choices
                label={words.interval}
                values={ranges[range].intervals.map((each) => [each, words.intervals[each]] as const)}
                chosen={interval!}
                onChoose={(each) => setParameter('by', each)}
              />
            )}
          </div>
        )}
      </PageTitle>
      <Newest />
      {range !== undefined && interval !== undefined && first !== undefined && (
        <Charts range={range} interval={interval} first={first} />
      )}
    </>
  );
};
