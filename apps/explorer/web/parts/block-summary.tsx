import { hasPayments } from '../store/block-rows.js';
import { summaryOf } from '../store/block-summaries.js';
import { type BlockLite } from '../store/forms.js';
import { AddressLink } from './links.js';
import { Amount } from './values.js';

const None = ({ isLoading }: { readonly isLoading: boolean }) => <span class="quiet">{isLoading ? '…' : '—'}</span>;

/** What the transactions of a block have moved, the block reward left out. */
export const Moved = ({ block }: { readonly block: BlockLite }) => {
  if (!hasPayments(block)) return <None isLoading={false} />;
  const summary = summaryOf(block.hash);
  return summary ? <Amount amount={BigInt(summary.moved)} /> : <None isLoading={summary === undefined} />;
};

/** Who got the reward of a block. */
export const Miner = ({ hash }: { readonly hash: string }) => {
  const summary = summaryOf(hash);
  return summary ? <AddressLink id={summary.miner} first={5} last={4} /> : <None isLoading={summary === undefined} />;
};

export const Reward = ({ hash }: { readonly hash: string }) => {
  const summary = summaryOf(hash);
  return summary ? <Amount amount={BigInt(summary.reward)} /> : <None isLoading={summary === undefined} />;
};
