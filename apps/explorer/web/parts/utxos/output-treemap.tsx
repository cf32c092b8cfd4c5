import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type UnspentOutput } from '../../store/forms.js';
import { coinSymbol } from '../../store/network.js';
import { shareOf } from '../../store/shares.js';
import { texts } from '../../texts.js';
import { fullAmount, shortAmount } from '../attocoins.js';
import { count, percentText, utc } from '../numbers.js';
import { tintOf } from '../tints.js';
import { useWidth } from '../use-width.js';
import { type Rectangle, type treemapOf } from './treemap.js';

/** Pixels. */
const height = 240;
const [lineHeight, charWidth, padding] = [17, 7.4, 7];

const styleOf = ({ x, y, width, height: high }: Rectangle) => ({
  left: `${x}px`,
  top: `${y}px`,
  width: `${width}px`,
  height: `${high}px`,
});

interface WordsProps {
  readonly inside: Rectangle;
  readonly lines: readonly string[];
}

/** The first of these lines that have room, as text. */
const Words = ({ inside, lines }: WordsProps) => {
  const most = Math.floor((inside.height - padding) / lineHeight);
  const widest = (inside.width - 2 * padding) / charWidth;
  const fitting = lines.slice(0, most);
  if (fitting.length === 0 || fitting[0]!.length > widest) return null;
  return <>{fitting.map((line, i) => (line.length <= widest ? <span key={i}>{line}</span> : null))}</>;
};

interface TileProps {
  readonly output: UnspentOutput;
  readonly rectangle: Rectangle;
  /** attoCoin. */
  readonly whole: bigint;
}

const Tile = ({ output: { txHash, attoCoinAmount, lockTime }, rectangle, whole }: TileProps) => {
  const words = texts.utxos;
  const amount = BigInt(attoCoinAmount);
  const share = shareOf(amount, whole);
  const name = words.output(fullAmount(amount), coinSymbol.value, percentText(share));
  const title = lockTime === undefined ? name : `${name} · ${words.lockedUntil(utc(lockTime))}`;
  return (
    <a
      href={`tx/${txHash}`}
      data-page={`tx/${txHash}`}
      class={`tile tint-${Math.max(1, tintOf(share))} ${lockTime === undefined ? '' : 'locked'}`}
      style={styleOf(rectangle)}
      title={title}
    >
      <Words
        inside={rectangle}
        lines={[shortAmount(amount), ...(lockTime === undefined ? [] : [words.lockedOne]), percentText(share)]}
      />
    </a>
  );
};

interface RestProps {
  readonly amounts: readonly bigint[];
  readonly rectangle: Rectangle;
  /** attoCoin. */
  readonly whole: bigint;
  readonly onShow: () => void;
}

/** For a pointer alone: keys use the button below the picture. */
const Rest = ({ amounts, rectangle, whole, onShow }: RestProps) => {
  const words = texts.utxos;
  const number = count(amounts.length);
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  return (
    <button
      type="button"
      tabIndex={-1}
      class="tile rest"
      style={styleOf(rectangle)}
      title={words.smaller(number, fullAmount(sum), coinSymbol.value, percentText(shareOf(sum, whole)))}
      onClick={onShow}
    >
      <Words inside={rectangle} lines={[words.more(number), shortAmount(sum)]} />
    </button>
  );
};

interface OutputTreemapProps {
  /** The largest first; at least one. */
  readonly outputs: readonly UnspentOutput[];
  /** attoCoin. */
  readonly whole: bigint;
}

/**
 * Unspent outputs as rectangles, each a link to the transaction that made it. Those that are too small to be seen are one
 * rectangle, which shows them alone. What computes it is read when one is shown.
 */
export const OutputTreemap = ({ outputs, whole }: OutputTreemapProps) => {
  const words = texts.utxos;
  const { element, width } = useWidth();
  const compute = useSignal<typeof treemapOf | undefined>(undefined);
  const leftOut = useSignal(0);
  useEffect(() => void import('./treemap.js').then((read) => void (compute.value = read.treemapOf)), []);
  const from = leftOut.value < outputs.length ? leftOut.value : 0;
  const amounts = outputs.slice(from).map(({ attoCoinAmount }) => BigInt(attoCoinAmount));
  const { rectangles, rest } =
    compute.value === undefined || width === 0 ? { rectangles: [] } : compute.value(amounts, width, height);
  const smaller = amounts.slice(rectangles.length);
  const showRest = (): void => void (leftOut.value = from + rectangles.length);
  return (
    <>
      <div
        class="treemap"
        ref={element}
        style={{ height: `${height}px` }}
        role="group"
        aria-label={words.treemap(count(amounts.length))}
      >
        {rectangles.map((rectangle, i) => {
          const output = outputs[from + i]!;
          return <Tile key={output.key} output={output} rectangle={rectangle} whole={whole} />;
        })}
        {rest !== undefined && <Rest amounts={smaller} rectangle={rest} whole={whole} onShow={showRest} />}
      </div>
      <p class="key">
        <span>{from === 0 ? words.area(coinSymbol.value) : words.smallest(count(amounts.length))}</span>
        {outputs.slice(from).some(({ lockTime }) => lockTime !== undefined) && (
          <span class="tints">
            <i class="tile locked" />
            {words.lockedOne}
          </span>
        )}
        {(from > 0 || rest !== undefined) && (
          <button
            type="button"
            class="button small"
            onClick={rest === undefined ? () => void (leftOut.value = 0) : showRest}
          >
            {rest === undefined ? words.showAll(count(outputs.length)) : words.showSmaller(count(smaller.length))}
          </button>
        )}
      </p>
    </>
  );
};
