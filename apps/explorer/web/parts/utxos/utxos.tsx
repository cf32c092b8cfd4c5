import { useSignal } from '@preact/signals';
import { type UtxoSummary } from '../../store/forms.js';
import { coinSymbol } from '../../store/network.js';
import { shareOf } from '../../store/shares.js';
import { texts } from '../../texts.js';
import { shortAmount } from '../attocoins.js';
import { Card } from '../card.js';
import { Choices } from '../choices.js';
import { count, percentText } from '../numbers.js';
import { tintOf, tints } from '../tints.js';
import { Amount } from '../values.js';
import { type Bin, binCounts, binsOf, dustOf, heightOf, isPower, sizeText } from './bins.js';
import { OutputTreemap } from './output-treemap.js';

/** Most inputs of a transaction (protocol 02). */
const mostInputs = 256;

/** Amounts of a bin: `0.1 to 0.2`. */
const rangeOf = (bins: readonly Bin[], i: number): string => {
  const [from, to] = [bins[i]!.from, bins[i + 1]?.from];
  const words = texts.utxos;
  if (to === undefined) return words.from(sizeText(from));
  return from === 0n ? words.below(sizeText(to)) : words.range(sizeText(from), sizeText(to));
};

interface BinsProps {
  readonly bins: readonly Bin[];
  /** attoCoin. */
  readonly whole: bigint;
}

const Bars = ({ bins, whole }: BinsProps) => {
  const most = Math.max(...bins.map(({ number }) => number));
  return (
    <div
      class={`histogram ${bins.length > binCounts.fewest ? 'fine' : ''}`}
      role="img"
      aria-label={texts.utxos.picture(bins.filter(({ number }) => number > 0).length)}
    >
      {bins.map(({ from, number, amount }, i) => (
        <div
          key={i}
          class="bin"
          title={
            number === 0
              ? rangeOf(bins, i)
              : `${rangeOf(bins, i)} ${coinSymbol.value}\n${texts.utxos.bin(count(number), percentText(shareOf(amount, whole)))}`
          }
        >
          <div class="column">
            <span class="count">{number > 0 && count(number)}</span>
            <span
              class={`bar tint-${tintOf(shareOf(amount, whole))}`}
              style={{ height: `${heightOf(number, most) * 100}%` }}
            />
          </div>
          <span class="size">{from === 0n ? texts.utxos.less : isPower(from) && sizeText(from)}</span>
        </div>
      ))}
    </div>
  );
};

const Table = ({ bins, whole }: BinsProps) => (
  <table>
    <caption class="unseen">{texts.utxos.title}</caption>
    <thead>
      <tr>
        <th>{texts.utxos.size(coinSymbol.value)}</th>
        <th class="number">{texts.utxos.outputs}</th>
        <th class="number">{texts.utxos.sum}</th>
        <th class="number">{texts.token.share}</th>
      </tr>
    </thead>
    <tbody>
      {bins.map(
        ({ number, amount }, i) =>
          number > 0 && (
            <tr key={i}>
              <td>{rangeOf(bins, i)}</td>
              <td class="number">{count(number)}</td>
              <td class="number">
                <Amount amount={amount} />
              </td>
              <td class="number">{percentText(shareOf(amount, whole))}</td>
            </tr>
          ),
      )}
    </tbody>
  </table>
);

/** What an exchange asks: how many small ones are there, and what would a sweep do? */
const Advice = ({ bins, summary }: { readonly bins: readonly Bin[]; readonly summary: UtxoSummary }) => {
  const words = texts.utxos;
  const { utxoNumber, countedNumber } = summary;
  const dust = dustOf(bins);
  const transactions = Math.ceil(utxoNumber / mostInputs);
  return (
    <p class="advice">
      {dust !== undefined && (
        <>
          <b>{words.dust(count(dust.number), sizeText(dust.below), coinSymbol.value)}</b>
          {words.dustSum(shortAmount(dust.amount), coinSymbol.value)}{' '}
        </>
      )}
      {transactions > 1 ? words.transactions(count(transactions), mostInputs) : words.oneTransaction(utxoNumber)}
      {summary.nextUnlock !== undefined && ` ${words.locked}`}
      {countedNumber < utxoNumber && ` ${words.partly(count(countedNumber), count(utxoNumber))}`}
    </p>
  );
};

type View = 'sizes' | 'treemap' | 'table';

const Histogram = (props: BinsProps) => (
  <>
    <Bars {...props} />
    <p class="key">
      <span>{texts.utxos.axis(coinSymbol.value)}</span>
      <span class="tints">
        {texts.utxos.little}
        {Array.from({ length: tints }, (_, i) => (
          <i key={i} class={`bar tint-${i + 1}`} />
        ))}
        {texts.utxos.much}
      </span>
    </p>
  </>
);

/** Unspent outputs by size: how many, and how much of the balance. @param summary with at least one size */
export const Utxos = ({ summary, colour }: { readonly summary: UtxoSummary; readonly colour: string }) => {
  const chosen = useSignal<View>('sizes');
  const { sizes, outputs, utxoNumber } = summary;
  const bins = binsOf(sizes);
  const whole = bins.reduce((sum, { amount }) => sum + amount, 0n);
  const words = texts.utxos;
  // There may be too many of them by now.
  const view = chosen.value === 'treemap' && outputs === undefined ? 'sizes' : chosen.value;
  return (
    <Card
      title={
        <>
          {words.title} <span class="quiet beside">{count(utxoNumber)}</span>
        </>
      }
      aside={
        <Choices
          label={texts.loom.view}
          values={[
            ['sizes', words.bySize],
            ...(outputs === undefined ? [] : [['treemap', words.asTreemap] as const]),
            ['table', texts.loom.table],
          ]}
          chosen={view}
          onChoose={(value: View) => void (chosen.value = value)}
        />
      }
      class={`utxos ${colour}`}
    >
      {view === 'sizes' && <Histogram bins={bins} whole={whole} />}
      {view === 'treemap' && <OutputTreemap outputs={outputs!} whole={whole} />}
      {view === 'table' && <Table bins={bins} whole={whole} />}
      <Advice bins={bins} summary={summary} />
    </Card>
  );
};
