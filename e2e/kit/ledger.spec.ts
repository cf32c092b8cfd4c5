import { describe, expect, it } from '@jest/globals';
import { blockReward } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type BlockForm, type FixedOutput, type TransactionForm } from './api-forms.js';
import { foldBlocks } from './ledger.js';

const target = '20ffffff';
const timestamp = 1_795_000_000_000;
const reward = blockReward(developmentNetwork, 0x20ffffff, BigInt(timestamp));
const fee = 20_000n * 10n ** 11n;

const output = (key: string, address: string, amount: bigint): FixedOutput => ({
  hint: 1,
  key,
  attoCoinAmount: amount.toString(),
  address,
  tokens: [],
  lockTime: 0,
  message: '',
});

const transaction = (txId: string, spends: readonly string[], makes: readonly FixedOutput[]): TransactionForm => ({
  unsigned: {
    txId,
    version: 0,
    networkId: 4,
    gasAmount: 20_000,
    gasPrice: '100000000000',
    inputs: spends.map((key) => ({ outputRef: { hint: 1, key }, unlockScript: '' })),
    fixedOutputs: makes,
  },
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
  inputSignatures: [],
  scriptSignatures: [],
});

const block = (height: number, ...transactions: TransactionForm[]): BlockForm & { target: string } => ({
  hash: `block ${height}`,
  timestamp,
  chainFrom: 0,
  chainTo: 0,
  height,
  deps: [],
  transactions,
  target,
});

const genesis = block(0, transaction('genesis', [], [output('a', 'rich', 10n * fee)]));
const paid = transaction('paid', ['a'], [output('b', 'poor', fee), output('c', 'rich', 8n * fee)]);
const coinbase = (height: number, amount = reward): TransactionForm =>
  transaction(`coinbase ${height}`, [], [output(`coinbase ${height}`, 'miner', amount)]);

describe('the sum of blocks', () => {
  it('is what everybody has, what was mined and what was burned', () => {
    const ledger = foldBlocks([genesis, block(1, paid, coinbase(1))]);
    expect(Object.fromEntries(ledger.balances)).toEqual({ rich: 8n * fee, poor: fee, miner: reward });
    expect(ledger).toMatchObject({ genesis: 10n * fee, mined: reward, burned: fee });
    expect([...ledger.unspent.keys()]).toEqual(['b', 'c', 'coinbase 1']);
    expect(ledger.blockOf.get('paid')).toBe('block 1');
  });

  it.each<[string, TransactionForm, TransactionForm, RegExp]>([
    [
      'an output is spent twice',
      transaction('again', ['a'], [output('d', 'thief', 9n * fee)]),
      coinbase(2),
      /spent twice/,
    ],
    ['an output was never made', transaction('x', ['z'], []), coinbase(2), /which no block made/],
    ['coins are made', transaction('x', ['c'], [output('d', 'rich', 8n * fee)]), coinbase(2), /does not balance/],
    ['coins vanish', transaction('x', ['c'], [output('d', 'rich', fee)]), coinbase(2), /does not balance/],
    ['a transaction is applied twice', paid, coinbase(2), /is in two blocks/],
    ['a miner is paid too much', transaction('x', ['b'], []), coinbase(2, reward + 1n), /pays \d+, not \d+/],
  ])('fails when %s', (_what, wrong, last, says) => {
    expect(() => foldBlocks([genesis, block(1, paid, coinbase(1)), block(2, wrong, last)])).toThrow(says);
  });
});
