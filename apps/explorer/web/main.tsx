import './styles/colours.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/loom.css';
import './styles/lanes.css';
import './styles/transaction.css';
import './styles/token.css';
import './styles/contract.css';
import './styles/address.css';
import './styles/block.css';
import { contractIdOf, pageAt, type PageName, readablePath } from '@shardnode/http/page-paths';
import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { MissingPage } from './pages/missing.js';
import { Failure } from './parts/card.js';
import { Frame } from './parts/frame.js';
import { useKeys } from './parts/keys.js';
import { lazyPage, page, type PageCode } from './parts/lazy-page.js';
import { Notices, showOnDesktop } from './parts/watching.js';
import { startTheme } from './parts/theme.js';
import { onPageShown, path, startRouter } from './router.js';
import { giveAnswers } from './store/loaded.js';
import { startFollowing } from './store/network.js';
import { pageState } from './store/page-state.js';
import { startWatching } from './store/watched.js';
import { texts } from './texts.js';

/** The page of each path that has one; the rest of the path says of what. */
const pages: Readonly<Record<PageName, PageCode>> = {
  network: lazyPage(async () => {
    const { NetworkPage } = await import('./pages/network.js');
    return () => <NetworkPage />;
  }),
  transaction: lazyPage(async () => {
    const { TransactionPage } = await import('./pages/transaction.js');
    return (hash) => <TransactionPage key={hash} hash={hash} />;
  }),
  transactions: lazyPage(async () => {
    const { TransactionsPage } = await import('./pages/transactions.js');
    return () => <TransactionsPage />;
  }),
  block: lazyPage(async () => {
    const { BlockPage } = await import('./pages/block.js');
    return (hash) => <BlockPage key={hash} hash={hash} />;
  }),
  blocks: lazyPage(async () => {
    const { BlocksPage } = await import('./pages/blocks.js');
    return () => <BlocksPage />;
  }),
  address: lazyPage(async () => {
    const { AddressPage } = await import('./pages/address.js');
    return (address) => <AddressPage key={address} address={address} />;
  }),
  contract: lazyPage(async () => {
    const { ContractPage } = await import('./pages/contract.js');
    return (address) => <ContractPage key={address} address={address} id={contractIdOf(address)!} />;
  }),
  chain: lazyPage(async () => {
    const { ChainPage } = await import('./pages/chain.js');
    return (name) => <ChainPage key={name} name={name} />;
  }),
  token: lazyPage(async () => {
    const { TokenPage } = await import('./pages/token.js');
    return (id) => <TokenPage key={id} id={id} />;
  }),
  pending: lazyPage(async () => {
    const { PendingPage } = await import('./pages/pending.js');
    return () => <PendingPage />;
  }),
  stats: lazyPage(async () => {
    const { StatsPage } = await import('./pages/stats.js');
    return () => <StatsPage />;
  }),
  find: lazyPage(async () => {
    const { FindPage } = await import('./pages/find.js');
    return () => <FindPage />;
  }),
  'rich-list': lazyPage(async () => {
    const { RichListPage } = await import('./pages/rich-list.js');
    return () => <RichListPage />;
  }),
  about: lazyPage(async () => {
    const { AboutPage } = await import('./pages/about.js');
    return () => <AboutPage />;
  }),
};

const missing = page((text) => (
  <MissingPage key={text} text={text} tried={texts.missing.triedPage} looksLike="other" />
));

const pageOf = (of: string): { readonly code: PageCode; readonly part: string } => {
  const place = pageAt(of);
  return place ? { code: pages[place.page], part: place.subject } : { code: missing, part: readablePath(of) };
};

/** The page of the path. The one before it stays until the script of this one is there. */
const Page = () => {
  const current = path.value;
  const { code, part } = pageOf(current);
  const make = code.make.value;
  const failure = code.failure.value;
  const shown = useRef<{ readonly path: string; readonly page: VNode } | undefined>(undefined);
  if (make !== undefined && shown.current?.path !== current) shown.current = { path: current, page: make(part) };
  useEffect(() => void code.load(), [code]);
  useLayoutEffect(() => {
    if (shown.current === undefined) return;
    if (shown.current.path === '') document.title = texts.name;
    onPageShown();
  }, [shown.current?.path]);
  if (failure !== undefined) return <Failure failure={failure} retry={() => location.reload()} />;
  return shown.current?.page ?? null;
};

/** Reads the script of a page as soon as a link to it is pointed at. */
const onPoint = ({ target }: Event): void => {
  const to = target instanceof Element ? target.closest<HTMLElement>('a[data-page]')?.dataset['page'] : undefined;
  if (to !== undefined) void pageOf(to.split('?', 1)[0]!).code.load();
};

const copyId = (): void => document.querySelector<HTMLButtonElement>('[data-copy]')?.click();

const App = () => {
  useKeys({ c: copyId });
  return (
    <Frame>
      <Page />
      <Notices />
    </Frame>
  );
};

giveAnswers(pageState.answers);
startTheme();
startRouter();
startWatching(showOnDesktop);
startFollowing();
document.addEventListener('pointerover', onPoint);
document.addEventListener('focusin', onPoint);
// What the service drew stays until the page can take its place.
void pageOf(path.peek())
  .code.load()
  .then(() => render(<App />, document.getElementById('page')!));
