import { computed, signal } from '@preact/signals';
import { headers } from '../stream/headers.js';
import { Live, type LinkState, type StreamEvent } from '../stream/live.js';
import { type ApiFailure, read, readPart, setFieldNames } from '../stream/api.js';
import { calm } from './calm.js';
import { indexOfChain } from './chains.js';
import { type AddressChange, type BlockLite, type Chain, type MempoolTransaction } from './forms.js';
import {
  emptyNetwork,
  haveGap,
  isOfAnother,
  mostBlocks,
  type NetworkState,
  withAddressChange,
  withBlocks,
  withHello,
  withLoss,
  withPending,
  withPendingList,
  withReorganisation,
  withSnapshot,
  withStats,
} from './network-state.js';
import { pageState } from './page-state.js';

setFieldNames(pageState.fields);

/** What the clock of the service is ahead of ours, milliseconds. */
let aheadMs = pageState.hello.serverTime - Date.now();

/** The time of the service, milliseconds since 1970. */
export const serverNow = (): number => Date.now() + aheadMs;

/** The same, once a second: for ages. */
export const now = signal(serverNow());
const tick = (): void => {
  if (!document.hidden) now.value = serverNow();
};
setInterval(tick, 1_000);
document.addEventListener('visibilitychange', tick);

export const network = signal<NetworkState>(
  withBlocks(
    { ...withHello(emptyNetwork(), pageState.hello), firstBlocks: pageState.firstBlocks },
    pageState.latestBlocks,
    { isLive: false, now: serverNow() },
  ),
);
/** The same for figures and lists, which a fast network would change a hundred times a second. */
export const calmNetwork = calm(network);
export const groups = computed(() => network.value.groups);
export const coinSymbol = computed(() => network.value.coinSymbol);
/** How the page stands to the service; times by its clock. */
export const link = signal<LinkState>({ link: 'connecting' });

const mostCounts = 40;

/** How many transactions waited, every few seconds since the page was opened. */
export const pendingCounts = signal<readonly number[]>([]);
setInterval(
  () => void (pendingCounts.value = [...pendingCounts.value, network.value.pendingCount].slice(-mostCounts)),
  3_000,
);

/** The newest event of an address, each in its turn. */
export const addressChange = signal<AddressChange | undefined>(undefined);

export const headOf = (chain: Chain): BlockLite | undefined =>
  network.value.heads[indexOfChain(chain, network.value.groups)];

const startedOverKey = 'started over';

/** When this tab has seen that the network was started over, milliseconds since 1970. */
export const startedOverAt = Number(sessionStorage.getItem(startedOverKey) ?? 0) || undefined;

/** The network was started over: nothing that the page knows is true any more. */
const startOver = (): void => {
  sessionStorage.setItem(startedOverKey, String(serverNow()));
  location.reload();
};

const applied = (state: NetworkState, event: Exclude<StreamEvent, { readonly name: 'block' }>): NetworkState => {
  switch (event.name) {
    case 'hello':
      aheadMs = event.data.serverTime - Date.now();
      return withHello(state, event.data);
    case 'snapshot':
      if (isOfAnother(state, event.data)) startOver();
      refreshPending();
      return withSnapshot(state, event.data, serverNow());
    case 'reorg':
      return withReorganisation(state, event.data, serverNow());
    case 'pending':
      if (event.data.overflow === true) refreshPending();
      return withPending(state, event.data);
    case 'stats':
      return withStats(state, event.data);
    case 'address':
      addressChange.value = event.data;
      return withAddressChange(state, event.data);
    case 'alive':
      aheadMs = event.data.serverTime - Date.now();
      return state;
  }
};

const listLimit = 100;

const readPending = async (timeoutMs?: number): Promise<void> => {
  const path = `mempool/transactions?limit=${listLimit}`;
  const { value: list } = await readPart<readonly MempoolTransaction[]>(path, undefined, timeoutMs);
  const entries = list.map(({ hash, chainFrom, chainTo, lastSeen }) => ({ hash, chainFrom, chainTo, lastSeen }));
  const count = entries.length < listLimit ? entries.length : Math.max(network.value.pendingCount, entries.length);
  network.value = withPendingList(network.value, entries, count);
};

/** A snapshot does not tell what waits. */
const refreshPending = (): void => void readPending().catch(() => undefined);

const readBlocks = async (cursor?: string, timeoutMs?: number) =>
  readPart<{ readonly blocks: readonly BlockLite[] }>(
    `blocks?limit=${listLimit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    undefined,
    timeoutMs,
  );

/** Milliseconds: less than from one poll to the next. */
const longestPoll = 5_000;

/** The newest block and all that waits: pages read again what may have changed with them. */
const newsOf = ({ blocks, pending }: NetworkState): string => [blocks[0]?.hash, ...pending.keys()].join();

/** What polls have found while there was no stream, which would have told more. Changes with each change. */
export const polledNews = signal('');
let hadStream = false;

/** Whether the service has none of the first blocks, although it has others. */
const isFirstGone = async ({ firstBlocks: [first] }: NetworkState): Promise<boolean> =>
  first !== undefined &&
  read(`blocks/${first}`).then(
    () => false,
    ({ status }: ApiFailure) => status === 404,
  );

const poll = async (): Promise<void> => {
  const [{ value }] = await Promise.all([readBlocks(undefined, longestPoll), readPending(longestPoll)]);
  const known = new Set(network.peek().blocks.map(({ hash }) => hash));
  const isKnown = value.blocks.some(({ hash, height }) => height > 0 && known.has(hash));
  if (!isKnown && (await isFirstGone(network.peek()))) return startOver();
  network.value = withBlocks(network.value, value.blocks, { isLive: true, now: serverNow() });
  if (hadStream && link.peek().link !== 'live') polledNews.value = newsOf(network.peek());
};

const historyMs = 3_600_000;
/** Six answers; more where they are of the last two minutes only, which the loom shows. */
const mostHistory = 600;
const leastHistoryMs = 120_000;

/** Whether the blocks of the last hour are there, as many as are kept. */
export const isHistoryRead = signal(false);

/** Blocks of the last hour, as many as are kept. */
const loadHistory = async (): Promise<void> => {
  let cursor: string | undefined;
  for (let loaded = listLimit; loaded <= mostBlocks; loaded += listLimit) {
    const { value, nextCursor } = await readBlocks(cursor);
    network.value = withBlocks(network.value, value.blocks, { isLive: false, now: serverNow() });
    const oldest = value.blocks.at(-1)?.timestamp ?? 0;
    const wantedMs = loaded < mostHistory ? historyMs : leastHistoryMs;
    if (nextCursor === undefined || oldest < serverNow() - wantedMs) return;
    cursor = nextCursor;
  }
};

let live: Live | undefined;
let pinned: readonly string[] = [];

/** Takes events of these addresses too, whatever page is shown, and while none is. */
export const pin = (addresses: readonly string[]): void => {
  pinned = addresses;
  live?.listenAgain();
};

/** Counts in `touched` what happens at an address from now on. */
export const watch = (address: string): void => live?.watch(address);

/** Blocks that come one after the other are taken in at once: there may be hundreds. */
const apply = (events: readonly StreamEvent[]): void => {
  let state = network.value;
  let blocks: BlockLite[] = [];
  let hasLost = false;
  const takeIn = (): void => {
    hasLost ||= haveGap(state, blocks);
    state = withBlocks(state, blocks, { isLive: true, now: serverNow() });
    blocks = [];
  };
  for (const event of events) {
    if (event.name === 'block') {
      blocks.push(event.data);
      continue;
    }
    takeIn();
    state = applied(state, event);
  }
  takeIn();
  network.value = hasLost ? withLoss(state) : state;
  if (hasLost) void poll().catch(() => undefined);
};

const onLink = (state: LinkState): void => {
  hadStream ||= state.link !== 'connecting';
  link.value = state.link === 'away' ? { ...state, nextTry: state.nextTry + aheadMs } : state;
};

/** Follows the network from now on. */
export const startFollowing = (): void => {
  live = new Live({ apply, poll, pinned: () => pinned, onLink });
  void loadHistory()
    .catch(() => undefined)
    .finally(() => void (isHistoryRead.value = true));
};

export { headers };
