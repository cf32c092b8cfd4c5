import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { p2pkhOf } from '../address/index.js';
import { type AssetLockupScript, groupOfLockupScript } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';
import {
  buildManySenders,
  buildOutcome,
  buildTransfer,
  buildTransferFrom,
  compareByToken,
  estimateGas,
  groupOfSenders,
  selectUtxos,
  sortUtxos,
  utxoSourceOf,
  type BuildOutcome,
  type TransferRequest,
  type TransferSource,
  type Utxo,
} from './index.js';

const lockupScript: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) };
const foreign: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: '22'.repeat(32) };
const utxo = (index: number, amount: bigint): Utxo => ({
  reference: { hint: 1, key: index.toString(16).padStart(64, '0') },
  amount,
  tokens: [],
  level: 0,
});
const coin = 10n ** 18n;
const request = (overrides: Partial<TransferRequest> = {}): TransferRequest => ({
  networkId: 4,
  groups: 4,
  sender: { lockupScript, unlockScript: { kind: 'p2pkh', publicKey: new Uint8Array(33) } },
  destinations: [{ lockupScript, amount: coin, tokens: [] }],
  gasPrice: 10n ** 11n,
  gasFormula: 'document',
  destinationGroups: 'one',
  ...overrides,
});

describe('what could never be mined is refused when building (00-decisions, 26)', () => {
  const source = utxoSourceOf([utxo(1, 5n * coin)]);
  it.each<[string, Partial<TransferRequest>, string]>([
    ['a gas price that no block may have', { gasPrice: 10n ** 11n - 1n }, 'GasPriceTooSmall'],
    ['too much gas', { gasAmount: 625_001 }, 'GasTooLarge'],
    ['too little gas', { gasAmount: 19_999 }, 'GasTooSmall'],
    [
      'a message over 256 bytes',
      { destinations: [{ lockupScript, amount: coin, tokens: [], message: new Uint8Array(257) }] },
      'OutputDataSizeExceeded',
    ],
    ['no destinations', { destinations: [] }, 'ZeroOutputs'],
    ['a fee over one coin', { gasAmount: 20_000, gasPrice: 10n ** 14n }, 'GasFeeTooHigh'],
  ])('%s', (_, overrides, code) => {
    expect(buildTransfer(request(overrides), source)).toMatchObject({ ok: false, refusal: { code } });
  });

  it.each<[string, Partial<AssetOutput>, string]>([
    ['an output of somebody else', { lockupScript: foreign }, 'ForeignUtxo'],
    ['a locked output', { lockTime: 1_001n }, 'LockedUtxo'],
  ])('%s among the chosen ones', (_, overrides, code) => {
    const output: AssetOutput = {
      kind: 'asset',
      amount: 5n * coin,
      lockupScript,
      lockTime: 0n,
      tokens: [],
      additionalData: new Uint8Array(0),
      ...overrides,
    };
    expect(buildTransferFrom(request(), [utxo(1, coin).reference], () => output, 1_000n)).toMatchObject({
      ok: false,
      refusal: { code },
    });
  });
});

describe('what a refusal says', () => {
  const refusal = (outcome: BuildOutcome<unknown>) => (outcome.ok ? undefined : outcome.refusal);
  const ofTransfer = (overrides: Partial<TransferRequest>, ...held: readonly bigint[]) =>
    refusal(buildTransfer(request(overrides), utxoSourceOf(held.map((amount, index) => utxo(index, amount)))));

  it('where there is not enough, whether there is anything, and whether the fee is counted', () => {
    expect(ofTransfer({})?.detail).toMatch(/is needed besides the fee, .*\. Send coins to it first\.$/);
    expect(ofTransfer({ gasAmount: 20_000 }, coin)?.detail).toMatch(/is needed with the fee, .*\. Send 0\.003 /);
  });

  it('of an amount below dust, that it may be meant in coins, unless it is 0', () => {
    const of = (amount: bigint) => ofTransfer({ destinations: [{ lockupScript, amount, tokens: [] }] }, coin);
    expect(of(5n)).toMatchObject({ code: 'AmountBelowDust', detail: expect.stringContaining('write "5 {COIN}"') });
    expect(of(0n)).toMatchObject({ code: 'AmountBelowDust', detail: expect.stringContaining('Send at least that') });
  });

  it('which chosen output is one of a contract', () => {
    const contracts = { hint: 2, key: utxo(1, coin).reference.key };
    const outcome = buildTransferFrom(request(), [contracts], () => undefined, 0n);
    expect(refusal(outcome)).toMatchObject({ code: 'ContractUtxo', facts: { field: 'utxos[0]' } });
  });

  it('which of many senders gives no gas amount where another one does (protocol 02 §7.1)', () => {
    const source = (index: number, gasAmount: number | undefined): TransferSource => {
      const publicKey = new Uint8Array(33).fill(index);
      const sender = { lockupScript: p2pkhOf(publicKey), unlockScript: { kind: 'p2pkh' as const, publicKey } };
      return { sender, destinations: request().destinations, gasAmount, utxos: utxoSourceOf([utxo(index, 5n * coin)]) };
    };
    const gasOf = (...gas: readonly (number | undefined)[]) =>
      refusal(
        buildManySenders({
          networkId: 4,
          groups: 1,
          sources: gas.map((gasAmount, index) => source(index, gasAmount)),
          gasPrice: 10n ** 11n,
          destinationGroups: 'one',
          lookup: () => undefined,
          now: 0n,
        }),
      );
    expect(gasOf(50_000, undefined)).toMatchObject({ code: 'MissingGas', facts: { field: 'from[1].gasAmount' } });
    expect(gasOf(undefined, 50_000)).toMatchObject({ code: 'MissingGas', facts: { field: 'from[0].gasAmount' } });
    expect(gasOf(50_000, 50_000)).toBeUndefined();
    expect(gasOf(undefined, undefined)).toBeUndefined();
  });

  it('which of many senders is of another group than the first, and of which group (protocol 02 §7.1)', () => {
    const scripts = Array.from({ length: 100 }, (_, i) => p2pkhOf(new Uint8Array(33).fill(i)));
    const inGroup = (group: number) => scripts.filter((script) => groupOfLockupScript(script, 4) === group);
    const [first, second] = inGroup(1);
    expect(refusal(buildOutcome(() => groupOfSenders([first!, second!, inGroup(3)[0]!], 4)))).toMatchObject({
      code: 'DifferentGroups',
      detail: expect.stringMatching(/^from\[2\] is of group 3, from\[0\] of group 1: /),
      facts: { field: 'from[2].fromPublicKey' },
    });
  });

  it('nothing where the gas of an unlock script cannot be known: that is a fault, and no transaction', () => {
    const unlockScript = { kind: 'p2sh' as const, script: { methods: [] }, parameters: [] };
    const sender = { lockupScript, unlockScript };
    expect(() => ofTransfer({ sender }, 5n * coin)).toThrow('no script can be tried');
    expect(() => estimateGas('document', unlockScript, 1, 1)).toThrow('no script can be run');
  });
});

describe('selection', () => {
  it('conserves coin: inputs = outputs + fee, for any set of outputs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 10n ** 15n, max: 10n * coin }), { minLength: 1, maxLength: 60 }),
        fc.bigInt({ min: 10n ** 15n, max: 20n * coin }),
        (amounts, wanted) => {
          const utxos = amounts.map((amount, i) => utxo(i, amount));
          const outcome = buildTransfer(
            request({ destinations: [{ lockupScript, amount: wanted, tokens: [] }] }),
            utxoSourceOf(utxos),
          );
          if (!outcome.ok) return outcome.refusal.detail !== undefined;
          const spent = outcome.value.inputs.reduce(
            (sum, { outputReference }) => sum + utxos.find((one) => one.reference.key === outputReference.key)!.amount,
            0n,
          );
          const paid = outcome.value.fixedOutputs.reduce((sum, { amount }) => sum + amount, 0n);
          return spent === paid + outcome.value.gasPrice * BigInt(outcome.value.gasAmount);
        },
      ),
    );
  });

  it('gives back every unit of a token that comes with the coins (protocol 02 §4.8)', () => {
    const held = { ...utxo(1, 5n * coin), tokens: [{ id: 'aa'.repeat(32), amount: 7n }] };
    const outcome = buildTransfer(request(), utxoSourceOf([held]));
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    expect(outcome.value.fixedOutputs.flatMap(({ tokens }) => tokens)).toEqual(held.tokens);
  });

  it('tells amounts of tokens apart that differ by one, whatever coin is with them (protocol 02 §4.4)', () => {
    const id = 'aa'.repeat(32);
    const few = { ...utxo(1, 2n), tokens: [{ id, amount: 2n }] };
    const more = { ...utxo(2, 1n), tokens: [{ id, amount: 3n }] };
    for (const held of [
      [few, more],
      [more, few],
    ]) {
      expect(sortUtxos(held, compareByToken(id), 'ascending')).toEqual([few, more]);
      expect(sortUtxos(held, compareByToken(id), 'descending')).toEqual([more, few]);
    }
  });

  it('reads only as far into a sorted source as it needs', () => {
    let read = 0;
    const counted = function* (list: readonly Utxo[]): Iterable<Utxo> {
      for (const one of list) {
        read += 1;
        yield one;
      }
    };
    const utxos = Array.from({ length: 10_000 }, (_, i) => utxo(i, coin));
    const source = { all: () => utxos, withoutTokens: () => counted(utxos), withTokens: () => [] };
    const { picked } = selectUtxos(source, {
      coin: 3n * coin,
      tokens: [],
      gasPrice: 1n,
      gasAmount: undefined,
      estimateGas: () => 20_000,
    });
    expect(picked.length).toBe(4);
    expect(read).toBe(4);
  });
});
