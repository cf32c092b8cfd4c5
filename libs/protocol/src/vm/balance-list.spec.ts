import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { compareSignedBytes, type Hash, type LockupScript, u256Max } from '../primitives/index.js';
import { BalanceList, newBalanceEntry, tokensInOutputOrder } from './balance-list.js';
import { initialBalances } from './initial-balances.js';
import { tokensInTableOrder } from './token-table-order.js';

const hashOf = (digit: number): Hash => digit.toString(16).padStart(2, '0').repeat(32);
const owner = (digit: number): LockupScript => ({ kind: 'p2pkh', publicKeyHash: hashOf(digit) });
const contract = (digit: number): LockupScript => ({ kind: 'p2c', contractId: hashOf(digit) });
const [a, b, c] = [owner(1), owner(2), contract(3)];
const [t, u] = [hashOf(0x77), hashOf(0x88)];

/** The list as plain data: owner, coin, tokens in the order in which they came, depth. */
const contentOf = (list: BalanceList): unknown[] =>
  [...list.entries()].map(({ lockupScript, coin, tokens, depth }) => [lockupScript, coin, [...tokens], depth]);

describe('a balance list (protocol 05 §9.1)', () => {
  it('keeps the order in which owners came; amounts of 0 make entries', () => {
    const list = new BalanceList();
    expect(list.isEmpty).toBe(true);
    expect(list.addCoin(b, 0n)).toBe(true);
    expect(list.addToken(a, t, 0n)).toBe(true);
    expect(list.addCoin(c, 5n)).toBe(true);
    expect(list.addCoin(b, 3n)).toBe(true);
    expect(contentOf(list)).toEqual([
      [b, 3n, [], 0],
      [a, 0n, [[t, 0n]], 0],
      [c, 5n, [], 0],
    ]);
  });

  it('subtracts only from what is there, 0 included; a token that becomes 0 stays', () => {
    const list = new BalanceList();
    expect(list.subtractCoin(a, 0n)).toBe(false);
    expect(list.subtractToken(a, t, 0n)).toBe(false);
    list.addToken(a, t, 7n);
    expect(list.subtractCoin(a, 0n)).toBe(true);
    expect(list.subtractCoin(a, 1n)).toBe(false);
    expect(list.subtractToken(a, u, 0n)).toBe(false);
    expect(list.subtractToken(a, t, 8n)).toBe(false);
    expect(list.subtractToken(a, t, 7n)).toBe(true);
    expect(list.subtractToken(a, t, 0n)).toBe(true);
    expect(contentOf(list)).toEqual([[a, 0n, [[t, 0n]], 0]]);
  });

  it('tells owners of different kinds with the same bytes apart', () => {
    const list = new BalanceList();
    const same = hashOf(9);
    const owners: LockupScript[] = [
      { kind: 'p2pkh', publicKeyHash: same },
      { kind: 'p2sh', scriptHash: same },
      { kind: 'p2c', contractId: same },
      { kind: 'p2mpkh', publicKeyHashes: [same], m: 1 },
      { kind: 'p2mpkh', publicKeyHashes: [same, same], m: 1 },
      { kind: 'p2mpkh', publicKeyHashes: [same, same], m: 2 },
    ];
    owners.forEach((each, index) => list.addCoin(each, BigInt(index)));
    expect(owners.map((each) => list.entryOf(structuredClone(each))?.coin)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
  });

  it('refuses what overflows, of coin and of a token', () => {
    const list = new BalanceList();
    list.addCoin(a, u256Max);
    list.addToken(a, t, u256Max);
    expect(list.addCoin(a, 1n)).toBe(false);
    expect(list.addToken(a, t, 1n)).toBe(false);
    expect(list.addToken(a, u, u256Max)).toBe(true);
    expect(list.add(newBalanceEntry(a, 1n, []))).toBe(false);
    expect(list.add(newBalanceEntry(a, 0n, [{ id: t, amount: 1n }]))).toBe(false);
    const other = new BalanceList();
    other.addCoin(b, 1n);
    other.addCoin(a, 1n);
    expect(list.merge(other)).toBe(false);
  });

  it('appends an entry with its own depth, and keeps the depth of one that is there', () => {
    const list = new BalanceList();
    list.add(newBalanceEntry(a, 1n, [], 4));
    list.add(newBalanceEntry(a, 2n, [{ id: t, amount: 3n }], 1));
    list.add(newBalanceEntry(b, 5n, [], -1));
    list.addCoin(b, 1n);
    list.addCoin(c, 1n);
    expect(contentOf(list)).toEqual([
      [a, 3n, [[t, 3n]], 4],
      [b, 6n, [], -1],
      [c, 1n, [], 0],
    ]);
  });

  it('does not share amounts with an entry that was added', () => {
    const list = new BalanceList();
    const entry = newBalanceEntry(a, 1n, [{ id: t, amount: 1n }]);
    list.add(entry);
    list.addToken(a, t, 1n);
    list.addCoin(a, 1n);
    expect([entry.coin, entry.tokens.get(t)]).toEqual([1n, 1n]);
  });

  it('gives an entry away whole; the owner comes last when it is back', () => {
    const list = new BalanceList();
    list.addCoin(a, 1n);
    list.addCoin(b, 2n);
    expect(list.takeEntry(c)).toBeUndefined();
    expect(list.takeEntry(a)).toMatchObject({ lockupScript: a, coin: 1n });
    expect(list.takeEntry(a)).toBeUndefined();
    list.addCoin(a, 3n);
    expect(contentOf(list)).toEqual([
      [b, 2n, [], 0],
      [a, 3n, [], 0],
    ]);
  });

  it('gives everything away, deeper than it was, and is empty then', () => {
    const list = new BalanceList();
    list.add(newBalanceEntry(a, 1n, [], 2));
    list.addCoin(b, 2n);
    expect(contentOf(list.takeAll(1))).toEqual([
      [a, 1n, [], 3],
      [b, 2n, [], 1],
    ]);
    expect(list.isEmpty).toBe(true);
  });
});

describe('the order of tokens', () => {
  const ids = fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), { selector: String, maxLength: 40 });

  it('in outputs: amounts above 0, by signed bytes (protocol 05 §9.1)', () => {
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.bigInt(0n, 2n)), (raw, amounts) => {
        const tokens = new Map(
          raw.map((bytes) => [Buffer.from(bytes).toString('hex'), amounts.next().value as bigint]),
        );
        const sorted = tokensInOutputOrder(tokens);
        expect(new Map(sorted.map(({ id, amount }) => [id, amount]))).toEqual(
          new Map([...tokens].filter(([, amount]) => amount > 0n)),
        );
        sorted.slice(1).forEach(({ id }, index) => expect(compareSignedBytes(sorted[index]!.id, id)).toBeLessThan(0));
      }),
    );
  });

  it('in sums: by place in a table that starts with 8 or 16 places and doubles (protocol 05 §18 item 9)', () => {
    const withTail = (tail: number): Hash => '00'.repeat(28) + (tail >>> 0).toString(16).padStart(8, '0');
    const orderOf = (first: 'coin' | 'token', tails: readonly number[]): number[] => {
      const list = new BalanceList();
      if (first === 'coin') list.addCoin(a, 1n);
      for (const tail of tails) list.addToken(a, withTail(tail), 1n);
      return tokensInTableOrder(list.entryOf(a)!).map(({ id }) => parseInt(id.slice(-8), 16));
    };
    // 9 and 1 share a place of 8, not of 16; in one place the smaller number comes first.
    expect(orderOf('token', [9, 2, 1])).toEqual([1, 9, 2]);
    expect(orderOf('coin', [9, 2, 1])).toEqual([1, 2, 9]);
    // The table of 8 doubles at the approval that finds 5 tokens.
    expect(orderOf('token', [9, 2, 1, 3, 4])).toEqual([1, 9, 2, 3, 4]);
    expect(orderOf('token', [9, 2, 1, 3, 4, 5])).toEqual([1, 2, 3, 4, 5, 9]);
    // An approval of a token that is there counts.
    expect(orderOf('token', [9, 2, 1, 3, 4, 4])).toEqual([1, 2, 3, 4, 9]);
    // The upper half is mixed in, and the mixed number is signed.
    expect(orderOf('token', [0x00010008, 1])).toEqual([1, 0x00010008]);
    expect(orderOf('token', [0x00000001, 0x80008001])).toEqual([0x80008001, 1]);
    // Equal numbers keep the order in which the tokens came.
    const equal = [`11${withTail(5).slice(2)}`, `00${withTail(5).slice(2)}`];
    const list = new BalanceList();
    for (const id of equal) list.addToken(a, id, 1n);
    expect(tokensInTableOrder(list.entryOf(a)!).map(({ id }) => id)).toEqual(equal);
  });
});

describe('initial balances (protocol 05 §9.2)', () => {
  const output = (digit: number, amount: bigint, tokens: readonly { id: Hash; amount: bigint }[] = []) => ({
    kind: 'asset' as const,
    amount,
    lockupScript: { kind: 'p2pkh' as const, publicKeyHash: hashOf(digit) },
    lockTime: 0n,
    tokens,
    additionalData: new Uint8Array(0),
  });

  it('are the inputs in order, less the fixed outputs, less the fee of the first input', () => {
    const balances = initialBalances({
      inputs: [output(2, 10n, [{ id: t, amount: 4n }]), output(1, 20n), output(2, 5n, [{ id: t, amount: 1n }])],
      fixedOutputs: [output(1, 20n), output(2, 3n, [{ id: t, amount: 5n }])],
      fee: 12n,
    });
    expect(contentOf(balances as BalanceList)).toEqual([
      [b, 0n, [[t, 0n]], 0],
      [a, 0n, [], 0],
    ]);
  });

  it.each([
    ['a fixed output to somebody without an input', [output(1, 9n)], [output(2, 1n)], 0n, 'InvalidBalances'],
    ['a fixed output above the inputs', [output(1, 9n)], [output(1, 10n)], 0n, 'InvalidBalances'],
    [
      'a fixed output of a token that is not there',
      [output(1, 9n)],
      [output(1, 1n, [{ id: t, amount: 0n }])],
      0n,
      'InvalidBalances',
    ],
    ['inputs above u256', [output(1, u256Max), output(1, 1n)], [], 0n, 'InvalidBalances'],
    [
      'a fee above what the first owner has left',
      [output(1, 9n), output(2, 9n)],
      [output(1, 5n)],
      5n,
      'UnableToPayGasFee',
    ],
    ['a fee of nobody', [], [], 0n, 'UnableToPayGasFee'],
  ] as const)('cannot be made of %s', (_, inputs, fixedOutputs, fee, failure) => {
    expect(initialBalances({ inputs, fixedOutputs, fee })).toBe(failure);
  });
});
