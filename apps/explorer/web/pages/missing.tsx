import { useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../parts/links.js';
import { utc } from '../parts/numbers.js';
import { plainText } from '../parts/plain-text.js';
import { startedOverAt } from '../store/network.js';
import { type Look, lookOf } from '@shardnode/http/searched-text';
import { texts } from '../texts.js';

const looksForS = 30;
const everyS = 2;

/** Asks again for 30 s: a transaction just sent needs a moment. @param look undefined: there is nothing to ask for */
const useLooking = (look: (() => void) | undefined) => {
  const left = useSignal(looksForS);
  useEffect(() => {
    if (look === undefined) return;
    const timer = setInterval(() => {
      if (left.value === 0) return;
      left.value -= 1;
      if (left.value % everyS === 0) look();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return left;
};

interface MissingProps {
  readonly text: string;
  /** What was looked for in vain. */
  readonly tried: string;
  readonly look?: () => void;
  /** What the text looks like, where its form does not say it. */
  readonly looksLike?: Look;
  /** What to try instead. */
  readonly children?: ComponentChildren;
}

/** Nothing has this name: says what it looks like, and what was tried. */
export const MissingPage = ({ text, tried, look, looksLike = lookOf(text), children }: MissingProps) => {
  const left = useLooking(look);
  const { missing } = texts;
  return (
    <div class="card missing">
      <h1>{missing.title}</h1>
      <p class="full-id">{plainText(text)}</p>
      <p>
        {missing.looksLike[looksLike]} {tried}
      </p>
      {startedOverAt !== undefined && looksLike === 'hash' && (
        <p class="banner">{missing.startedOver(utc(startedOverAt))}</p>
      )}
      {look !== undefined && (
        <p class="quiet" role="status">
          {left.value > 0 ? missing.keepsLooking(left.value) : missing.stopped}{' '}
          {left.value === 0 && (
            <button type="button" class="button small" onClick={() => void (left.value = looksForS)}>
              {missing.again}
            </button>
          )}
        </p>
      )}
      {children}
      <p>
        <Link to="">{missing.home}</Link>
      </p>
    </div>
  );
};
