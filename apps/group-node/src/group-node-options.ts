import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type GroupClient, type PeerPublisher } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type FeedMeasures } from './feed/feed-measures.js';
import { type CrashPoint } from './import/importer-parts.js';
import { type ImportMeasures } from './import/import-measures.js';
import { type MemoryLimits } from './memory/group-memory.js';
import { type ScheduleSettings } from './mining/schedule.js';
import { type SignaturePool } from './signatures/signatures.js';
import { type GroupStore } from './store/index.js';

export interface GroupNodeOptions {
  readonly settings: NetworkSettings;
  readonly group: number;
  readonly limits: MemoryLimits;
  /** Capacity of the pool in transactions; default: protocol 02 §13.2. */
  readonly poolCapacity?: number | undefined;
  readonly mining: ScheduleSettings;
  /** Receivers of block rewards, by the group to which a chain leads. */
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Milliseconds that foreign headers and bodies may wait to share a commit. */
  readonly lazyCommit: number;
  /** Limit of blocks and headers that share a transaction. */
  readonly blocksPerCommit: number;
  /** Intra-group heights whose states are retained (protocol 04 §9.6); absent: all. */
  readonly pruningHorizon?: number | undefined;
  /** False: nonce searches run in place. Default true. */
  readonly threads?: boolean;
  /** See `SplitWatchParts.period`. */
  readonly splitPeriod?: number | undefined;
}

export interface NodePorts {
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly peers: PeerPublisher;
  readonly groups: Pick<GroupClient, 'request'>;
  /** Returns so many random bytes, for nonces. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** See `NonceFinderParts.yieldTick`. */
  readonly nonceYield?: (() => Promise<void>) | undefined;
  readonly signaturePool?: SignaturePool;
  readonly crashPoint?: CrashPoint | undefined;
  readonly measured?: (name: string, waited: number, worked: number) => void;
  readonly refused?: (code: string) => void;
  readonly measures?: ImportMeasures;
  readonly feedMeasures?: FeedMeasures;
  /** Called after each pruning step: deleted nodes, and milliseconds that the step held the writer. */
  readonly pruned?: (nodes: number, milliseconds: number) => void;
  /** Another process has become the writer of the store: this one must end. */
  readonly onFatal?: ((error: Error) => void) | undefined;
}
