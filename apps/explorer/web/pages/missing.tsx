import { useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ChainBadge, Link } from '../parts/links.js';
import { count, utc } from '../parts/numbers.js';
import { plainText } from '../parts/plain-text.js';
import { Age } from '../parts/values.js';
import { calmNetwork, startedOverAt } from '../store/network.js';
import { lastSearches } from '../store/searches.js';
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

/** Searches of before that lead on. @param text the one that found nothing */
const LastSearches = ({ text }: { readonly text: string }) => {
  const others = lastSearches().filter((search) => search !== text);
  if (others.length === 0) return null;
  return (
    <>
      <h2>{texts.missing.lastSearches}</h2>
      <ul class="missing-list last-searches">
        {others.map((search) => (
          <li key={search}>
            <Link to={`find?q=${encodeURIComponent(search)}`}>{plainText(search)}</Link>
          </li>
        ))}
      </ul>
    </>
  );
};

const latestBlocks = 5;

/** Something that is there, in the place of what is not. */
const Latest = () => {
  const blocks = calmNetwork.value.blocks.filter(({ height }) => height > 0).slice(0, latestBlocks);
  if (blocks.length === 0) return null;
  return (
    <>
      <h2>{texts.latest.blocks}</h2>
      <ul class="missing-list">
        {blocks.map((block, place) => (
          <li key={place}>
            <ChainBadge {...block} />
            <Link to={`block/${block.hash}`} class="number">
              {texts.block.title(count(block.height))}
            </Link>
            <span class="quiet">
              <Age timestamp={block.timestamp} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
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
      <LastSearches text={text} />
      <Latest />
      <p>
        <Link to="">{missing.home}</Link>
      </p>
    </div>
  );
};
