import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AssetLockupScript } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';
import {
  buildTransfer,
  buildTransferFrom,
  selectUtxos,
  utxoSourceOf,
  type TransferRequest,
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
