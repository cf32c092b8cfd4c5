import { type BlockLite } from './forms.js';
import { isNewer, type NetworkState } from './network-state.js';

/** Whether a block has transactions beside its block reward. Genesis has none. */
export const hasPayments = ({ txNumber }: BlockLite): boolean => txNumber > 1;

/** Hash of the newest block with payments: lists of transactions change with it. @param blocks newest first */
export const newestPayment = (blocks: readonly BlockLite[]): string | undefined => blocks.find(hasPayments)?.hash;

/**
 * Rows up to one of them: newer ones wait.
 * @param newest undefined: none waits
 */
export const heldRows = (
  rows: readonly BlockLite[],
  newest: BlockLite | undefined,
): { readonly shown: readonly BlockLite[]; readonly waiting: number } => {
  const isShown = (block: BlockLite): boolean =>
    newest === undefined || block.hash === newest.hash || isNewer(newest, block) < 0;
  const shown = rows.filter(isShown);
  return { shown, waiting: rows.length - shown.length };
};

/**
 * The newest blocks as the network tells them, and below them those of a list of the API, without a hole.
 * @param listed newest first
 * @param isWhole whether the list goes down to the first block
 */
export const blockRows = (
  { blocks, orphans }: Pick<NetworkState, 'blocks' | 'orphans'>,
  listed: readonly BlockLite[],
  isWhole: boolean,
): BlockLite[] => {
  const left = new Set(orphans.map(({ block }) => block.hash));
  const all = new Map([...listed, ...blocks].map((block) => [block.hash, block]));
  const oldest = isWhole ? -Infinity : (listed.at(-1)?.timestamp ?? -Infinity);
  return [...all.values()].filter(({ hash, timestamp }) => !left.has(hash) && timestamp >= oldest).sort(isNewer);
};
