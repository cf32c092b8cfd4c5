import { type ChainSync } from '../store/forms.js';
import { groups } from '../store/network.js';
import { progressOf } from '../store/sync.js';
import { texts } from '../texts.js';
import { ChainBadge, chainPath, groupClass, Link } from './links.js';
import { count, percentText } from './numbers.js';

const Progress = ({ chain }: { readonly chain: ChainSync }) => {
  const share = progressOf(chain);
  const { height, nodeHeight, state } = chain;
  const words = texts.sync;
  const heights = nodeHeight === null ? words.unknown : words.of(count(height), count(nodeHeight));
  return (
    <li class={groupClass(chain.chainFrom)}>
      <Link to={chainPath(chain)} title={[heights, words.states[state]].filter(Boolean).join(' · ')}>
        <ChainBadge {...chain} />
        <span class="number">{share === undefined ? '—' : percentText(share)}</span>
      </Link>
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="3" />
        <rect class="part" width={(share ?? 0) * 100} height="3" />
      </svg>
    </li>
  );
};

/** Columns that a narrow window has room for. */
const mostOnPhone = 4;

/** How far each chain is indexed: a row for each sending group. */
export const SyncGrid = ({ chains }: { readonly chains: readonly ChainSync[] }) => (
  <ul
    class="sync-grid"
    aria-label={texts.sync.chains}
    style={{ '--groups': groups.value, '--few': Math.min(groups.value, mostOnPhone) }}
  >
    {chains.map((chain) => (
      <Progress key={`${chain.chainFrom} ${chain.chainTo}`} chain={chain} />
    ))}
  </ul>
);
