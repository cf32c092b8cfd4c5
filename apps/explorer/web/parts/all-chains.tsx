import { allChains, indexOfChain } from '../store/chains.js';
import { type Chain } from '../store/forms.js';
import { groups } from '../store/network.js';
import { texts } from '../texts.js';
import { ChainBadge, chainPath, Link } from './links.js';

/** All chains, to go from one to the other. @param current the one that is shown */
export const AllChains = ({ current }: { readonly current?: Chain }) => {
  const shown = current && indexOfChain(current, groups.value);
  return (
    <nav aria-label={texts.chain.all} class="all-chains">
      <ul class="chips">
        {allChains(groups.value).map((chain, index) => (
          <li key={index}>
            <Link to={chainPath(chain)} class={`chip ${index === shown ? 'current' : ''}`}>
              <ChainBadge {...chain} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
