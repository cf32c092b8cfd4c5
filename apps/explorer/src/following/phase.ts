import { type ChainPuller } from './chain-puller.js';
import { type FollowingMetrics } from './following-metrics.js';
import { type ChainState, liveLag, type Phase, type SyncState } from './sync-state.js';

/** Milliseconds between the newest block of a chain and now, if it is behind (protocol 08 §4.9). */
const ages = { live: 5 * 60_000, initial: 60 * 60_000 };

const shownState = (stoppedBy: string | undefined, isUnreachable: boolean): ChainState => {
  if (stoppedBy !== undefined) return stoppedBy === 'ResyncRequired' ? stoppedBy : 'ChainStopped';
  return isUnreachable ? 'unreachable' : 'following';
};

/** Updates what `/infos/sync` and the metrics show of the chains. */
export const reportChains = (pullers: readonly ChainPuller[], state: SyncState, metrics: FollowingMetrics): void => {
  for (const { chain, stoppedBy, isUnreachable } of pullers) {
    const shown = state.of(chain.chain);
    if (chain.nodeHead && chain.nodeHead.height > (shown.nodeHeight ?? -1)) shown.nodeHeight = chain.nodeHead.height;
    shown.state = shownState(stoppedBy, isUnreachable);
    metrics.chain(chain.chain, {
      height: chain.head?.height,
      lag: chain.lag,
      isStopped: stoppedBy !== undefined,
    });
  }
};

/**
 * The phase of the synchronisation after `former`. Chains whose group-nodes are silent delay no others.
 * @param now milliseconds since 1970
 */
export const phaseAfter = (former: Phase, pullers: readonly ChainPuller[], now: number): Phase => {
  if (former === 'stopped') return former;
  const counted = pullers.filter(({ stoppedBy, isUnreachable }) => stoppedBy === undefined && !isUnreachable);
  if (counted.length === 0) return former;
  const age = former === 'live' ? ages.initial : ages.live;
  const isRecent = counted.every(
    ({ chain }) => chain.nodeHead && (chain.lag <= liveLag || now - chain.headTime <= age),
  );
  return isRecent ? 'live' : 'initial';
};
