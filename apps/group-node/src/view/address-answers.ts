import { RecentMap } from '@shardnode/core/cache';
import { type Mempool } from '@shardnode/protocol/policy';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { addressOverlay, outputsOver, type LeveledOutput } from './address-outputs.js';
import { type AddressSets } from './address-sets.js';
import { type NodeReads } from './reads.js';
import { type ShownView } from './shown-view.js';

/** Answers of each kind, outputs in one that is kept, and characters of the question: some megabytes together. */
const limits = { answers: 2_000, outputs: 50, question: 300 };

/** Everything that answers about addresses depend on, the clock aside: equal here, equal there. */
interface Moment {
  readonly shown: ShownView;
  readonly addresses: AddressSets;
  readonly moves: number;
  readonly pool: Mempool;
  readonly changes: number;
}

interface Known<Reply> {
  readonly reply: Reply;
  /** Milliseconds since 1970, from and until: as long as no lock opens, and the clock is not put back behind one that did. */
  readonly from: bigint;
  readonly until: bigint;
}

/** What an answer is made of. */
interface AddressQuestion<Reply> {
  /** Tells it from all others; the encoded lockup script, hex, among it. */
  readonly name: string;
  readonly lockupScript: () => AssetLockupScript;
  readonly pool: boolean;
  /** Undefined: it cannot be answered from memory. */
  readonly replyOf: (outputs: readonly LeveledOutput[], now: bigint) => Reply | undefined;
}

type Reads = Pick<NodeReads, 'state' | 'clock'>;

const endOfTime = 2n ** 64n;

/**
 * Answers about addresses whose outputs are in memory (architecture, decision 16), the same object as long as it is right. All
 * are forgotten when the view of queries, the address sets or the pool is another or has changed: a commit, a reorganisation, a
 * change of the pool and a memory that is made anew each do that, in the very turn in which they happen.
 */
export class AddressAnswers {
  private readonly known = new RecentMap<string, Known<unknown>>(limits.answers);
  private moment: Moment | undefined;

  constructor(private readonly node: Reads) {}

  /** Undefined for an address whose outputs are not in memory: they are read for whoever asks the slow way. */
  reply<Reply>({ name, lockupScript, pool, replyOf }: AddressQuestion<Reply>): Reply | undefined {
    this.forgetOtherMoments();
    const now = BigInt(this.node.clock.now());
    const known = this.known.get(name) as Known<Reply> | undefined;
    if (known && known.from <= now && now < known.until) return known.reply;
    const { state } = this.node;
    const script = lockupScript();
    const set = state.addresses.peek(script);
    if (set?.kind !== 'small') return undefined;
    const outputs = outputsOver(set.outputs, addressOverlay(this.node, state.shown, script, { pool }));
    const reply = replyOf(outputs, now);
    if (reply === undefined) return undefined;
    const isCached = outputs.length <= limits.outputs && name.length <= limits.question;
    if (isCached) this.known.set(name, { reply, ...timesOf(outputs, now) });
    return reply;
  }

  private forgetOtherMoments(): void {
    const { shown, addresses, pool } = this.node.state;
    const { moment } = this;
    const isSame =
      moment !== undefined &&
      moment.shown === shown &&
      moment.addresses === addresses &&
      moment.moves === addresses.version &&
      moment.pool === pool &&
      moment.changes === pool.version;
    if (isSame) return;
    this.known.clear();
    this.moment = {
      shown,
      addresses,
      moves: addresses.version,
      pool,
      changes: pool.version,
    };
  }
}

/** Between which locks `now` lies. */
const timesOf = (outputs: readonly LeveledOutput[], now: bigint): { readonly from: bigint; readonly until: bigint } => {
  let from = 0n;
  let until = endOfTime;
  for (const {
    output: { lockTime },
  } of outputs) {
    if (lockTime > now) until = lockTime < until ? lockTime : until;
    else from = lockTime > from ? lockTime : from;
  }
  return { from, until };
};
