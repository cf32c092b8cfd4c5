import { type BalancePoint } from '../store/balances.js';
import { coinSymbol, now } from '../store/network.js';
import { texts } from '../texts.js';
import { shortAmount } from './attocoins.js';
import { Card } from './card.js';
import { stepPaths } from './loom/geometry.js';
import { span } from './numbers.js';

const [width, height] = [1_000, 100];
/** An amount as a number: exact enough for a picture. */
const coins = (amount: bigint): number => Number(amount / 10n ** 9n) / 1e9;

interface BalanceChartProps {
  /** Oldest first. */
  readonly points: readonly BalancePoint[];
  /** Class of the colour. */
  readonly colour: string;
}

/** The balance over the transactions that the list below shows. */
export const BalanceChart = ({ points, colour }: BalanceChartProps) => {
  const start = points[0]!.timestamp;
  const amounts = points.map(({ balance }) => balance);
  const [least, most] = amounts.reduce(
    ([low, high], amount) => [amount < low ? amount : low, amount > high ? amount : high],
    [amounts[0]!, amounts[0]!],
  );
  const steps = points.map(({ timestamp, balance }) => ({ at: timestamp - start, value: coins(balance) }));
  const { line, area } = stepPaths(steps, Math.max(1, now.value - start), width, height);
  const words = texts.address;
  return (
    <Card
      title={words.chart}
      aside={<span class="quiet">{words.chartHint(points.length - 1)}</span>}
      class={`balance-chart ${colour}`}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chartLabel(shortAmount(least), shortAmount(most), coinSymbol.value)}
      >
        <path class="area" d={area} />
        <path class="line" d={line} />
      </svg>
      <p class="quiet">
        <span>{texts.loom.ago(span(Math.max(0, now.value - start)))}</span>
        <span>{words.chartRange(shortAmount(least), shortAmount(most), coinSymbol.value)}</span>
        <span>{texts.loom.now}</span>
      </p>
    </Card>
  );
};
