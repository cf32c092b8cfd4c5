import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from './kit/api-client.js';
import { composeDeployment, type ComposeDeployment } from './kit/compose-deployment.js';
import { describeContainers } from './kit/deployment.js';
import { checkLedger } from './kit/ledger.js';
import { balanceOf, confirmed, oneCoin, transfer } from './kit/transfers.js';

describeContainers('the network of docker-compose.yml', () => {
  let deployment: ComposeDeployment;
  let api: ApiClient;
  let funded: readonly TestKey[];
  const receiver = testKeyOfGroup(3);
  const paid: string[] = [];
  beforeAll(async () => {
    deployment = composeDeployment({});
    await deployment.start();
    api = apiClient(() => deployment.baseUrl);
    funded = await developmentKeys();
  });
  afterAll(async () => {
    api?.close();
    await deployment?.remove();
  });

  const pay = async (from: number): Promise<void> => {
    const destinations = [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }];
    const { txId } = await transfer(api, funded[from]!, destinations);
    await confirmed(api, txId, ({ toGroupConfirmations }) => toGroupConfirmations >= 1);
    paid.push(txId);
  };

  it('takes payments of all groups, and a wallet', async () => {
    for (const from of [0, 1, 2, 3]) await pay(from);
    expect(await balanceOf(api, receiver.address)).toBe(4n * oneCoin);
    const created = await api.post<{ walletName: string }>('/wallets', { password: 'a password', walletName: 'kept' });
    expect(created.walletName).toBe('kept');
  });

  it('stops in order, and has everything after the next start', async () => {
    const before = await checkLedger(api);
    await deployment.stop();
    const ours = deployment.ends.filter(({ service }) => /^(group-node|gateway|wallet)/.test(service));
    expect(ours).toHaveLength(6);
    // 1 would be a stop of more than 15 s, 137 one that the engine had to enforce.
    expect(ours.map(({ exitCode }) => exitCode)).toEqual(ours.map(() => 0));

    await deployment.start();
    expect(await balanceOf(api, receiver.address)).toBe(4n * oneCoin);
    const after = await checkLedger(api);
    for (const txId of paid) expect(after.blockOf.get(txId)).toBe(before.blockOf.get(txId));
    expect(await api.get('/wallets')).toEqual([{ walletName: 'kept', locked: true }]);
    await pay(1);
  });

  it('has everything after all containers were killed at once', async () => {
    const before = await balanceOf(api, receiver.address);
    await deployment.kill9();
    await deployment.start();
    expect(await balanceOf(api, receiver.address)).toBe(before);
    await pay(2);
    await checkLedger(api);
  });

  it('runs without root, without capabilities, and cannot write its own program', async () => {
    const { network } = deployment;
    for (const service of ['gateway', 'group-node-0', 'wallet-service', 'postgres', 'nats', 'redis']) {
      const status = await network.processStatus(service);
      expect({ service, user: status.user, capabilities: status.capabilities }).toEqual({
        service,
        user: 10001,
        capabilities: 0n,
      });
      expect(status.noNewPrivileges).toBe(true);
    }
    const written = await network.runInside('gateway', ['node', '-e', "require('fs').writeFileSync('/app/x', '')"]);
    expect(written.standardError).toContain('EROFS');
  });

  it('gives no service the credentials or the servers of another', async () => {
    const { network } = deployment;
    const list = "console.log(require('fs').readdirSync('/run/credentials', { recursive: true }).sort().join(' '))";
    const seen = await network.runInside('group-node-1', ['node', '-e', list]);
    expect(seen.standardOutput.trim()).toBe('database database/shardnode_group_1 nats nats/group-node-1');
    const lookup = "require('dns').lookup('postgres', (error) => console.log(error ? 'unknown' : 'known'))";
    expect((await network.runInside('gateway', ['node', '-e', lookup])).standardOutput.trim()).toBe('unknown');
    expect((await network.runInside('group-node-1', ['node', '-e', lookup])).standardOutput.trim()).toBe('known');
  });

  it("answers the operator's program", async () => {
    const said = await deployment.network.runOnce('operator', ['doctor']);
    expect(said).toContain('group-node-3');
  });

  it('changes all passwords while it runs', async () => {
    const { network } = deployment;
    await network.runOnce('rotate', ['rotate']);
    await network.signal('nats', 'HUP');
    // New connections take the new passwords: after a restart of the services there are no old ones.
    await deployment.restart();
    await pay(3);
    await checkLedger(api);
  });
});
