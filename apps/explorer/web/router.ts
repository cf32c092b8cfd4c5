import { batch, signal } from '@preact/signals';
import { pageAt, pathInFragment, readablePath } from '@shardnode/http/page-paths';
import { addressOf } from './stream/api.js';

/** What the address says: the path below the base, and what stands behind it. */
const currentAddress = (): { readonly path: string; readonly query: string } => {
  const { pathname } = new URL(document.baseURI);
  const below = { path: location.pathname.slice(pathname.length), query: location.search };
  const { path: at, query: behind } = pathInFragment(location.hash) ?? below;
  return { path: pageAt(at)?.path ?? readablePath(at), query: behind };
};

/** The page's own path, or the text of an address that no page has; without a slash before or after it. */
export const path = signal(currentAddress().path);

/** What stands behind the path: tabs and filters of a page. */
const query = signal(currentAddress().query);

const readAddress = (): void =>
  batch(() => {
    const address = currentAddress();
    path.value = address.path;
    query.value = address.query;
  });

/** Puts the page's own path in the place of an alias. */
const replaceAlias = (): void => {
  const place = pageAt(path.value);
  if (place === undefined) return;
  const fragment = pathInFragment(location.hash) === undefined ? location.hash : '';
  const own = new URL(`${addressOf(place.path)}${query.value}${fragment}`).href;
  if (own !== location.href) history.replaceState(entry, '', own);
};

/** What the history keeps of a page. */
interface Entry {
  /** Under this name the tab keeps how far the page was scrolled when it was left. */
  readonly name: string;
}

const newEntry = (): Entry => ({ name: `scroll ${Date.now()}` });
const currentEntry = (): Entry => {
  const { name } = (history.state as Partial<Entry> | null) ?? {};
  return name === undefined ? newEntry() : { name };
};

let entry = currentEntry();

const keepScroll = (): void => sessionStorage.setItem(entry.name, String(scrollY));

/** @param to below the base: `block/00ab`, `stats?range=week` */
export const go = (to: string): void => {
  const before = path.peek();
  keepScroll();
  entry = newEntry();
  history.pushState(entry, '', addressOf(to));
  readAddress();
  if (path.peek() === before) scrollTo(0, 0);
};

/** The same without a way back to the page that is shown. */
export const goInstead = (to: string): void => {
  history.replaceState(entry, '', addressOf(to));
  readAddress();
};

/** A choice of the page that its address keeps: `tokens` of `?tab=tokens`. */
export const parameter = (name: string): string | undefined => new URLSearchParams(query.value).get(name) ?? undefined;

/** The address of the page with other choices. @param values undefined: what is chosen at first */
export const withParameters = (values: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(values))
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  const text = parameters.toString();
  return `${path.value}${text === '' ? '' : `?${text}`}`;
};

/** @param value undefined: what is chosen at first, which the address does not say */
export const setParameter = (name: string, value: string | undefined): void => setParameters({ [name]: value });

export const setParameters = (values: Readonly<Record<string, string | undefined>>): void =>
  goInstead(withParameters(values));

const longestRestoreMs = 3_000;
const ownScrolling = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls to a place as soon as the page is long enough, unless somebody scrolls first. */
const restoreScroll = (to: number): void => {
  const until = performance.now() + longestRestoreMs;
  const restored = entry;
  const stop = new AbortController();
  for (const name of ownScrolling) addEventListener(name, () => stop.abort(), { signal: stop.signal, passive: true });
  const step = (): void => {
    if (stop.signal.aborted || restored !== entry) return stop.abort();
    scrollTo(0, to);
    if (Math.abs(scrollY - to) <= 1 || performance.now() > until) stop.abort();
    else requestAnimationFrame(step);
  };
  step();
};

/** The page of the path is there now: a new one begins at its top, one that comes back where it was left. */
export const onPageShown = (): void => restoreScroll(Number(sessionStorage.getItem(entry.name) ?? 0));

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;

/** Does something in place of following a link, unless another tab or window is asked for. */
export const onPlainClick = (event: MouseEvent, action: () => void): void => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  action();
};

/** Links with `data-page` lead to pages of this script. */
const onClick = (event: MouseEvent): void => {
  const anchor = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-page]') : null;
  if (anchor === null || !isPlainClick(event)) return;
  event.preventDefault();
  go(anchor.dataset['page']!);
};

export const startRouter = (): void => {
  history.scrollRestoration = 'manual';
  history.replaceState(entry, '');
  replaceAlias();
  document.addEventListener('click', onClick);
  addEventListener('popstate', () => {
    keepScroll();
    entry = currentEntry();
    history.replaceState(entry, '');
    readAddress();
    replaceAlias();
  });
  addEventListener('pagehide', keepScroll);
};
