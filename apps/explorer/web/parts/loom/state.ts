import { computed, effect, signal } from '@preact/signals';
import { indexOfChain } from '../../store/chains.js';
import { type BlockLite } from '../../store/forms.js';
import { network, now, serverNow } from '../../store/network.js';
import { headers } from '../../store/network.js';
import { knownHeaders } from '../../stream/headers.js';
import { candidates, type Choice, choiceOf } from './choice.js';
import { startWindow } from './window.js';

export type View = 'lanes' | 'table';

const minuteMs = 60_000;
const windows = [2 * minuteMs, 6 * minuteMs, 30 * minuteMs];
const windowOfFastNetwork = 20_000;
const fastBelowMs = 1_000;
export const narrowScreen = matchMedia('(max-width: 640px)');

/** Spans of time that can be chosen, milliseconds. */
export const spans = computed(() =>
  (network.value.blockTargetMs ?? Infinity) < fastBelowMs ? [windowOfFastNetwork, ...windows] : windows,
);
const chosenSpan = signal<number | undefined>(undefined);

let grown: number | undefined;
/** Grows with a young network; then it stays, whatever the network does. */
const startSpan = computed(() => {
  if (grown !== undefined) return grown;
  const { ms, isYoung } = startWindow(network.value, spans.value, now.value);
  if (!isYoung) grown = ms;
  return ms;
});
export const windowMs = computed(() => chosenSpan.value ?? startSpan.value);
export const chooseSpan = (ms: number): void => void (chosenSpan.value = ms);

export const view = signal<View>('lanes');

/** When the picture was stopped; undefined while it moves. */
export const pausedAt = signal<number | undefined>(undefined);
export const switchPause = (): void => void (pausedAt.value = pausedAt.value === undefined ? serverNow() : undefined);

/** Blocks of the main chains up to the right end of the picture, newest first. */
export const shownBlocks = computed((): readonly BlockLite[] => {
  const end = pausedAt.value ?? Infinity;
  const start = (pausedAt.value ?? now.value) - windowMs.value;
  return network.value.blocks.filter(({ timestamp, height }) => timestamp >= start && timestamp <= end && height > 0);
});

const [crowdedFrom, crowdedUntil] = [500, 400];
let wasCrowded = false;

/** Whether so many blocks are shown that a canvas draws them. */
export const isCrowded = computed(() => {
  wasCrowded = shownBlocks.value.length > (wasCrowded ? crowdedUntil : crowdedFrom);
  return wasCrowded;
});

/** Blocks that arrived since the picture was stopped. */
export const missedBlocks = computed(() => {
  const end = pausedAt.value;
  return end === undefined ? 0 : network.value.blocks.filter(({ timestamp }) => timestamp > end).length;
});

const chosenByUser = signal<string | undefined>(undefined);
export const choose = (hash: string): void => void (chosenByUser.value = hash);

let shown: string | undefined;

/** While nobody chooses: a block between two groups amid the others, with threads to both sides, until it has left. */
const chosenByPage = (blocks: readonly BlockLite[]): BlockLite | undefined => {
  const older = blocks.slice(Math.floor(blocks.length / 2));
  const found =
    blocks.find(({ hash }) => hash === shown) ??
    older.find(({ chainFrom, chainTo }) => chainFrom !== chainTo) ??
    older[0];
  shown = found?.hash;
  return found;
};

export const chosen = computed((): BlockLite | undefined => {
  const { blocks } = network.value;
  return blocks.find(({ hash }) => hash === chosenByUser.value) ?? chosenByPage(shownBlocks.value);
});

/** Counts headers that arrived, so that what depends on them is computed again. */
const headersVersion = signal(0);

export const choice = computed((): Choice | undefined => {
  void headersVersion.value;
  const { blocks, groups } = network.value;
  return chosen.value && choiceOf(blocks, chosen.value, knownHeaders, groups);
});

const askAfterMs = 100;
let asking: ReturnType<typeof setTimeout> | undefined;

/** Reads the headers that the choice needs, when it has stood for a moment. */
export const readHeadersOfChoice = (): (() => void) =>
  effect(() => {
    const block = chosen.value;
    const { blocks, groups } = network.value;
    if (block === undefined) return;
    const missing = [block, ...candidates(blocks, block, groups)].filter(({ hash }) => !knownHeaders.has(hash));
    clearTimeout(asking);
    if (missing.length === 0) return;
    asking = setTimeout(() => {
      const reads = missing.map(({ hash }) => headers.block(hash).catch(() => undefined));
      void Promise.all(reads).then(() => void (headersVersion.value += 1));
    }, askAfterMs);
  });

/** Shows the block that replaced the newest orphan. */
export const chooseReorganisation = (): void => {
  const [newest] = network.value.orphans;
  if (newest === undefined) return;
  const { blocks, groups } = network.value;
  const { block } = newest;
  const chain = indexOfChain(block, groups);
  const replacing = blocks.find(
    ({ height, ...place }) => height === block.height && indexOfChain(place, groups) === chain,
  );
  if (replacing === undefined) return;
  const age = (pausedAt.value ?? serverNow()) - replacing.timestamp;
  chosenSpan.value = spans.value.find((ms) => ms > age && ms >= windowMs.value) ?? windowMs.value;
  choose(replacing.hash);
};
