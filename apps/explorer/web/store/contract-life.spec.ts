import { expect, it } from '@jest/globals';
import { type ContractLife } from './contract-forms.js';
import { lifeSteps } from './contract-life.js';

const moment = (timestamp: number) => ({ blockHash: `block ${timestamp}`, txHash: `tx ${timestamp}`, timestamp });
const life = (from: number, to?: number, parent: string | null = null): ContractLife => ({
  parent,
  creation: moment(from),
  destruction: to === undefined ? null : moment(to),
  interfaceId: null,
});
const told = (...given: Parameters<typeof lifeSteps>) =>
  lifeSteps(...given).map(({ kind, timestamp }) => `${kind} ${timestamp}`);

it('tells the lives of a contract from the oldest on, and how long each was', () => {
  const lives = [life(50, undefined, 'parent'), life(20, 30), life(10, 20)];
  expect(told(lives, [], true)).toEqual(['created 10', 'destroyed 20', 'again 20', 'destroyed 30', 'again 50']);
  expect(lifeSteps(lives, [], true)[3]).toEqual({ kind: 'destroyed', livedMs: 10, ...moment(30) });
  expect(lifeSteps(lives, [], true)[4]).toEqual({ kind: 'again', parent: 'parent', ...moment(50) });
});

it('says of none that it is the first when older ones were left out', () => {
  expect(told([life(20), life(10, 15)], [], false)).toEqual(['again 10', 'destroyed 15', 'again 20']);
});

it('places what the page saw of the code between the others', () => {
  const migration = { timestamp: 12, from: 'aa', to: 'bb' };
  expect(told([life(20), life(10, 15)], [migration], true)).toEqual([
    'created 10',
    'migrated 12',
    'destroyed 15',
    'again 20',
  ]);
});
