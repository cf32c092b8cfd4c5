import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeNetwork } from './kit/deployment-under-test.js';
import { type Network, startNetwork } from './kit/network.js';

const faucet = `Contract Faucet(mut balance: U256) {
  enum FaucetError { InvalidWithdrawAmount = 7 }

  @using(updateFields = true, checkExternalCaller = false)
  pub fn withdraw(amount: U256) -> () {
    emit Debug(\`asked for \${amount}\`)
    assert!(amount <= 2, FaucetError.InvalidWithdrawAmount)
    balance = balance - amount
  }
}
`;

describeNetwork('a contract that the node has compiled', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  it('runs, and its failure has the names of its source', async () => {
    const { api } = network;
    const since = performance.now();
    const compiled = await api.send('POST', '/contracts/compile-contract', { body: { code: faucet } });
    process.stderr.write(`first source: ${(performance.now() - since).toFixed(0)} ms\n`);
    expect(compiled.status).toBe(200);
    const { bytecode, codeHash } = JSON.parse(compiled.text) as {
      readonly bytecode: string;
      readonly codeHash: string;
    };
    const test = (amount: string) =>
      api.send('POST', '/contracts/test-contract', {
        body: {
          bytecode,
          initialMutFields: [{ type: 'U256', value: '10' }],
          args: [{ type: 'U256', value: amount }],
        },
      });
    const worked = await test('2');
    expect([worked.status, JSON.parse(worked.text)]).toMatchObject([
      200,
      { codeHash, contracts: [{ mutFields: [{ type: 'U256', value: '8' }] }] },
    ]);
    const failed = await test('3');
    expect([failed.status, failed.headers['x-error-code']]).toEqual([400, 'ContractTestFailed']);
    expect(failed.headers['x-failed-function']).toBe('Faucet.withdraw');
    expect(failed.headers['x-assertion-name']).toBe('FaucetError.InvalidWithdrawAmount');
  });
});
