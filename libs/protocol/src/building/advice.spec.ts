import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { p2pkhOf } from '../address/index.js';
import { dustAmount, maxInputs } from '../primitives/index.js';
import { type AssetOutput, type UnsignedTransaction } from '../transaction/index.js';
import {
  type BuildOutcome,
  buildManySenders,
  buildSweep,
  buildTransfer,
  buildTransferFrom,
  type Destination,
  type Sender,
  type Utxo,
  utxoSourceOf,
} from './index.js';

const coin = 10n ** 18n;
const gasPrice = 10n ** 11n;
const ids = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32));

const ownerOf = (byte: number): Sender => {
  const publicKey = new Uint8Array(33).fill(byte);
  return { lockupScript: p2pkhOf(publicKey), unlockScript: { kind: 'p2pkh', publicKey } };
};
const [owner, second, receiver] = [ownerOf(2), ownerOf(3), ownerOf(4)];
const multisig: Sender = {
  ...owner,
  unlockScript: { kind: 'p2mpkh', keys: [0, 1, 2].map((index) => ({ index, publicKey: new Uint8Array(33) })) },
};

interface Held {
  readonly amount: bigint;
  /** Amounts by place in `ids`; 0: not held. */
  readonly tokens: readonly bigint[];
}
const tokensOf = (amounts: readonly bigint[]) =>
  amounts.flatMap((amount, i) => (amount > 0n ? [{ id: ids[i]!, amount }] : []));
const utxosOf = (held: readonly Held[], from = 0): Utxo[] =>
  held.map(({ amount, tokens }, i) => ({
    reference: { hint: 1, key: (from + i).toString(16).padStart(64, '0') },
    amount,
    tokens: tokensOf(tokens),
    level: 0,
  }));

/** Amounts near the borders: multiples of a half dust, and any. */
const coins = (most: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: 2n, max: (most * 2n) / dustAmount }).map((halves) => (halves * dustAmount) / 2n),
    fc.bigInt({ min: dustAmount, max: most }),
    fc.bigInt({ min: 2n, max: 30n }).map((halves) => (halves * dustAmount) / 2n),
  );
const tokenAmounts = (most: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, fc.bigInt({ min: 0n, max: BigInt(most) })), {
    minLength: ids.length,
    maxLength: ids.length,
  });
const held: fc.Arbitrary<Held[]> = fc.array(fc.record({ amount: coins(coin), tokens: tokenAmounts(9) }), {
  minLength: 1,
  maxLength: 8,
});

interface Wanted {
  /** Parts of the balance in thousandths, or the balance less some halves of dust. */
  readonly part: { readonly thousandths: bigint } | { readonly halves: bigint };
  readonly tokens: readonly bigint[];
  readonly isLocked: boolean;
}
const wanted: fc.Arbitrary<Wanted> = fc.record({
  part: fc.oneof(
    fc.record({ thousandths: fc.bigInt({ min: 1n, max: 1_500n }) }),
    fc.record({ halves: fc.bigInt({ min: 0n, max: 12n }) }),
  ),
  tokens: tokenAmounts(12),
  isLocked: fc.boolean(),
});
const destinationOf = ({ part, tokens, isLocked }: Wanted, balance: bigint): Destination => {
  const amount = 'halves' in part ? balance - (part.halves * dustAmount) / 2n : (balance * part.thousandths) / 1_000n;
  return {
    lockupScript: receiver.lockupScript,
    amount: amount < dustAmount ? dustAmount : amount,
    tokens: tokensOf(tokens),
    ...(isLocked ? { lockTime: 4_102_444_800_000n } : {}),
  };
};
const balanceOf = (outputs: readonly { readonly amount: bigint }[]) =>
  outputs.reduce((sum, { amount }) => sum + amount, 0n);

const textOf = (outcome: BuildOutcome<unknown>): string => (outcome.ok ? '' : outcome.refusal.detail!);

/** What the last sentence of a refusal says to do. */
const advised = (text: string) =>
  [
    ...text.matchAll(
      /(?:([\d.]+) \{COIN\} \((\d+) atto\{Coin\}\)|(\d+) of token (\w+)) less(?: to ((?:from\[\d\]\.)?destinations\[\d\]))?/g,
    ),
  ].map(([, , attoCoin, units, token, place]) => ({
    coin: BigInt(attoCoin ?? 0),
    units: BigInt(units ?? 0),
    token,
    place,
  }));

/** The destinations after a person has done what the text says, and nothing else. */
const followed = (text: string, destinations: readonly Destination[], prefix = ''): readonly Destination[] => {
  const steps = advised(text);
  return destinations.map((destination, i) => {
    const own = steps.filter(({ place }) => place === undefined || place === `${prefix}destinations[${i}]`);
    const less = own.reduce((sum, step) => sum + step.coin, 0n);
    const tokens = destination.tokens.map(({ id, amount }) => ({
      id,
      amount: amount - own.filter(({ token }) => token === id).reduce((sum, { units }) => sum + units, 0n),
    }));
    return { ...destination, amount: destination.amount - less, tokens };
  });
};

/** Refusals that say how to send what there is. */
const saysHow = (text: string): boolean => advised(text).length > 0;

type Build = (destinations: readonly Destination[], gasAmount?: number) => BuildOutcome<UnsignedTransaction>;

const follow = (destinations: readonly Destination[], build: Build) => {
  const outcome = build(destinations);
  const text = textOf(outcome);
  const gas = /ive a gas amount of (\d+)/.exec(text)?.[1];
  const after =
    saysHow(text) || gas !== undefined
      ? build(followed(text, destinations), gas === undefined ? undefined : Number(gas))
      : undefined;
  return { outcome, text, after };
};

/** Selection by the node, for one key or several, with the gas of the node or the client. */
const selecting =
  (sender: Sender, outputs: readonly Utxo[], asked: number | undefined, price = gasPrice): Build =>
  (destinations, gasAmount = asked) =>
    buildTransfer(
      {
        networkId: 4,
        groups: 4,
        sender,
        destinations,
        gasAmount,
        gasPrice: price,
        gasFormula: 'document',
        destinationGroups: 'one',
      },
      utxoSourceOf(outputs),
    );

const choosing = (outputs: readonly Utxo[], asked: number | undefined): Build => {
  const byKey = new Map(
    outputs.map(({ reference, amount, tokens }) => [
      reference.key,
      {
        kind: 'asset',
        amount,
        tokens,
        lockTime: 0n,
        lockupScript: owner.lockupScript,
        additionalData: new Uint8Array(0),
      } satisfies AssetOutput,
    ]),
  );
  return (destinations, gasAmount = asked) =>
    buildTransferFrom(
      {
        networkId: 4,
        groups: 4,
        sender: owner,
        destinations,
        gasAmount,
        gasPrice,
        gasFormula: 'document',
        destinationGroups: 'one',
      },
      outputs.map(({ reference }) => reference),
      ({ key }) => byKey.get(key),
      0n,
    );
};

const gasAmounts = fc.constantFrom(undefined, undefined, 60_000, 20_000);
const senders = fc.constantFrom(owner, owner, multisig);
const prices = fc.constantFrom(gasPrice, gasPrice, 25n * gasPrice);

describe('advice of a refusal: who follows it is not refused again', () => {
  const seen = { advised: 0, refused: 0 };

  it('whatever the outputs, tokens, locks, destinations and gas are', () => {
    fc.assert(
      fc.property(
        held,
        fc.array(wanted, { minLength: 1, maxLength: 3 }),
        senders,
        gasAmounts,
        prices,
        (list, parts, sender, gasAmount, price) => {
          const outputs = utxosOf(list);
          const destinations = parts.map((part) => destinationOf(part, balanceOf(outputs) / BigInt(parts.length)));
          const { outcome, after, text } = follow(destinations, selecting(sender, outputs, gasAmount, price));
          if (!outcome.ok) seen.refused += 1;
          if (!after) return;
          seen.advised += 1;
          expect([text, textOf(after)]).toEqual([text, '']);
        },
      ),
      { numRuns: 800 },
    );
    expect(seen.advised).toBeGreaterThan(seen.refused / 3);
  });

  it('with chosen outputs', () => {
    fc.assert(
      fc.property(held, fc.array(wanted, { minLength: 1, maxLength: 3 }), gasAmounts, (list, parts, gasAmount) => {
        const outputs = utxosOf(list);
        const destinations = parts.map((part) => destinationOf(part, balanceOf(outputs) / BigInt(parts.length)));
        const { after, text } = follow(destinations, choosing(outputs, gasAmount));
        if (after) expect([text, textOf(after)]).toEqual([text, '']);
      }),
      { numRuns: 500 },
    );
  });

  it('with several senders', () => {
    let followers = 0;
    fc.assert(
      fc.property(held, held, wanted, wanted, (mine, theirs, first, other) => {
        const lists = [utxosOf(mine), utxosOf(theirs, 100)];
        const all = [first, other].map((part, i) => [destinationOf(part, balanceOf(lists[i]!))]);
        const build = (each: readonly (readonly Destination[])[]) =>
          buildManySenders({
            networkId: 4,
            groups: 1,
            sources: each.map((destinations, i) => ({
              sender: [owner, second][i]!,
              destinations,
              utxos: utxoSourceOf(lists[i]!),
            })),
            gasPrice,
            destinationGroups: 'one',
            lookup: () => undefined,
            now: 0n,
          });
        const text = textOf(build(all));
        if (!saysHow(text)) return;
        followers += 1;
        const after = build(all.map((destinations, i) => followed(text, destinations, `from[${i}].`)));
        expect([text, textOf(after)]).toEqual([text, '']);
      }),
      { numRuns: 300 },
    );
    expect(followers).toBeGreaterThan(100);
  });

  it('and is not told to send less than can be sent', () => {
    fc.assert(
      fc.property(held, wanted, fc.bigInt({ min: 1n, max: 10n ** 6n }), (list, part, parts) => {
        const outputs = utxosOf(list);
        const destinations = [destinationOf({ ...part, tokens: [0n, 0n, 0n] }, balanceOf(outputs))];
        const build = selecting(owner, outputs, undefined);
        const [step] = advised(textOf(build(destinations)));
        if (!step) return;
        for (const more of [step.coin - 1n, (step.coin * parts) / 10n ** 6n - 1n]) {
          if (more < 0n) continue;
          const amount = destinations[0]!.amount - more;
          expect([step, more, build([{ ...destinations[0]!, amount }]).ok]).toEqual([step, more, false]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a sender to very many destinations', () => {
  it('is told to how many it can send, whatever inputs they take', () => {
    const many = fc.array(fc.constantFrom([0n, 0n, 0n], [1n, 0n, 0n]), { minLength: 60, maxLength: 200 });
    const fit: number[] = [];
    fc.assert(
      fc.property(many, fc.bigInt({ min: 1n, max: 60n }), senders, (tokens, size, sender) => {
        const outputs = [
          ...utxosOf(Array.from({ length: 100 }, () => ({ amount: size * 10n * dustAmount, tokens: [0n, 0n, 0n] }))),
          ...utxosOf([{ amount: coin, tokens: [1_000n, 0n, 0n] }], 200),
        ];
        const destinations = tokens.map((own) => ({
          lockupScript: receiver.lockupScript,
          amount: 2n * dustAmount,
          tokens: tokensOf(own),
        }));
        const build = selecting(sender, outputs, undefined);
        const text = textOf(build(destinations));
        const count = /Send to the first (\d+) destinations/.exec(text)?.[1];
        if (count === undefined) return;
        fit.push(Number(count));
        const after = build(followed(text, destinations.slice(0, Number(count))));
        expect([text, textOf(after)]).toEqual([text, '']);
      }),
      { numRuns: 150 },
    );
    expect(Math.min(...fit)).toBeLessThan(100);
    expect(fit.length).toBeGreaterThan(30);
  });
});

describe('a sender of the whole balance', () => {
  const plain = (count: number, amount: bigint) =>
    utxosOf(Array.from({ length: count }, () => ({ amount, tokens: [] })));
  const all = (outputs: readonly Utxo[], more: Partial<Destination> = {}) => [
    { lockupScript: receiver.lockupScript, amount: balanceOf(outputs), tokens: [], ...more },
  ];
  const sweepOf = (outputs: readonly Utxo[]) =>
    buildSweep({ networkId: 4, sender: owner, destination: receiver.lockupScript, gasPrice }, outputs);

  it('is told how much less to send, and that a sweep sends everything', () => {
    const text = textOf(selecting(owner, plain(1, 2n * coin), undefined)(all(plain(1, 2n * coin))));
    expect(text).toMatch(/Send 0\.003 \{COIN\} \(3000000000000000 atto\{Coin\}\) less, or everything with a sweep\.$/);
  });

  it('is told of a sweep only where it can be built', () => {
    fc.assert(
      fc.property(held, (list) => {
        const outputs = utxosOf(list);
        const text = textOf(selecting(owner, outputs, undefined)(all(outputs)));
        const sweep = sweepOf(outputs);
        const swept = sweep.ok ? sweep.value.flatMap(({ inputs }) => inputs).length : 0;
        expect([text, text.includes('with a sweep')]).toEqual([text, swept === outputs.length]);
      }),
    );
  });

  it('of very many outputs is told to join them first', () => {
    const outputs = plain(5_000, coin);
    const text = textOf(selecting(owner, outputs, undefined)(all(outputs)));
    expect(text).toMatch(
      /Join outputs of the sender with a sweep first, or send 4744\.\d+ \{COIN\} \(\d+ atto\{Coin\}\) less\.$/,
    );
  });

  it('and is not told of one when asking for more than there is', () => {
    const outputs = plain(1, 2n * coin);
    const text = textOf(selecting(owner, outputs, undefined)(all(outputs, { amount: 3n * coin })));
    expect(text).toMatch(/Send 1\.003 \{COIN\} \(\d+ atto\{Coin\}\) less\.$/);
  });

  it.each([undefined, 625_000])('is told to sweep first with more inputs than 256 (gas %s)', (gasAmount) => {
    const outputs = plain(390, coin);
    const destinations = [{ lockupScript: receiver.lockupScript, amount: 380n * coin, tokens: [] }];
    const { outcome, after, text } = follow(destinations, selecting(owner, outputs, gasAmount));
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TooManyInputs' } });
    expect(text).toMatch(/has at most 256\. Join outputs of the sender with a sweep first, or send [\d.]+ \{COIN\}/);
    if (!after?.ok) throw new Error(after && textOf(after));
    expect(after.value.inputs).toHaveLength(maxInputs);
    expect(sweepOf(outputs).ok).toBe(true);
  });
});
