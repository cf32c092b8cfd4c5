import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type Input, type Output, type Transaction } from '../../store/forms.js';
import { assetsOf, bundled, flowOf, mostThreads, type Party } from './parties.js';

const input = (address: string, attoCoinAmount: string | undefined, more: Partial<Input> = {}): Input => ({
  outputRef: { hint: 1, key: '' },
  address,
  attoCoinAmount,
  contractInput: false,
  txHashRef: `of ${address}`,
  ...more,
});
const output = (address: string, attoCoinAmount: string, more: Partial<Output> = {}): Output => ({
  type: 'AssetOutput',
  hint: 1,
  key: '',
  address,
  attoCoinAmount,
  fixedOutput: true,
  ...more,
});
const fee = 20n;
const made = (inputs: readonly Input[], outputs: readonly Output[]): Transaction =>
  ({
    inputs,
    outputs,
    gasAmount: 20,
    gasPrice: '1',
    chainFrom: 2,
    chainTo: 2,
    blockHash: '00',
  }) as unknown as Transaction;
const waiting = (inputs: readonly Input[], outputs: readonly Output[]) => {
  const { blockHash: _, ...rest } = made(inputs, outputs);
  return rest as unknown as Transaction;
};
const flow = (transaction: Transaction, token?: string) => flowOf(transaction, { token, groups: 4, now: 1_000 });
const brief = (parties: readonly Party[]) => parties.map(({ role, amount }) => [role, amount]);

describe('the flow of a transaction', () => {
  it('goes from the inputs to receivers, change and fee', () => {
    const payment = flow(
      made(
        [input('anna', '100'), input('anna', '50')],
        [output('bert', '90', { spent: 'later' }), output('anna', '40', { lockTime: 2_000 })],
      ),
    );
    expect(brief(payment.inputs)).toEqual([
      ['input', 100n],
      ['input', 50n],
    ]);
    expect(brief(payment.outputs)).toEqual([
      ['receiver', 90n],
      ['change', 40n],
      ['fee', fee],
    ]);
    expect(payment.outputs.map(({ transaction, isLocked }) => [transaction, isLocked])).toEqual([
      ['later', false],
      [undefined, true],
      [undefined, false],
    ]);
    expect(payment.inputs[0]!.transaction).toBe('of anna');
    expect(payment.total).toBe(150n);
  });

  it('holds as much at both sides, whatever the transaction', () => {
    const amounts = fc.array(fc.option(fc.bigInt({ min: 1n, max: 10n ** 24n }), { freq: 6 }), { maxLength: 30 });
    const sum = (parties: readonly Party[]) => parties.reduce((total, { amount }) => total + amount, 0n);
    fc.assert(
      fc.property(amounts, amounts, fc.boolean(), (ins, outs, isWaiting) => {
        const form = isWaiting ? waiting : made;
        const all = form(
          ins.map((amount) => input('anna', amount?.toString())),
          outs.map((amount) => output('bert', String(amount ?? 1n))),
        );
        const { inputs, outputs, total } = flow(all);
        expect([sum(inputs), sum(outputs)]).toEqual([total, total]);
        expect(Math.max(inputs.length - 1, outputs.length - 2)).toBeLessThanOrEqual(mostThreads);
      }),
    );
  });

  it('shows new coins, and that only the fee leaves', () => {
    expect(flow(made([], [output('miner', '7')]))).toMatchObject({
      inputs: [{ role: 'made', amount: 7n }],
      outputs: [{ role: 'output', amount: 7n }],
    });
    expect(brief(flow(made([input('anna', '100')], [output('anna', '80')])).outputs)).toEqual([
      ['change', 80n],
      ['fee', fee],
    ]);
  });

  it('shows what a token lacks as issued or burnt, and no fee', () => {
    const gold = (amount: string) => ({ tokens: [{ id: 'gold', amount }] });
    const bare = input('anna', '100');
    const sent = made([input('anna', '100', gold('9'))], [output('bert', '80', gold('4'))]);
    expect(assetsOf(sent)).toEqual([undefined, 'gold']);
    expect(brief(flow(sent, 'gold').outputs)).toEqual([
      ['receiver', 4n],
      ['burnt', 5n],
    ]);
    const issued = flow(made([bare], [output('anna', '80', gold('4'))]), 'gold');
    expect(brief(issued.inputs)).toEqual([['made', 4n]]);
  });

  it('says what is not known of one that waits', () => {
    const unknown = flow(waiting([input('anna', '60'), input('anna', undefined)], [output('bert', '90')]));
    expect(brief(unknown.inputs)).toEqual([
      ['input', 60n],
      ['unknown', 50n],
    ]);
    const scripted = flow(waiting([input('anna', '100')], [output('anna', '50')]));
    expect(brief(scripted.outputs)).toEqual([
      ['change', 50n],
      ['forScript', 30n],
      ['fee', fee],
    ]);
  });

  it('puts contracts into the group of the chain', () => {
    const call = flow(
      made(
        [input('anna', '100'), input('pool', '5', { contractInput: true })],
        [output('pool', '85', { type: 'ContractOutput' })],
      ),
    );
    expect(call.inputs.map(({ isContract, group }) => [isContract, group === 2])[1]).toEqual([true, true]);
    expect(call.outputs[0]).toMatchObject({ role: 'change', isContract: true, group: 2 });
  });
});

it('bundles the smallest of many, and keeps the order of the others', () => {
  const parties = Array.from(
    { length: 20 },
    (_, i) => flow(made([input('anna', String(((i * 7) % 20) + 1))], [])).inputs[0]!,
  );
  const shown = bundled(parties);
  expect(shown).toHaveLength(mostThreads);
  expect(shown.slice(0, -1)).toEqual(parties.filter(({ amount }) => amount > 9n));
  expect(shown.at(-1)).toMatchObject({ role: 'bundle', count: 9, amount: 45n });
  expect(bundled(parties.slice(0, 12))).toEqual(parties.slice(0, 12));
});
