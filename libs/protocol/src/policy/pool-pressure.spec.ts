import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { inventedOutput, assetOutput, unsignedTemplate } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type Hash, type OutputReference } from '../primitives/index.js';
import { referenceOf, transactionId, type TransactionTemplate } from '../transaction/index.js';
import { incomingRefusal, incomingShare, Mempool, refusalUnderPressure } from './index.js';

const groups = 4;
const capacity = 80;
const here = testKeyOfGroup(0).lockupScript;
const elsewhere = testKeyOfGroup(1).lockupScript;
const now = 1n;
const outputsEach = 3;

const idOf = ({ unsigned }: TransactionTemplate): Hash => transactionId(unsigned);

/** An output that no transaction of the pool makes. */
const mined = (group: 0 | 1, number: number): OutputReference =>
  inventedOutput(assetOutput(group === 0 ? here : elsewhere, 1n), `mined ${group} ${number}`).reference;

/** A pool beside the parents of every transaction, written down as they were made. */
class PoolWithOracle {
  readonly pool = new Mempool(0, groups, capacity);
  private readonly parents = new Map<Hash, readonly Hash[]>();
  private readonly made: TransactionTemplate[] = [];
  /** The end of one long chain. */
  private tip: TransactionTemplate | undefined;
  private number = 0;

  /**
   * A transaction that spends an unspent output of each of the parents: the end of the chain, or counted from the newest
   * transaction backwards.
   */
  make(parents: Parents): TransactionTemplate {
    const spent = new Map<Hash, OutputReference>();
    for (const back of parents) {
      const parent = back === 'chain' ? this.tip : this.made[this.made.length - 1 - back];
      const reference = parent && this.unspent(parent);
      if (reference) spent.set(idOf(parent), reference);
    }
    const template = unsignedTemplate(
      [mined(0, (this.number += 1)), ...spent.values()],
      Array.from({ length: outputsEach }, () => here),
    );
    this.parents.set(idOf(template), [...spent.keys()]);
    return template;
  }

  add(template: TransactionTemplate, how: 'add' | 'restore'): string {
    const { kind } = this.pool[how](template, now);
    if (kind !== 'added') return kind;
    this.made.push(template);
    if (this.isLongest(template)) this.tip = template;
    return kind;
  }

  /** Unmined ancestors, all of them. */
  ancestors(template: TransactionTemplate): ReadonlySet<Hash> {
    const found = new Set<Hash>();
    const visit = (id: Hash): void => {
      for (const parent of this.parents.get(id) ?? []) {
        if (found.has(parent) || !this.pool.get(parent)) continue;
        found.add(parent);
        visit(parent);
      }
    };
    visit(idOf(template));
    return found;
  }

  mineReady(): void {
    this.pool.confirm(this.pool.ready({ from: 0, to: 0 }).map(({ id }) => id));
  }

  private isLongest(template: TransactionTemplate): boolean {
    return !this.tip || this.ancestors(template).size > this.ancestors(this.tip).size;
  }

  private unspent(parent: TransactionTemplate): OutputReference | undefined {
    if (!this.pool.get(idOf(parent))) return undefined;
    return parent.unsigned.fixedOutputs
      .map((output, index) => referenceOf(output, idOf(parent), index))
      .find((reference) => this.pool.spenderOf(reference) === undefined);
  }
}

type Parents = readonly (number | 'chain')[];
type Step = { readonly kind: 'submit' | 'restore'; readonly parents: Parents } | { readonly kind: 'mine' };

/** Mostly chains; also transactions without parents, trees, and blocks. */
const steps = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant<Step>({ kind: 'submit', parents: ['chain'] }) },
    { weight: 14, arbitrary: fc.constant<Step>({ kind: 'submit', parents: [] }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constantFrom('submit' as const, 'restore' as const),
        parents: fc.array(fc.nat(30), { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'mine' }) },
  ),
  { minLength: 100, maxLength: 160, size: 'max' },
);

const allowed = (size: number): number => {
  if (size < capacity / 2) return Number.POSITIVE_INFINITY;
  if (size < (capacity * 3) / 4) return 25;
  return size < capacity ? 0 : -1;
};

describe('admission under pressure (00-decisions, 12)', () => {
  it('refuses nothing below half, more than 25 unmined ancestors above it, and any in the last quarter', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, (sequence) => {
        const tested = new PoolWithOracle();
        for (const step of sequence) {
          if (step.kind === 'mine') {
            tested.mineReady();
            continue;
          }
          const template = tested.make(step.parents);
          if (step.kind === 'restore') {
            expect(tested.add(template, 'restore')).toBe('added');
            continue;
          }
          const { size } = tested.pool;
          const ancestors = tested.ancestors(template).size;
          const refusal = refusalUnderPressure(tested.pool, template);
          expect(refusal === undefined).toBe(ancestors <= allowed(size));
          seen.add(refusal?.kind === 'ancestors' ? `over ${refusal.ancestorLimit}` : (refusal?.kind ?? 'taken'));
          if (!refusal) expect(tested.add(template, 'add')).toBe('added');
        }
      }),
      { numRuns: 60 },
    );
    expect(seen).toEqual(new Set(['taken', 'over 25', 'over 0', 'full']));
  });

  it('takes back what it had accepted, however full it is and however long the chain', () => {
    const tested = new PoolWithOracle();
    for (let number = 0; number < 2 * capacity; number++)
      expect(tested.add(tested.make(['chain']), 'restore')).toBe('added');
    expect(tested.pool.size).toBe(2 * capacity);
  });

  it('counts an ancestor once, whichever way leads to it', () => {
    const tested = new PoolWithOracle();
    const root = tested.make([]);
    tested.add(root, 'add');
    for (let level = 0; level < 12; level++) {
      tested.add(tested.make([0, 1]), 'add');
      tested.add(tested.make([0, 1]), 'add');
    }
    const last = tested.make([0, 1]);
    expect(tested.pool.ancestorCount(last, 1_000)).toBe(tested.ancestors(last).size);
    expect(tested.pool.ancestorCount(last, 5)).toBe(5);
  });
});

describe('incoming transactions under pressure (00-decisions, 12)', () => {
  const incoming = (number: number): TransactionTemplate => unsignedTemplate([mined(1, number)], [here]);

  it.each([4, 10, 80, 8_000])('of one sibling get their share of a pool of %d', (size) => {
    const pool = new Mempool(0, groups, size);
    let count = 0;
    while (!incomingRefusal(pool, 1)) pool.addIncoming(incoming((count += 1)), now);
    expect(count).toBe(incomingShare(pool));
    expect([incomingRefusal(pool, 1), incomingRefusal(pool, 2)]).toEqual(['share', undefined]);
    expect(incomingShare(pool)).toBe(Math.ceil(size / 12));
    pool.confirm([idOf(incoming(1))]);
    expect(incomingRefusal(pool, 1)).toBeUndefined();
  });

  it('find no room in a pool that is full of others', () => {
    const tested = new PoolWithOracle();
    const { pool } = tested;
    while (pool.size < capacity - 1) tested.add(tested.make([]), 'add');
    expect(incomingRefusal(pool, 1)).toBeUndefined();
    tested.add(tested.make([]), 'add');
    expect([1, 2, 3].map((from) => incomingRefusal(pool, from))).toEqual(['full', 'full', 'full']);
    expect(refusalUnderPressure(pool, tested.make([]))).toEqual({ kind: 'full' });
  });
});
