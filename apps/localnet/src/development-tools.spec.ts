import { expect, it } from '@jest/globals';
import { developmentNetwork, settingsOfNetwork } from '@shardnode/protocol/network';
import { developmentPrivateKeys } from './development-accounts.js';
import { developmentToolsOf, mayHaveDevelopmentTools } from './development-tools.js';

const settings = { HOST: '127.0.0.1', DEV_WALLET: true, WALLET_ENABLED: true, API_KEY: undefined };

it.each([
  [true, developmentNetwork, {}],
  [false, settingsOfNetwork(0), {}],
  [false, { ...developmentNetwork }, {}],
  [true, developmentNetwork, { HOST: '::1' }],
  [true, developmentNetwork, { HOST: 'localhost' }],
  [false, developmentNetwork, { HOST: '0.0.0.0' }],
  [false, developmentNetwork, { HOST: '::' }],
  [false, developmentNetwork, { DEV_WALLET: false }],
  [false, developmentNetwork, { WALLET_ENABLED: false }],
  [false, developmentNetwork, { API_KEY: 'x'.repeat(32) }],
])('are there: %s (%#)', (expected, network, changed) => {
  expect(mayHaveDevelopmentTools(network, { ...settings, ...changed })).toBe(expected);
});

it('name the accounts by their groups, and tell no key', () => {
  const wallet = { sendTestPayment: () => Promise.resolve('id') };
  const compiledNames = { ofCode: () => undefined, named: () => [], ofFailure: () => ({}) };
  const { accounts } = developmentToolsOf(developmentNetwork, wallet, { compiledNames });
  expect(accounts.map(({ name, group }) => [name, group])).toEqual(
    [0, 1, 2, 3].map((group) => [`dev ${group}`, group]),
  );
  for (const key of developmentPrivateKeys) expect(JSON.stringify(accounts)).not.toContain(key);
});
