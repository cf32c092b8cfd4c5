import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type PeerPublisher } from '@shardnode/messages';
import { type ChainFeed } from '../feed/chain-feed.js';
import { type SignatureChecker } from '../signatures/signatures.js';
import { type GroupStore } from '../store/index.js';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem } from './import-item.js';
import { type ImportMeasures } from './import-measures.js';
import { type PoolConflict } from './pool-update.js';

/** Named places where a test may end the process; nothing in production. */
export type CrashPoint = (name: string) => void;

export interface ImporterParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly signatures: SignatureChecker;
  readonly peers: PeerPublisher;
  readonly logger: Logger;
  readonly crashPoint: CrashPoint;
  readonly measures: ImportMeasures;
  readonly feed: Pick<ChainFeed, 'plan' | 'committed'>;
  /** Rebuilds memory from the store after a failed commit. */
  readonly rebuild: () => Promise<void>;
  /** Called in the event-loop tick in which a commit becomes visible, after the change of the pool. */
  readonly onPublished: (items: readonly ImportItem[]) => void;
  /** Called with pending transactions that left unmined because a mined transaction spends the same outputs. */
  readonly onDropped: (dropped: readonly PoolConflict[]) => void;
  /** Another process has become the writer of the store: this one must end. */
  readonly onFatal: (error: Error) => void;
}
