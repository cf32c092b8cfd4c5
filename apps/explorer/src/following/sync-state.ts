import { type ChainHead } from '@shardnode/messages';
import { allChainIndexes, type ChainIndex, flatIndex } from '@shardnode/protocol/primitives';

export type Phase = 'initial' | 'live' | 'stopped';

/**
 * Of a chain, in the writer: `unreachable` while its group-nodes do not answer, `ChainStopped` for a reason that the log
 * has, `ResyncRequired` after a reorganisation that is too deep (protocol 08 §4.7).
 */
export type ChainState = 'following' | 'unreachable' | 'ChainStopped' | 'ResyncRequired';

/** A chain as the process knows it; `/infos/sync` shows it (protocol 08 §5.9). */
export interface ChainSync {
  readonly chain: ChainIndex;
  /** Height of the canonical head at the group-node; undefined while unknown. */
  nodeHeight: number | undefined;
  state: ChainState;
}

/** Blocks up to which a chain may be behind its group-node and counts as live. */
export const liveLag = 2;

/** Sync state by chain. A process that does not write knows the heads of the group-nodes alone. */
export class SyncState {
  /** Of the writer; a process on standby or that only reads has none. */
  phase: Phase | undefined;
  /** Why this process does not write now: `standby`, or a fault of the database. */
  pausedBy: string | undefined;
  readonly chains: readonly ChainSync[];

  constructor(private readonly groups: number) {
    this.chains = allChainIndexes(groups).map((chain) => ({ chain, nodeHeight: undefined, state: 'following' }));
  }

  of(chain: ChainIndex): ChainSync {
    return this.chains[flatIndex(chain, this.groups)]!;
  }

  /** Heads of the chains (from, *) at their group-node. */
  heard(from: number, heads: readonly Pick<ChainHead, 'chainTo' | 'height'>[]): void {
    for (const { chainTo: to, height } of heads) this.of({ from, to }).nodeHeight = height;
  }
}
