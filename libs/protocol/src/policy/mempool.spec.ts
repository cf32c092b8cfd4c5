import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { unsignedTemplate as template } from '@shardnode/testing/builders';
import { readVectors } from '@shardnode/testing/vectors';
import { groupOfLockupScript, outputHint, type AssetLockupScript, type OutputReference } from '../primitives/index.js';
import { referenceOf, transactionId, type TransactionTemplate } from '../transaction/index.js';
import { comparePoolOrder, Mempool } from './index.js';

const groups = 4;
const lockups = new Map<string, AssetLockupScript>();
/** A lockup script of the wanted group. */
const lockupIn = (group: number, salt = 0): AssetLockupScript => {
  const known = lockups.get(`${group}-${salt}`);
  if (known) return known;
  const found = searchLockup(group, salt);
  lockups.set(`${group}-${salt}`, found);
  return found;
};
const searchLockup = (group: number, salt: number): AssetLockupScript => {
  for (let n = salt * 1000; ; n++) {
    const script: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: n.toString(16).padStart(64, '0') };
    if (groupOfLockupScript(script, groups) === group) return script;
  }
};
const reference = (group: number, n: number): OutputReference => ({
  hint: outputHint(lockupIn(group)),
  key: n.toString(16).padStart(64, '0'),
});
const idOf = (one: TransactionTemplate): string => transactionId(one.unsigned);
const firstOutput = (one: TransactionTemplate): OutputReference =>
  referenceOf(one.unsigned.fixedOutputs[0]!, idOf(one), 0);

interface OrderVector {
  readonly name: string;
  readonly entries: readonly {
    readonly name: string;
    readonly gasPrice: string;
    readonly timestamp: number;
    readonly txId: string;
  }[];
  readonly order: readonly string[];
}
describe('order of the pool (tx-validation.json: mempoolOrder)', () => {
  it.each(readVectors<{ mempoolOrder?: OrderVector[] }>('tx-validation.json').mempoolOrder ?? [])('$name', (vector) => {
    const entries = vector.entries.map(({ name, gasPrice, timestamp, txId }) => ({
      name,
      id: txId,
      gasPrice: BigInt(gasPrice),
      enteredAt: BigInt(timestamp),
    }));
    expect(entries.sort(comparePoolOrder).map(({ name }) => name)).toEqual(vector.order);
  });
});

describe('the pool of a group', () => {
  const chain = { from: 0, to: 0 };
  const parent = template([reference(0, 1)], [lockupIn(0)]);
  const child = template([firstOutput(parent)], [lockupIn(0, 1)]);

  it('gives a second identical transaction the same answer and refuses a conflicting one by the spender', () => {
    const pool = new Mempool(0, groups);
    expect(pool.add(parent, 1n)).toMatchObject({ kind: 'added', transaction: { id: idOf(parent) } });
    expect(pool.add(parent, 2n)).toMatchObject({ kind: 'known', transaction: { enteredAt: 1n } });
    const rival = template([reference(0, 1)], [lockupIn(1)]);
    expect(pool.add(rival, 3n)).toEqual({ kind: 'double-spending', spender: idOf(parent) });
    expect(pool.size).toBe(1);
  });

  it('offers a child only after its parent was mined', () => {
    const pool = new Mempool(0, groups);
    pool.add(parent, 1n);
    pool.add(child, 2n);
    expect(pool.ready(chain).map(({ id }) => id)).toEqual([idOf(parent)]);
    pool.confirm([idOf(parent)]);
    expect(pool.ready(chain).map(({ id }) => id)).toEqual([idOf(child)]);
  });

  it('confirming a child takes its ancestors along, dropping a parent its descendants', () => {
    const confirmed = new Mempool(0, groups);
    const dropped = new Mempool(0, groups);
    for (const pool of [confirmed, dropped]) {
      pool.add(parent, 1n);
      pool.add(child, 2n);
    }
    expect(confirmed.confirm([idOf(child)]).length).toBe(2);
    expect(dropped.drop([idOf(parent)]).length).toBe(2);
    expect([confirmed.size, dropped.size]).toEqual([0, 0]);
  });

  it('links a parent that comes back after its child (reorganisation)', () => {
    const pool = new Mempool(0, groups);
    pool.add(child, 1n);
    pool.add(parent, 2n);
    expect(pool.ready(chain).map(({ id }) => id)).toEqual([idOf(parent)]);
  });

  it('shows incoming outputs without holding their inputs', () => {
    const incoming = template([reference(1, 9)], [lockupIn(0)]);
    const pool = new Mempool(0, groups);
    pool.addIncoming(incoming, 1n);
    expect(pool.spenderOf(reference(1, 9))).toBeUndefined();
    expect(pool.output(firstOutput(incoming))).toBeDefined();
    expect(pool.outputsTo(lockupIn(0)).length).toBe(1);
  });

  it('a full pool keeps what it has', () => {
    const pool = new Mempool(0, groups, 1);
    pool.add(parent, 1n);
    expect(pool.add(template([reference(0, 2)], [lockupIn(0)], 10n ** 15n), 2n)).toEqual({ kind: 'full' });
    expect(pool.get(idOf(parent))).toBeDefined();
  });

  it('a full pool takes back what it had accepted before', () => {
    const pool = new Mempool(0, groups, 1);
    pool.add(parent, 1n);
    const before = template([reference(0, 2)], [lockupIn(0)]);
    expect(pool.restore(before, 2n)).toMatchObject({ kind: 'added' });
    expect(pool.get(idOf(before))).toBeDefined();
    expect(pool.restore(template([reference(0, 2)], [lockupIn(0)], 10n ** 15n), 3n)).toEqual({
      kind: 'double-spending',
      spender: idOf(before),
    });
  });

  it('is empty after any sequence of additions once all are dropped: no index keeps a leftover', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 40 }), (numbers) => {
        const pool = new Mempool(0, groups);
        const added = numbers.map((n) => template([reference(0, n)], [lockupIn(n % 2)], 10n ** 11n + BigInt(n)));
        for (const one of added) pool.add(one, 1n);
        pool.drop(added.map(idOf));
        return (
          pool.size === 0 &&
          pool.ready(chain).length === 0 &&
          pool.outputsTo(lockupIn(0)).length === 0 &&
          numbers.every((n) => pool.spenderOf(reference(0, n)) === undefined)
        );
      }),
    );
  });
});
