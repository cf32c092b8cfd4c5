import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeNetwork } from './kit/deployment-under-test.js';
import { type Network, startNetwork } from './kit/network.js';
import { openSdkProject, type SdkProject } from './kit/sdk-project.js';

interface Withdrawal {
  readonly address: string;
  readonly caller: string;
  readonly event: { readonly name: string; readonly fields: unknown; readonly txId: string };
  readonly refused: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly returns: string;
  readonly txId: string;
}

/** A project of the public SDK with its command line as a process, both unmodified: each step of the faucet's life. */
describeNetwork('a project of the public SDK', () => {
  let network: Network;
  let project: SdkProject;
  beforeAll(async () => {
    network = await startNetwork({ API_PROFILE: 'reference' });
    project = openSdkProject(network.deployment.baseUrl);
  });
  afterAll(async () => {
    project?.remove();
    await network?.remove();
  });
  const artifact = (name: string): unknown => JSON.parse(readFileSync(join(project.folder, 'artifacts', name), 'utf8'));

  it('compiles, and gets types', async () => {
    const { code, output, errors } = await project.commandLine('compile');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('Full node version: v2.14.9');
    expect(output).toContain('Codegen completed!');
    expect(output.toLowerCase()).not.toContain('warning');
    expect(artifact('TokenFaucet.ral.json')).toMatchObject({
      version: 'v2.14.9',
      name: 'TokenFaucet',
      fieldsSig: { names: ['symbol', 'name', 'decimals', 'supply', 'balance'] },
      eventsSig: [{ name: 'Withdraw', fieldNames: ['to', 'amount'], fieldTypes: ['Address', 'U256'] }],
      enums: [{ name: 'ErrorCodes', fields: [{ name: 'InvalidWithdrawAmount', value: { type: 'U256', value: '0' } }] }],
    });
    const types = ['TokenFaucet.ts', 'contracts.ts', 'index.ts', 'scripts.ts'];
    expect(readdirSync(join(project.folder, 'artifacts/ts'))).toEqual(expect.arrayContaining(types));
  });

  it('passes its contract tests, which are checked against the types', async () => {
    const { code, errors } = await project.commandLine('test');
    if (code !== 0) expect(errors).toBe('');
    expect(errors).toMatch(/Tests: +2 passed, 2 total/);
  });

  it('deploys the faucet', async () => {
    const { code, output, errors } = await project.commandLine('deploy');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('Scripts deployment executed!');
    expect(artifact('.deployments.devnet.json')).toMatchObject({
      deployerAddress: network.funded[0]!.address,
      contracts: { TokenFaucet: { issueTokenAmount: '10', contractInstance: { groupIndex: 0 } } },
    });
  });

  it('withdraws, reads the event, and is refused more than two tokens', async () => {
    const { code, output, errors } = await project.program('withdraw.ts');
    expect([code, errors]).toEqual([0, '']);
    const { address, caller, event, refused, fields, returns, txId } = JSON.parse(output) as Withdrawal;
    expect(event).toMatchObject({ name: 'Withdraw', txId, fields: { to: caller, amount: '2' } });
    expect(refused).toContain(`Assertion Failed in Contract @ ${address}, Error Code: 0`);
    expect(fields).toEqual({
      symbol: '5446',
      name: '546f6b656e466175636574',
      decimals: '18',
      supply: '10',
      balance: '8',
    });
    expect(returns).toBe('8');
  });
});
