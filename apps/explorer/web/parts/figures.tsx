import { type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { calmNetwork, coinSymbol, groups, now, pendingCounts } from '../store/network.js';
import { reload, useAnswer } from '../store/loaded.js';
import { blockTimes, hashRates, mean, rewardsOf, transactionsPerSecond, transactionTotals } from '../store/series.js';
import { texts } from '../texts.js';
import { sparkPaths } from './loom/geometry.js';
import { brief, count, span } from './numbers.js';

interface FigureProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly unit?: string;
  readonly hint: ComponentChildren;
  readonly series: readonly number[];
  readonly colour: string;
}

const [width, height] = [100, 30];
const fewestPoints = 3;

const Figure = ({ name, value, unit, hint, series, colour }: FigureProps) => {
  const isDrawn = series.length >= fewestPoints;
  const { line, area } = isDrawn ? sparkPaths(series, width, height) : { line: '', area: '' };
  return (
    <div class={`card figure ${colour}`}>
      <dt>{name}</dt>
      <dd class="figure-value">
        {value}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </dd>
      <dd class="quiet">{hint}</dd>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d={area} />
        <path class="line" d={line} />
      </svg>
    </div>
  );
};

interface ChainDuration {
  readonly duration: number;
}
interface Supply {
  readonly total: string;
  readonly circulating: string;
}

const refreshMs = 30_000;
const paths = [
  'infos/total-transactions',
  'infos/average-block-times',
  'infos/supply?limit=30',
  'infos/supply/now',
] as const;
const minuteMs = 60_000;

/** Whole coins of an amount in attoCoin: exact enough for a figure. */
const coins = (amount: string): number => Number(BigInt(amount) / 10n ** 18n);

const inWords = (value: number): { readonly digits: string; readonly unit?: string } =>
  value < 1e6 ? { digits: count(value) } : { digits: (value / 1e6).toFixed(2), unit: texts.figures.unit.millions };

const PerSecond = () => {
  const { blocks } = calmNetwork.value;
  const at = now.value;
  const recent = blocks.filter(({ timestamp, height: of }) => of > 0 && timestamp > at - 10 * minuteMs);
  const transactions = recent.reduce((sum, { txNumber }) => sum + txNumber - 1, 0);
  const spanMs = Math.max(1_000, at - (recent.at(-1)?.timestamp ?? at));
  const hint = texts.figures.perSecondHint(count(transactions), span(spanMs).split(' ').slice(0, 2).join(' '));
  const { digits } = brief((transactions * 1_000) / spanMs);
  return (
    <Figure
      name={texts.figures.perSecond}
      value={digits}
      hint={hint}
      series={transactionsPerSecond(recent, at)}
      colour="group-0"
    />
  );
};

const Total = () => {
  const { stats, blocks, heads } = calmNetwork.value;
  const asked = useAnswer<number>(paths[0]);
  const total = stats?.totalTransactions ?? asked.value;
  const inBlocks =
    stats?.totalBlocks ?? heads.reduce((sum, head) => sum + (head === undefined ? 0 : head.height + 1), 0);
  const { digits, unit } = inWords(total ?? 0);
  return (
    <Figure
      name={texts.figures.total}
      value={total === undefined ? '…' : digits}
      unit={unit}
      hint={texts.figures.totalHint(count(rewardsOf(inBlocks, groups.value)), count(inBlocks))}
      series={
        total === undefined
          ? []
          : transactionTotals(
              blocks.filter(({ height: of }) => of > 0),
              now.value,
              total,
            )
      }
      colour="group-0"
    />
  );
};

const HashRate = () => {
  const rates = hashRates(calmNetwork.value.blocks);
  const { digits, size } = brief(mean(rates));
  return (
    <Figure
      name={texts.figures.hashRate}
      value={rates.length === 0 ? '…' : digits}
      unit={`${size}H/s`}
      hint={texts.figures.hashRateHint}
      series={rates}
      colour="group-2"
    />
  );
};

const BlockTime = () => {
  const { stats, blocks } = calmNetwork.value;
  const asked = useAnswer<readonly ChainDuration[]>(paths[1]).value ?? [];
  const times = asked.map(({ duration }) => duration).filter((duration) => duration > 0);
  const average = stats?.averageBlockTimeMs || mean(times);
  const [digits, unit] =
    average < minuteMs ? [(average / 1_000).toFixed(1), 's'] : [(average / minuteMs).toFixed(1), 'min'];
  return (
    <Figure
      name={texts.figures.blockTime}
      value={average === 0 ? '…' : digits}
      unit={average === 0 ? undefined : unit}
      hint={texts.figures.blockTimeHint}
      series={blockTimes(blocks, groups.value)}
      colour="group-1"
    />
  );
};

const Waiting = () => {
  const { pendingCount, pending } = calmNetwork.value;
  const seen = [...pending.values()].map(({ lastSeen }) => lastSeen);
  const oldest = Math.max(0, now.value - Math.min(...seen));
  return (
    <Figure
      name={texts.figures.waiting}
      value={count(pendingCount)}
      hint={seen.length === 0 ? texts.figures.noneWaits : texts.figures.oldest(span(oldest))}
      series={pendingCounts.value}
      colour="group-3"
    />
  );
};

const Supplied = () => {
  const days = useAnswer<readonly Supply[]>(paths[2]).value ?? [];
  const [newest] = useAnswer<readonly Supply[]>(paths[3]).value ?? [];
  const { digits, unit } = inWords(newest === undefined ? 0 : coins(newest.circulating));
  const total = inWords(newest === undefined ? 0 : coins(newest.total));
  return (
    <Figure
      name={texts.figures.supply}
      value={newest === undefined ? '—' : digits}
      unit={newest === undefined ? undefined : (unit ?? coinSymbol.value)}
      hint={
        newest === undefined
          ? texts.figures.noSupply
          : texts.figures.supplyHint([total.digits, total.unit].filter((part) => part !== undefined).join(' '))
      }
      series={days.map(({ circulating }) => coins(circulating)).reverse()}
      colour="plain"
    />
  );
};

/** Six numbers about the whole network. */
export const Figures = () => {
  useEffect(() => {
    const timer = setInterval(() => paths.forEach((path) => void reload(path)), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <dl class="figures">
      <PerSecond />
      <Total />
      <HashRate />
      <BlockTime />
      <Waiting />
      <Supplied />
    </dl>
  );
};
