import { useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { calmNetwork, groups, link, network, now } from '../store/network.js';
import { texts } from '../texts.js';
import { KeysButton, KeysDialog } from './keys-dialog.js';
import { groupClass, Link } from './links.js';
import { count, span } from './numbers.js';
import { DocumentationLinks, Places } from './places.js';
import { Search } from './search.js';
import { SyncBanner } from './sync-banner.js';
import { switchTheme } from './theme.js';

/** The name of the network as a picture: its chains, those inside a group full. */
const Mark = () => (
  <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
    {Array.from({ length: 16 }, (_, i) => {
      const [from, to] = [Math.floor(i / 4), i % 4];
      const name = `${groupClass(from)} ${from === to ? 'full' : ''}`;
      return <rect key={i} class={name} x={to * 5.3} y={from * 5.3} width="4" height="4" rx="1.2" />;
    })}
  </svg>
);

const LinkState = () => {
  const words = texts.frame;
  const state = link.value;
  const titles = { connecting: '', live: words.liveTitle, polling: words.pollingTitle, away: words.awayTitle };
  return (
    <span class={`link ${state.link}`} title={titles[state.link]} role="status">
      {words[state.link]}
      {state.link === 'polling' && <span class="wide-only">{words.pollingEvery}</span>}
      {state.link === 'away' && (
        <span class="wide-only number" aria-hidden="true">
          {words.nextTry(Math.ceil((state.nextTry - now.value) / 1_000))}
        </span>
      )}
    </span>
  );
};

const Header = () => (
  <header class="top">
    <div class="inside">
      <Link to="" class="name">
        <Mark />
        {texts.name}
      </Link>
      <Search />
      <Places />
      <LinkState />
      <button
        type="button"
        class="theme"
        aria-label={texts.frame.theme}
        title={texts.frame.theme}
        onClick={switchTheme}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5Z" />
        </svg>
      </button>
    </div>
  </header>
);

const Footer = () => {
  const newest = calmNetwork.value.blocks[0];
  return (
    <footer class="inside">
      <span>{texts.frame.chains(groups.value)}</span>
      {newest && <span>{texts.frame.indexed(span(Math.max(0, now.value - newest.timestamp)))}</span>}
      <DocumentationLinks />
      <span class="keys">
        <KeysButton />
      </span>
    </footer>
  );
};

const announceEveryMs = 10_000;

/** What changed, as words for those who do not see it. */
const Announcements = () => {
  const words = useSignal('');
  const told = useRef(network.peek().arrivals);
  const toldOrphans = useRef(0);
  useEffect(() => {
    const tell = (): void => {
      const { arrivals } = network.peek();
      const blocks = arrivals.blocks - told.current.blocks;
      if (blocks > 0) words.value = texts.frame.newBlocks(blocks, arrivals.transactions - told.current.transactions);
      told.current = arrivals;
    };
    const timer = setInterval(tell, announceEveryMs);
    const stop = network.subscribe(({ orphans }) => {
      const [newest] = orphans;
      if (newest && newest.at > toldOrphans.current) {
        toldOrphans.current = newest.at;
        const { chainFrom, chainTo, height } = newest.block;
        words.value = texts.frame.reorganised(`${chainFrom} → ${chainTo}`, count(height));
      }
    });
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return (
    <p class="unseen" aria-live="polite">
      {words.value}
    </p>
  );
};

const onSkip = (event: MouseEvent): void => {
  event.preventDefault();
  document.getElementById('content')!.focus();
};

/** What all pages have around them. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <a class="skip" href="#content" onClick={onSkip}>
      {texts.skip}
    </a>
    <Header />
    <main id="content" class="inside" tabIndex={-1}>
      <SyncBanner />
      {children}
    </main>
    <Footer />
    <Announcements />
    <KeysDialog />
  </>
);
