import { useState } from 'preact/hooks';
import { coinSymbol, now } from '../store/network.js';
import { tokenMetadata, unitOf } from '../store/token-metadata.js';
import { copyText } from './copy-text.js';
import { fullAmount, shortAmount, shownIn, signedAmount } from './attocoins.js';
import { shortTime, span, utc } from './numbers.js';
import { plainText } from './plain-text.js';
import { areTimesAbsolute } from './times.js';
import { texts } from '../texts.js';

/** Words of the larger unit of a span of time: `1 min`. */
const largest = 2;

/** A span of time; on a phone its larger unit alone. */
const Span = ({ ms }: { readonly ms: number }) => {
  const words = span(ms).split(' ');
  const rest = words.slice(largest);
  return (
    <>
      {words.slice(0, largest).join(' ')}
      {rest.length > 0 && <span class="wide-only"> {rest.join(' ')}</span>}
    </>
  );
};

/** How long ago something was, which moves by itself, or when, as somebody has chosen. @param timestamp milliseconds since 1970 */
export const Age = ({ timestamp, suffix = '' }: { readonly timestamp: number; readonly suffix?: string }) => (
  <time
    dateTime={new Date(timestamp).toISOString()}
    title={`${utc(timestamp)}\n${new Date(timestamp).toLocaleString()}`}
    class="number"
  >
    {areTimesAbsolute.value ? (
      shortTime(timestamp, now.value)
    ) : (
      <>
        <Span ms={Math.max(0, now.value - timestamp)} />
        {suffix}
      </>
    )}
  </time>
);

/** Characters of a unit: digits of the id may stand behind the symbol. */
const longestUnit = 20;

/** An amount as words: short, and with all its digits. @param token id of a token */
export const amountWords = (amount: bigint, token?: string) => {
  const { decimals, unit } =
    token === undefined
      ? { decimals: undefined, unit: coinSymbol.value }
      : shownIn(tokenMetadata(token), plainText(unitOf(token), longestUnit));
  return {
    decimals,
    unit,
    short: shortAmount(amount, decimals),
    full: `${fullAmount(amount, decimals)} ${token === undefined ? unit : shownIn(tokenMetadata(token), token).unit}`,
  };
};

interface AmountProps {
  readonly amount: bigint;
  /** Id of a token. */
  readonly token?: string;
  readonly isSigned?: boolean;
}

/** An amount, short; all its digits as title. Of a token in its smallest unit while nobody knows its decimals. */
export const Amount = ({ amount, token, isSigned = false }: AmountProps) => {
  const { decimals, unit, short, full } = amountWords(amount, token);
  return (
    <span class="amount" title={full}>
      <b class={isSigned ? (amount < 0n ? 'loss' : 'gain') : undefined}>
        {isSigned ? signedAmount(amount, decimals) : short}
      </b>{' '}
      <span class="unit">{unit}</span>
    </span>
  );
};

const copiedMs = 1_500;

export const Copy = ({ text }: { readonly text: string }) => {
  const [isCopied, setCopied] = useState<boolean>();
  const copy = async (): Promise<void> => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(undefined), copiedMs);
  };
  return (
    <button type="button" class="button small" data-copy onClick={() => void copy()}>
      {isCopied === undefined ? texts.copy : isCopied ? texts.copied : texts.notCopied}
    </button>
  );
};
