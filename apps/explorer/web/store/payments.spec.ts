import { expect, it } from '@jest/globals';
import { type Input, type Output, type Transaction } from './forms.js';
import {
  changes,
  changesOfAddresses,
  counterparties,
  feeOf,
  gathered,
  isToItself,
  isChange,
  isKnownAt,
  moved,
  movedOf,
  reached,
  receivers,
  senders,
  tokensOf,
  wayOf,
} from './payments.js';

const input = (address: string, attoCoinAmount: string, tokens?: Input['tokens']): Input => ({
  outputRef: { hint: 1, key: '' },
  address,
  attoCoinAmount,
  contractInput: false,
  tokens,
});
const output = (address: string, attoCoinAmount: string, tokens?: Output['tokens']): Output => ({
  type: 'AssetOutput',
  hint: 1,
  key: '',
  address,
  attoCoinAmount,
  fixedOutput: true,
  tokens,
});
const made = (inputs: readonly Input[], outputs: readonly Output[]): Transaction =>
  ({ inputs, outputs, gasAmount: 20_000, gasPrice: '100000000000' }) as unknown as Transaction;

it('tells a payment from its change', () => {
  const payment = made(
    [input('anna', '100'), input('anna', '50')],
    [output('bert', '70'), output('carl', '20'), output('anna', '58')],
  );
  expect([senders(payment), receivers(payment)]).toEqual([['anna'], ['bert', 'carl']]);
  expect(moved(payment)).toEqual({ amount: 90n });
  expect(feeOf(payment)).toBe(2_000_000_000_000_000n);
  expect(changes(payment)).toEqual([
    { address: 'anna', amount: -92n },
    { address: 'bert', amount: 70n },
    { address: 'carl', amount: 20n },
  ]);
});

it('takes for change what goes back to who put the same in', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const purchase = made(
    [input('anna', '100'), input('pool', '5', gold('9'))],
    [output('anna', '1', gold('2')), output('anna', '94'), output('pool', '10', gold('7')), output('bert', '1')],
  );
  expect(purchase.outputs.map((each) => isChange(purchase, each))).toEqual([false, true, true, false]);
});

it('takes what comes back as moved, when all of it does', () => {
  const sweep = made([input('anna', '100')], [output('anna', '99')]);
  expect([receivers(sweep), moved(sweep)]).toEqual([['anna'], { amount: 99n }]);
});

it('takes what was gained as moved, when it goes between those who pay', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const deposit = made([input('anna', '100'), input('pool', '2')], [output('anna', '60'), output('pool', '27')]);
  expect([reached(deposit), moved(deposit)]).toEqual([['pool'], { amount: 25n }]);
  const swap = made(
    [input('anna', '100'), input('pool', '5', gold('9'))],
    [output('anna', '40', gold('3')), output('pool', '63', gold('6'))],
  );
  expect([reached(swap), moved(swap)]).toEqual([['pool', 'anna'], { token: 'gold', amount: 3n }]);
});

it('names the token of a payment, and leaves out what did not change', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const payment = made(
    [input('anna', '100', gold('10'))],
    [output('bert', '1', gold('4')), output('anna', '99', gold('6'))],
  );
  expect(moved(payment)).toEqual({ token: 'gold', amount: 4n });
  expect(changes(payment)).toEqual([
    { address: 'anna', amount: -1n },
    { address: 'anna', token: 'gold', amount: -4n },
    { address: 'bert', amount: 1n },
    { address: 'bert', token: 'gold', amount: 4n },
  ]);
});

it('says how much of one token a payment moves, also where another one comes first', () => {
  const both = (gold: string, iron: string) => [
    { id: 'gold', amount: gold },
    { id: 'iron', amount: iron },
  ];
  const payment = made(
    [input('anna', '100', both('10', '8'))],
    [output('bert', '1', both('4', '3')), output('anna', '99', both('6', '5'))],
  );
  expect([movedOf(payment, 'gold'), movedOf(payment, 'iron'), movedOf(payment, 'tin')]).toEqual([
    { token: 'gold', amount: 4n },
    { token: 'iron', amount: 3n },
    { token: 'tin', amount: 0n },
  ]);
  const change = made(
    [input('anna', '100', both('10', '8'))],
    [output('bert', '1'), output('anna', '99', both('10', '8'))],
  );
  expect(movedOf(change, 'iron')).toEqual({ token: 'iron', amount: 8n });
});

it('leaves out of one token what a contract takes in and gives back', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const call = made(
    [input('anna', '100'), input('pool', '5', gold('9998'))],
    [output('anna', '90', gold('1')), output('pool', '14', gold('9997'))],
  );
  expect(movedOf(call, 'gold')).toEqual({ token: 'gold', amount: 1n });
});

it('says what a transaction is to an address, and with whom', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const toBert = made([input('anna', '100')], [output('bert', '70'), output('anna', '28')]);
  const swap = made(
    [input('anna', '100'), input('pool', '5', gold('9'))],
    [output('anna', '40', gold('9')), output('pool', '63')],
  );
  const claim = made([input('anna', '10'), input('pool', '50')], [output('anna', '58')]);
  const seen = (transaction: Transaction, own: string) => [wayOf(transaction, own), counterparties(transaction, own)];
  expect(seen(toBert, 'anna')).toEqual(['out', ['bert']]);
  expect(seen(toBert, 'bert')).toEqual(['in', ['anna']]);
  expect(seen(swap, 'anna')[0]).toBe('exchange');
  expect(seen(claim, 'pool')).toEqual(['out', ['anna']]);
  expect(seen(made([input('anna', '9')], [output('anna', '8')]), 'anna')).toEqual(['self', []]);
  expect(seen(made([], [output('anna', '8')]), 'anna')).toEqual(['reward', []]);
});

it('does not take what is not known yet for nothing', () => {
  const bare = { ...input('anna', '1'), attoCoinAmount: undefined };
  const payment = made([bare], [output('bert', '70'), output('anna', '28')]);
  expect([isKnownAt(payment, 'anna'), isKnownAt(payment, 'bert')]).toEqual([false, true]);
  expect(isKnownAt(made([{ ...bare, address: undefined }], [output('bert', '70')]), 'bert')).toBe(false);
  expect(wayOf(payment, 'anna')).toBe('out');
});

it('knows a payment to oneself', () => {
  expect(isToItself(made([input('anna', '9')], [output('anna', '8')]))).toBe(true);
  expect(isToItself(made([input('anna', '9')], [output('anna', '1'), output('bert', '7')]))).toBe(false);
  expect(isToItself(made([input('anna', '9'), input('bert', '1')], [output('anna', '9')]))).toBe(false);
  expect(isToItself(made([], [output('anna', '8')]))).toBe(false);
});

it('gathers what is of one key, and sums the tokens of several parts', () => {
  expect(gathered(['anna', 'bert', 'adam', 'carl', 'bill'], (name) => name[0]!)).toEqual([
    ['anna', 'adam'],
    ['bert', 'bill'],
    ['carl'],
  ]);
  const gold = (amount: string) => ({ id: 'gold', amount });
  const parts = [output('bert', '1', [gold('4'), { id: 'iron', amount: '1' }]), output('bert', '1', [gold('5')])];
  expect(tokensOf(parts)).toEqual([gold('9'), { id: 'iron', amount: '1' }]);
  expect(tokensOf([output('bert', '1')])).toEqual([]);
});

it('has what changed at an address together, coins and tokens', () => {
  const gold = (amount: string) => [{ id: 'gold', amount }];
  const payment = made(
    [input('anna', '10', gold('7'))],
    [output('bert', '2', gold('3')), output('anna', '7', gold('4'))],
  );
  expect(changesOfAddresses(payment)).toEqual([
    [
      { address: 'anna', token: undefined, amount: -3n },
      { address: 'anna', token: 'gold', amount: -3n },
    ],
    [
      { address: 'bert', token: undefined, amount: 2n },
      { address: 'bert', token: 'gold', amount: 3n },
    ],
  ]);
});
