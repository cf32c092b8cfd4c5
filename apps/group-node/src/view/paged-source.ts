import { compareByCoin, type Direction, sortUtxos, type Utxo, type UtxoSource } from '@shardnode/protocol/building';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type GroupStore, type Utxo as StoredUtxo } from '../store/index.js';
import { type LeveledOutput } from './address-outputs.js';

/** Thrown by a source that has not read far enough; the caller loads the next page and builds again. */
class PageMissing extends Error {
  constructor(readonly load: () => Promise<void>) {
    super('more outputs of the address must be read');
  }
}

const firstPage = 300;
const largestPage = 5_000;

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
      throw new PageMissing(async () => {
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
      throw new PageMissing(async () => {
        whole.list = await parts.all();
      });
    },
    withoutTokens: (direction) => ordered(false, direction),
    withTokens: (direction) => ordered(true, direction),
  };
};

/** Runs a builder over paged sources; loads pages and runs it again until it needs no more. */
export const readingOn = async <Result>(build: () => Result | Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await build();
    } catch (error) {
      if (!(error instanceof PageMissing)) throw error;
      await error.load();
    }
  }
};
