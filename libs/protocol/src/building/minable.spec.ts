import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { documentedTextOf } from '@shardnode/testing/documented-texts';
import { multisigOf, p2pkhOf } from '../address/index.js';
import { dustAmount, maximalGasPerTx, outputHint, type AssetLockupScript } from '../primitives/index.js';
import { type AssetOutput, type Token, type UnlockScript } from '../transaction/index.js';
import {
  buildManySenders,
  buildSweep,
  buildTransfer,
  buildTransferFrom,
  chargedGas,
  estimateSweepGas,
  mostPlainDestinations,
  multisigUnlockScript,
  utxoSourceOf,
  type BuildOutcome,
  type ManySendersRequest,
  type SweepRequest,
  type TransferRequest,
  type Utxo,
} from './index.js';

const coin = 10n ** 18n;
const publicKey = (index: number): Uint8Array => new Uint8Array(33).fill(index + 1);
const oneKey = (index: number) => ({
  lockupScript: p2pkhOf(publicKey(index)),
  unlockScript: { kind: 'p2pkh', publicKey: publicKey(index) } as UnlockScript,
});
const sender = oneKey(0);
const multisig = (m: number) => {
  const keys = Array.from({ length: 16 }, (_, index) => publicKey(index));
  const lockupScript = multisigOf(keys, m) as AssetLockupScript;
  return { lockupScript, unlockScript: valueOf(multisigUnlockScript(lockupScript, keys.slice(16 - m))) };
};
const token = (index: number): string => index.toString(16).padStart(64, 'a');
const utxo = (index: number, amount: bigint, tokens: readonly Token[] = []): Utxo => ({
  reference: { hint: outputHint(sender.lockupScript), key: index.toString(16).padStart(64, '0') },
  amount,
  tokens,
  level: 0,
});
const outputOf = ({ amount, tokens }: Utxo, more: Partial<AssetOutput> = {}): AssetOutput => ({
  kind: 'asset',
  amount,
  tokens,
  lockupScript: sender.lockupScript,
  lockTime: 0n,
  additionalData: new Uint8Array(0),
  ...more,
});
function valueOf<T>(outcome: BuildOutcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.code} ${outcome.refusal.detail}`);
  return outcome.value;
}

const transfer = (overrides: Partial<TransferRequest> = {}): TransferRequest => ({
  networkId: 4,
  groups: 4,
  sender,
  destinations: [{ lockupScript: sender.lockupScript, amount: coin, tokens: [] }],
  gasPrice: 10n ** 11n,
  gasFormula: 'document',
  destinationGroups: 'one',
  ...overrides,
});
const sweep = (overrides: Partial<SweepRequest> = {}): SweepRequest => ({
  networkId: 4,
  sender,
  destination: sender.lockupScript,
  gasPrice: 10n ** 11n,
  ...overrides,
});

describe('what could never be mined is built when that is asked for (00-decisions, 26)', () => {
  const source = utxoSourceOf([utxo(1, 5n * coin)]);
  it.each<[string, Partial<TransferRequest>]>([
    ['a gas price that no block may have', { gasPrice: 10n ** 9n }],
    ['a message over 256 bytes', { destinations: [{ ...transfer().destinations[0]!, message: new Uint8Array(600) }] }],
  ])('%s', (_, overrides) => {
    expect(buildTransfer(transfer(overrides), source).ok).toBe(false);
    expect(buildTransfer(transfer({ ...overrides, unminable: 'build' }), source).ok).toBe(true);
  });

  it('but no gas price below the documented bound', () => {
    const outcome = buildTransfer(transfer({ gasPrice: 10n ** 9n - 1n, unminable: 'build' }), source);
    expect(outcome.ok ? 'built' : documentedTextOf(outcome.refusal)).toBe(
      'Gas price GasPrice(999999999) too small, minimal GasPrice(1000000000)',
    );
  });

  it.each<[string, Partial<AssetOutput>]>([
    ['an output of somebody else', { lockupScript: oneKey(1).lockupScript }],
    ['a locked output', { lockTime: 1_001n }],
  ])('%s among the chosen ones', (_, more) => {
    const chosen = utxo(1, 5n * coin);
    const build = (unminable: 'refuse' | 'build') =>
      buildTransferFrom(transfer({ unminable }), [chosen.reference], () => outputOf(chosen, more), 1_000n).ok;
    expect([build('refuse'), build('build')]).toEqual([false, true]);
    const many = (unminable: 'refuse' | 'build'): ManySendersRequest => ({
      networkId: 4,
      groups: 4,
      sources: [{ ...transfer(), chosen: [chosen.reference], utxos: utxoSourceOf([]) }],
      gasPrice: 10n ** 11n,
      destinationGroups: 'one',
      lookup: () => outputOf(chosen, more),
      now: 1_000n,
      unminable,
    });
    expect([buildManySenders(many('refuse')).ok, buildManySenders(many('build')).ok]).toEqual([false, true]);
  });

  it.each([
    ['reordered', [1, 0]],
    ['repeated', [1, 1]],
  ])('%s keys of a multisig address', (_, order) => {
    const lockup = multisigOf([publicKey(0), publicKey(1)], 2);
    const unlock = (unminable: 'refuse' | 'build') => multisigUnlockScript(lockup, order.map(publicKey), unminable);
    expect(unlock('refuse')).toMatchObject({ ok: false, refusal: { code: 'InvalidPublicKeyOrder' } });
    expect(valueOf(unlock('build'))).toMatchObject({ keys: order.map((index) => ({ index })) });
  });
});

describe('gas is never below what validation charges', () => {
  it('for tokens of chosen outputs, which the estimate does not count', () => {
    const chosen = utxo(1, 5n * coin, [
      { id: token(1), amount: 9n },
      { id: token(2), amount: 9n },
    ]);
    const destinations = [{ lockupScript: sender.lockupScript, amount: coin, tokens: [{ id: token(1), amount: 4n }] }];
    const build = (more: Partial<TransferRequest>) =>
      buildTransferFrom(transfer({ destinations, ...more }), [chosen.reference], () => outputOf(chosen), 0n);
    const built = valueOf(build({}));
    expect(built.gasAmount).toBe(chargedGas(built));
    expect(valueOf(build({ unminable: 'build' })).gasAmount).toBe(20_000);
    expect(build({ gasAmount: 20_000 })).toMatchObject({
      ok: false,
      refusal: {
        code: 'GasTooSmall',
        detail:
          'The gas amount of 20000 is too little: this transaction needs 27560. Give a gas amount of 27560, or leave it out to have it estimated.',
      },
    });
  });

  it('for the same token in several destinations of many senders', () => {
    const held = (index: number): Utxo => utxo(index, 9n * coin, [{ id: token(1), amount: 100n }]);
    const paid = [0, 1, 2, 3].map((message) => ({
      lockupScript: sender.lockupScript,
      amount: coin,
      tokens: [{ id: token(1), amount: 4n }],
      message: new Uint8Array([message]),
    }));
    const request = (unminable: 'refuse' | 'build'): ManySendersRequest => ({
      networkId: 4,
      groups: 4,
      sources: [{ sender, destinations: paid, utxos: utxoSourceOf([held(1)]) }],
      gasPrice: 10n ** 11n,
      destinationGroups: 'one',
      lookup: () => undefined,
      now: 0n,
      unminable,
    });
    const built = valueOf(buildManySenders(request('refuse')));
    expect(built.gasAmount).toBe(chargedGas(built));
    expect(valueOf(buildManySenders(request('build'))).gasAmount).toBeLessThan(chargedGas(built)!);
  });

  it.each([1, 2, 5, 128].flatMap((inputs) => [1, 2, 7, 16].map((m) => [inputs, m] as const)))(
    'for a sweep of %i outputs of %i keys',
    (inputs, m) => {
      const utxos = Array.from({ length: inputs }, (_, i) => utxo(i, coin));
      const [built] = valueOf(buildSweep(sweep({ sender: multisig(m) }), utxos));
      expect(built!.gasAmount).toBe(Math.max(estimateSweepGas(inputs, 0), chargedGas(built!)!));
      const [documented] = valueOf(buildSweep(sweep({ sender: multisig(m), unminable: 'build' }), utxos));
      expect(documented!.gasAmount).toBe(estimateSweepGas(inputs, 0));
    },
  );
});

describe('how much a transaction holds (00-decisions, 26)', () => {
  const held = [{ id: token(1), amount: 500n }];

  it('is as many plain destinations as the refusal of more of them says', () => {
    const pay = (count: number) => {
      const destination = { lockupScript: sender.lockupScript, amount: dustAmount, tokens: [] };
      const destinations = Array.from({ length: count }, () => destination);
      return buildTransfer(transfer({ destinations }), utxoSourceOf([utxo(1, 5n * coin)]));
    };
    expect(pay(mostPlainDestinations).ok).toBe(true);
    expect(pay(mostPlainDestinations + 1)).toMatchObject({
      ok: false,
      refusal: {
        code: 'EstimatedGasTooLarge',
        facts: { outputsThatFit: mostPlainDestinations, field: 'destinations' },
      },
    });
  });

  it('is at most 256 outputs, whatever gas the client gives', () => {
    const tokens = [{ id: token(1), amount: 1n }];
    const destination = { lockupScript: sender.lockupScript, amount: 2n * dustAmount, tokens };
    const destinations = Array.from({ length: 130 }, () => destination);
    const build = (unminable: 'refuse' | 'build') => {
      const request = transfer({ destinations, gasAmount: maximalGasPerTx, unminable });
      return buildTransfer(request, utxoSourceOf([utxo(1, 5n * coin, held)]));
    };
    // A token and the rest of the coin for each, and the same as change.
    expect(build('refuse')).toMatchObject({
      ok: false,
      refusal: { code: 'TooManyOutputs', facts: { found: 262, limit: 256 } },
    });
    expect(valueOf(build('build')).fixedOutputs).toHaveLength(262);
  });

  it('takes an unlock script once that is repeated or marked as the same (protocol 02 §9.5)', () => {
    const gas = (...unlocks: readonly UnlockScript[]) =>
      chargedGas({
        inputs: unlocks.map((unlockScript) => ({ outputReference: utxo(1, coin).reference, unlockScript })),
        fixedOutputs: [],
      });
    expect(gas(sender.unlockScript, { kind: 'sameAsPrevious' })).toBe(gas(sender.unlockScript, sender.unlockScript));
  });
});

describe('a sweep of many different tokens', () => {
  const utxos = Array.from({ length: 300 }, (_, i) => utxo(i, coin, [{ id: token(i), amount: BigInt(i + 1) }]));

  it('takes so few outputs a transaction that each can be mined, and moves everything', () => {
    const transactions = valueOf(buildSweep(sweep(), utxos));
    for (const unsigned of transactions) {
      expect(unsigned.gasAmount).toBeLessThanOrEqual(maximalGasPerTx);
      expect(unsigned.gasAmount).toBeGreaterThanOrEqual(chargedGas(unsigned)!);
    }
    expect(transactions.flatMap(({ inputs }) => inputs.map(({ outputReference }) => outputReference))).toEqual(
      utxos.map(({ reference }) => reference),
    );
    const moved = transactions.flatMap(({ fixedOutputs }) => fixedOutputs.flatMap(({ tokens }) => tokens));
    expect(moved).toEqual(utxos.flatMap(({ tokens }) => tokens));
    const coins = transactions
      .flatMap(({ fixedOutputs }) => fixedOutputs.map(({ amount }) => amount))
      .reduce((sum, amount) => sum + amount, 0n);
    const fees = transactions.reduce((sum, { gasAmount, gasPrice }) => sum + BigInt(gasAmount) * gasPrice, 0n);
    expect(coins + fees).toBe(300n * coin);
  });

  it('has 128 outputs a transaction, as documented, when what cannot be mined is built', () => {
    const transactions = valueOf(buildSweep(sweep({ unminable: 'build' }), utxos));
    expect(transactions.map(({ inputs }) => inputs.length)).toEqual([128, 128, 44]);
    expect(transactions[0]!.gasAmount).toBeGreaterThan(maximalGasPerTx);
  });
});

describe('a sweep with outputs that cannot pay their own fee', () => {
  const dust = (index: number, tokens: readonly Token[] = []): Utxo => utxo(index, dustAmount, tokens);
  const sweptKeys = (utxos: readonly Utxo[]): string[] =>
    valueOf(buildSweep(sweep(), utxos)).flatMap(({ inputs }) => inputs.map(({ outputReference: { key } }) => key));
  const keysOf = (utxos: readonly Utxo[]): string[] => utxos.map(({ reference: { key } }) => key);

  it('leaves a last transaction of dust out, and builds the others', () => {
    const own = Array.from({ length: 128 }, (_, index) => utxo(index, coin));
    expect(sweptKeys([...own, dust(200), dust(201)])).toEqual(keysOf(own));
    expect(sweptKeys([...own, dust(200), dust(201), dust(202)]).length).toBe(131);
  });

  it('leaves tokens out that were sent with less than their transfer costs', () => {
    const own = utxo(0, coin / 50n);
    const foreign = Array.from({ length: 60 }, (_, i) => dust(i + 1, [{ id: token(i), amount: 1n }]));
    expect(sweptKeys([...foreign.slice(0, 30), own, ...foreign.slice(30)])).toEqual(keysOf([own]));
    const rich = utxo(0, coin);
    expect(sweptKeys([rich, ...foreign])).toEqual(keysOf([rich, ...foreign]));
  });

  it('refuses when none can pay', () => {
    expect(buildSweep(sweep(), [dust(0)])).toMatchObject({ refusal: { code: 'NotEnoughBalanceForFee' } });
    expect(buildSweep(sweep(), [dust(0), dust(1)])).toMatchObject({ refusal: { code: 'NotEnoughBalance' } });
    expect(buildSweep(sweep(), [])).toEqual({ ok: true, value: [] });
  });

  it('takes every output that could be swept alone, whatever strangers send', () => {
    const amounts = fc.oneof(fc.constant(dustAmount), fc.bigInt({ min: dustAmount, max: coin / 100n }));
    const tokens = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 1 });
    const outputs = fc.array(fc.record({ amount: amounts, tokens }), { maxLength: 300 });
    const prices = fc.constantFrom(1n, 3n, 10n).map((times) => times * 10n ** 11n);
    const property = fc.property(outputs, prices, (drawn, gasPrice) => {
      const held = drawn.map(({ amount, tokens: ids }, index) =>
        utxo(
          index,
          amount,
          ids.map((id) => ({ id: token(id), amount: 1n })),
        ),
      );
      const request = sweep({ gasPrice });
      const outcome = buildSweep(request, held);
      const swept = new Set(
        outcome.ok ? outcome.value.flatMap(({ inputs }) => inputs.map(({ outputReference: { key } }) => key)) : [],
      );
      const alone = held.filter((one) => buildSweep(request, [one]).ok);
      expect(keysOf(alone).filter((key) => !swept.has(key))).toEqual([]);
    });
    fc.assert(property, { numRuns: 60 });
  });
});
