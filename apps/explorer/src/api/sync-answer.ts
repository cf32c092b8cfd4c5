import { type SyncAnswer } from '../answers/infos.js';
import { type StoredHead } from '../reads/info-reads.js';
import { type IndexCheck } from '../index-check/last-index-check.js';
import { liveLag, type SyncState } from '../following/sync-state.js';

export interface IndexFacts {
  readonly heads: readonly StoredHead[];
  readonly inputs: { readonly unresolved: number; readonly conflicting: number };
  /** Milliseconds since 1970. */
  readonly finalized: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly lastCheck: IndexCheck | undefined;
}

/** `/infos/sync`: the index beside what the process knows of the group-nodes (protocol 08 §5.9). */
export const syncAnswer = (state: SyncState, { heads, inputs, finalized, now, lastCheck }: IndexFacts): SyncAnswer => {
  const chains = state.chains.map(({ chain, nodeHeight = null, state: ofChain }) => {
    const head = heads.find(({ chainFrom, chainTo }) => chainFrom === chain.from && chainTo === chain.to);
    return {
      chainFrom: chain.from,
      chainTo: chain.to,
      height: head?.height ?? -1,
      nodeHeight,
      timestamp: head?.timestamp ?? 0,
      state: ofChain,
    };
  });
  const synced = chains.every(({ height, nodeHeight }) => nodeHeight !== null && nodeHeight - height <= liveLag);
  const newest = Math.max(0, ...heads.map(({ timestamp }) => timestamp));
  return {
    synced,
    phase: state.phase ?? (synced ? 'live' : 'initial'),
    lagMs: newest === 0 ? 0 : Math.max(0, now - newest),
    finalizedTimestamp: finalized,
    unresolvedInputs: inputs.unresolved,
    conflictInputs: inputs.conflicting,
    chains,
    verify: lastCheck === undefined ? null : lastCheck.findings.length === 0 ? 'ok' : 'failed',
  };
};
