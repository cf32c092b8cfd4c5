/**
 * The page of the explorer in a browser without a screen, which draws by software; the browser, the explorer and its
 * PostgreSQL share the machine. Blocks are made here, stored in the index and published to the stream as the explorer's writer
 * does it: the network behind them is missing, everything from the database to the pixels is there.
 */
import { type Page } from 'playwright-core';
import { type Database } from '@shardnode/core/database';
import { type FeedBlock } from '@shardnode/explorer';
import { transactionId } from '@shardnode/protocol/transaction';
import { until } from '@shardnode/testing/waiting';
import { median, percentile } from '@shardnode/testing/statistics';
import { FedExplorer } from '../apps/explorer/test/support/fed-explorer.js';
import { Blocks } from '../apps/explorer/test/support/made-blocks.js';
import { isChromiumInstalled, missingChromium, openBrowser } from '../e2e/kit/chromium.js';
import { ShownPage } from '../e2e/kit/explorer/shown-page.js';
import { withExplorerDatabase } from './explorer-database.js';
import { counted, isShort, printRows, type Row } from './rows.js';
import { hasServers } from './servers.js';

const paints = isShort ? 2 : 10;
/** Blocks of a quiet network, and milliseconds between two of them. */
const single = { blocks: isShort ? 10 : 100, everyMs: 250 };
/** Blocks a second of the fast one, how many at once, and seconds until everything is full, and that are measured. */
const fast = { rate: 100, atOnce: 5, warmUp: isShort ? 2 : 30, measured: isShort ? 4 : 60 };
const stored = 1_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const hashOf = ({ block }: FeedBlock): string => block.header.hash;

/** Milliseconds from the request to the first text or picture, nothing cached. */
const firstPaint = async (shown: ShownPage, path: string): Promise<number> => {
  const page = await shown.view();
  await shown.open(path);
  const entry = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
  let painted: number | undefined;
  await until('something is painted', async () => (painted = await page.evaluate<number>(entry)) !== undefined);
  return painted!;
};

const paintRow = async (shown: ShownPage, row: string, path: string): Promise<Row> => {
  const times: number[] = [];
  for (let i = 0; i < paints; i++) times.push(await firstPaint(shown, path));
  return {
    row: `first contentful paint of ${row}`,
    figure: `${median(times).toFixed(0)} ms`,
    bar: '300 ms',
    beside: `slowest of ${paints}: ${Math.max(...times).toFixed(0)} ms`,
  };
};

/** Notes in the page when each block of the picture is on the screen. */
const notePixels = `
  window.pixels = {};
  new MutationObserver((changes) => {
    const nodes = changes.flatMap(({ addedNodes, target }) => [target, ...addedNodes]);
    const hashes = nodes.map(({ dataset }) => dataset?.block).filter(Boolean);
    requestAnimationFrame(() => setTimeout(() => hashes.forEach((hash) => (window.pixels[hash] ??= Date.now()))));
  }).observe(document.querySelector('.loom'), { childList: true, attributeFilter: ['data-block'], subtree: true });`;

const pixelRow = async (shown: ShownPage, explorer: FedExplorer, blocks: Blocks): Promise<Row> => {
  const page = await shown.view();
  await shown.open('/');
  await shown.live();
  await page.evaluate(notePixels);
  const times = new Map<string, number>();
  for (const block of blocks.take(single.blocks)) {
    times.set(hashOf(block), await explorer.add([block]));
    await sleep(single.everyMs);
  }
  const pixels = (await page.evaluate('window.pixels')) as Readonly<Record<string, number>>;
  const took = [...times].map(([hash, at]) => (pixels[hash] ?? Infinity) - at);
  return {
    row: 'block stored to pixel, p95',
    figure: `${percentile(took, 95).toFixed(0)} ms`,
    bar: '500 ms',
    beside: `median ${median(took).toFixed(0)} ms of ${single.blocks}`,
  };
};

/** Stores blocks at the times that stand in them. */
const feed = async (explorer: FedExplorer, blocks: readonly FeedBlock[]): Promise<number> => {
  const began = Date.now();
  for (let at = 0; at < blocks.length; at += fast.atOnce) {
    const some = blocks.slice(at, at + fast.atOnce);
    await sleep(Math.max(0, Number(some.at(-1)!.block.header.timestamp) - Date.now()));
    await explorer.add(some);
  }
  return (blocks.length * 1_000) / (Date.now() - began);
};

const noteFrames = `
  window.frames = [];
  requestAnimationFrame(function note(at) { window.frames.push(at); requestAnimationFrame(note); });`;

/** Memory after a collection at the end of each quarter of the time, megabytes. */
const heapOfQuarters = async (page: Page, ms: number): Promise<readonly number[]> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const quarters: number[] = [];
  while (quarters.length < 4) {
    await sleep(ms / 4);
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    quarters.push(metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value / 2 ** 20);
  }
  return quarters;
};

/** @param blocks made before, so that making them takes nothing from what is measured */
const fastRows = async (shown: ShownPage, explorer: FedExplorer, blocks: readonly FeedBlock[]): Promise<Row[]> => {
  const page = await shown.view();
  await shown.open('/');
  await shown.live();
  await page.click('.choices button:has-text("20 s")');
  const feeding = feed(explorer, blocks);
  await sleep(Math.max(0, Number(blocks[0]!.block.header.timestamp) - Date.now()) + fast.warmUp * 1_000);
  await page.evaluate(noteFrames);
  const heap = await heapOfQuarters(page, fast.measured * 1_000);
  const frames = (await page.evaluate('window.frames')) as readonly number[];
  const drawn = (await page.getAttribute('.picture[role=img]', 'aria-label'))!;
  const rate = await feeding;
  const times = frames.slice(1).map((at, i) => at - frames[i]!);
  return [
    {
      row: `frame at ${fast.rate} blocks a second, p95`,
      figure: `${percentile(times, 95).toFixed(1)} ms`,
      bar: '33 ms',
      beside: `median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms; ${counted(rate, 'stored a second')}; ${drawn.split('.')[0]}`,
    },
    {
      row: 'its heap in the last quarter, against the second',
      figure: `${((heap[3]! / heap[1]!) * 100).toFixed(0)} %`,
      bar: '110 %',
      beside: heap.map((megabytes) => megabytes.toFixed(1)).join(', ') + ' MB',
    },
  ];
};

const measure = async (database: Database): Promise<Row[]> => {
  const browser = await openBrowser();
  const explorer = await FedExplorer.start(database);
  try {
    const shown = new ShownPage(browser, explorer.url);
    let timestampOf = (n: number): number => Date.now() - (stored - n) * 4_000;
    const blocks = new Blocks({ timestampOf: (n) => timestampOf(n) });
    await explorer.add(blocks.genesis);
    const making = performance.now();
    const past = blocks.take(stored);
    const perBlockMs = (performance.now() - making) / stored;
    await explorer.add(past);
    const [payment] = past.at(-1)!.block.transactions;
    const rows = [
      await paintRow(shown, '/', '/'),
      await paintRow(shown, '/tx/…', `/tx/${transactionId(payment!.unsigned)}`),
    ];
    timestampOf = () => Date.now();
    rows.push(await pixelRow(shown, explorer, blocks));
    const count = fast.rate * (fast.warmUp + fast.measured + 1);
    // Made before they are due: half as much time again as the others took.
    const began = Date.now() + 1.5 * count * perBlockMs;
    const first = stored + single.blocks;
    timestampOf = (n) => Math.floor(began + ((n - first) * 1_000) / fast.rate);
    return [...rows, ...(await fastRows(shown, explorer, blocks.take(count)))];
  } finally {
    await browser.close();
    await explorer.stop();
  }
};

const main = async (): Promise<void> => {
  if (!hasServers(['postgres'])) return;
  if (!isChromiumInstalled) return console.log(missingChromium);
  await withExplorerDatabase(async (database) => printRows(await measure(database)));
};

await main();
process.exit();
