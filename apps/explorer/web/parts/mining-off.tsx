import { useSignal } from '@preact/signals';
import { chainOfIndex } from '../store/chains.js';
import { mineOneBlock } from '../store/development.js';
import { type Chain } from '../store/forms.js';
import { failureOf } from '../store/loaded.js';
import { calmNetwork } from '../store/network.js';
import { type NetworkState } from '../store/network-state.js';
import { miningTexts as words } from '../texts/mining.js';

/** The chain of the transaction that waits longest; of nothing that waits, the one whose newest block is oldest. */
const chainInNeed = ({ pending, heads, groups }: NetworkState): Chain => {
  const oldest = [...pending.values()].sort((a, b) => a.lastSeen - b.lastSeen)[0];
  if (oldest !== undefined) return oldest;
  const ages = heads.map((head) => head?.timestamp ?? 0);
  return chainOfIndex(ages.indexOf(Math.min(...ages)), groups);
};

/** Says that no block comes by itself, and mines one. */
export const MiningOff = () => {
  const chain = chainInNeed(calmNetwork.value);
  const isMining = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const mine = async (): Promise<void> => {
    isMining.value = true;
    problem.value = undefined;
    try {
      await mineOneBlock(chain);
    } catch (error) {
      problem.value = failureOf(error).message;
    }
    isMining.value = false;
  };
  return (
    <div class="mining-off">
      <p role="status">{words.off}</p>
      <button type="button" class="button small" disabled={isMining.value} onClick={() => void mine()}>
        {isMining.value ? words.mining : words.mine(`${chain.chainFrom} → ${chain.chainTo}`)}
      </button>
      {problem.value !== undefined && <p role="alert">{words.failed(problem.value)}</p>}
    </div>
  );
};
