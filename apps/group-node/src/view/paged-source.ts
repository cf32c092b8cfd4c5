import { type Release, Semaphore } from '@shardnode/core/concurrency';
import { coreError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { compareByCoin, type Direction, sortUtxos, type Utxo, type UtxoSource } from '@shardnode/protocol/building';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type GroupStore, type Utxo as StoredUtxo } from '../store/index.js';
import { type LeveledOutput } from './address-outputs.js';

/** Thrown by a source that has not read far enough; the caller loads the next page and builds again. */
class PageMissing extends Error {
  /** @param isFar whether the source has read very much already, or reads everything */
  constructor(
    readonly isFar: boolean,
    readonly load: () => Promise<void>,
  ) {
    super('more outputs of the address must be read');
  }
}

const firstPage = 300;
const largestPage = 5_000;
/** A transaction has 256 inputs: a selection that reads more than this rarely ends with one. */
const farOutputs = 2_000;

/**
 * Limits the builds that read very many outputs at a time: each holds all of them in memory until its end. A rejected
 * one gets `ServerBusy`.
 */
export const farReads = (clock: Pick<Clock, 'monotonic'>): Semaphore =>
  new Semaphore({
    permits: 1,
    maxWaiting: 100,
    maxWaitMs: 4_000,
    now: () => clock.monotonic(),
    full: () =>
      coreError(
        'ServerBusy',
        'The group-node reads the outputs of as many large addresses as it can: ask again in 1 s',
        {
          retryAfterSeconds: 1,
        },
      ),
  });

export const asUtxo = ({ reference, output, level }: LeveledOutput): Utxo => ({
  reference,
  amount: output.amount,
  tokens: output.tokens,
  lockTime: output.lockTime,
  level,
});

export interface PagedSourceParts {
  readonly store: Pick<GroupStore, 'selectUtxos'>;
  readonly lockupScript: AssetLockupScript;
  /** Milliseconds since 1970: only unlocked outputs. */
  readonly usableAt: bigint;
  readonly isSpent: (stored: StoredUtxo) => boolean;
  /** Usable outputs of levels 1 and 2, in order. */
  readonly created: readonly Utxo[];
  /** For tokens, where the whole list is sorted. */
  readonly all: () => Promise<readonly Utxo[]>;
}

/** Outputs of one class in one direction, as far as read. */
interface Pages {
  readonly read: StoredUtxo[];
  isComplete: boolean;
}

/**
 * The usable outputs of an address with very many of them, read from the amount index page by page as far as the
 * selection walks (decision 13, protocol 04 §9.5).
 */
export const pagedSource = (parts: PagedSourceParts): UtxoSource => {
  const { store, lockupScript, usableAt, isSpent } = parts;
  const pages = new Map<string, Pages>();
  const whole: { list?: readonly Utxo[] } = {};
  function* persisted(kind: 'withoutToken' | 'withToken', direction: Direction): Iterable<Utxo> {
    const key = `${kind} ${direction}`;
    const known = pages.get(key) ?? { read: [], isComplete: false };
    pages.set(key, known);
    for (let i = 0; ; i++) {
      const stored = known.read[i];
      if (stored) {
        if (!isSpent(stored)) yield asUtxo({ ...stored, level: 0 });
        continue;
      }
      if (known.isComplete) return;
      throw new PageMissing(known.read.length > farOutputs, async () => {
        const limit = Math.min(largestPage, Math.max(firstPage, known.read.length));
        const after = known.read.at(-1);
        const page = await store.selectUtxos({ lockupScript, class: { kind }, direction, usableAt, after, limit });
        known.read.push(...page);
        known.isComplete = page.length < limit;
      });
    }
  }
  const newer = (withTokens: boolean, direction: Direction): Utxo[] =>
    sortUtxos(
      parts.created.filter(({ tokens }) => tokens.length > 0 === withTokens),
      compareByCoin,
      direction,
    );
  // By level first, also in reversed order (protocol 02 §4.4).
  function* ordered(withTokens: boolean, direction: Direction): Iterable<Utxo> {
    if (direction === 'descending') yield* newer(withTokens, direction);
    yield* persisted(withTokens ? 'withToken' : 'withoutToken', direction);
    if (direction === 'ascending') yield* newer(withTokens, direction);
  }
  return {
    all: () => {
      if (whole.list) return whole.list;
      throw new PageMissing(true, async () => {
        whole.list = await parts.all();
      });
    },
    withoutTokens: (direction) => ordered(false, direction),
    withTokens: (direction) => ordered(true, direction),
  };
};

/** Runs a builder over paged sources; loads pages and runs it again until it needs no more. @param far see `farReads` */
export const readingOn = async <Result>(build: () => Result | Promise<Result>, far: Semaphore): Promise<Result> => {
  let release: Release | undefined;
  try {
    for (;;) {
      try {
        return await build();
      } catch (error) {
        if (!(error instanceof PageMissing)) throw error;
        if (error.isFar) release ??= await far.acquire();
        await error.load();
      }
    }
  } finally {
    release?.();
  }
};
