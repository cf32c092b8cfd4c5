import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { composeDeployment, type ComposeDeployment } from '../kit/compose-deployment.js';
import { dashboardQueries } from '../kit/dashboard-queries.js';
import { describeContainers } from '../kit/deployment-under-test.js';
import { checkLedger } from '../kit/ledger.js';
import { alertRules } from '../kit/prometheus.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

describeContainers('the network of docker-compose.yml', () => {
  let deployment: ComposeDeployment;
  let api: ApiClient;
  let funded: readonly TestKey[];
  const receiver = testKeyOfGroup(3);
  const paid: string[] = [];
  beforeAll(async () => {
    deployment = composeDeployment({}, ['observability']);
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

  const untilExplorerShows = (atto: bigint): Promise<unknown> =>
    waitFor('the explorer to show the payments', async () => {
      const answer = await fetch(`${deployment.explorerUrl}/addresses/${receiver.address}/balance`);
      return answer.ok && ((await answer.json()) as { balance: string }).balance === atto.toString();
    });

  it('shows the payments in the explorer, with its documentation', async () => {
    await untilExplorerShows(4n * oneCoin);
    expect((await fetch(`${deployment.explorerUrl}/docs`)).status).toBe(200);
  });

  it('stops in order, and has everything after the next start', async () => {
    const before = await checkLedger(api);
    await deployment.stop();
    const ours = deployment.ends.filter(({ service }) => /^(group-node|gateway|wallet|explorer)/.test(service));
    expect(ours).toHaveLength(7);
    // 1 would be a stop of more than 15 s, 137 one that the engine had to enforce.
    expect(ours.map(({ exitCode }) => exitCode)).toEqual(ours.map(() => 0));

    await deployment.start();
    expect(await balanceOf(api, receiver.address)).toBe(4n * oneCoin);
    const after = await checkLedger(api);
    for (const txId of paid) expect(after.blockOf.get(txId)).toBe(before.blockOf.get(txId));
    expect(await api.get('/wallets')).toEqual([{ walletName: 'kept', locked: true }]);
    await pay(1);
    await untilExplorerShows(5n * oneCoin);
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
    for (const service of ['gateway', 'group-node-0', 'wallet-service', 'explorer', 'postgres', 'nats', 'redis']) {
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

  const prometheus = async <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> => {
    const answer = await fetch(`${deployment.prometheusUrl}/api/v1/${path}?${new URLSearchParams(query)}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${error}`);
    return data;
  };

  it('shows Prometheus every service, all rules, and what the dashboards ask', async () => {
    type Targets = { readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[] };
    const isUp = async (): Promise<boolean> => {
      const { activeTargets } = await prometheus<Targets>('targets');
      return activeTargets.length === 7 && activeTargets.every(({ health }) => health === 'up');
    };
    await waitFor('seven targets that are up', isUp, { timeoutMs: 60_000, everyMs: 1_000 });
    type Rules = { readonly groups: readonly { readonly rules: readonly { name: string; health: string }[] }[] };
    const { groups } = await prometheus<Rules>('rules');
    const rules = groups.flatMap(({ rules: all }) => all);
    expect(rules.map(({ name }) => name)).toEqual(alertRules().map(({ alert }) => alert));
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
    const answered = async (query: string): Promise<number> =>
      (await prometheus<{ result: readonly unknown[] }>('query', { query })).result.length;
    // Rates want two readings.
    await waitFor('a second reading', async () => (await answered('rate(process_cpu_seconds_total[1m])')) === 7, {
      timeoutMs: 60_000,
      everyMs: 1_000,
    });
    for (const { dashboard, expressions } of dashboardQueries()) {
      // Each is understood; those of errors, say, have nothing to tell.
      const results = await Promise.all(expressions.map(answered));
      const told = results.filter((length) => length > 0).length;
      process.stderr.write(`dashboard ${dashboard}: ${told} of ${expressions.length} expressions have values\n`);
      expect(told).toBeGreaterThanOrEqual(expressions.length / 3);
    }
    // The volume of the credentials is on the disk of the others.
    expect(await answered('disk_free_bytes / disk_size_bytes > 0')).toBe(6);
  });

  it('lets Prometheus reach metrics and nothing else', async () => {
    const { network } = deployment;
    const addresses = await network.addressesOf('gateway');
    const ask = (host: string, port: number, path: string) => ({ host, port, path, timeout: 3_000 });
    const asked = [
      ask('metrics', 9464, 'http://gateway:12973/metrics'),
      ask('metrics', 9464, 'http://gateway:12973/wallets'),
      ask('metrics', 9464, 'http://nats:8222/varz'),
      ask('gateway', 12973, '/wallets'),
      ask('nats', 8222, '/varz'),
      ask('postgres', 5432, '/'),
      ...addresses.map((address) => ask(address, 12973, '/wallets')),
    ];
    const script = `const { get } = require('http');
      const ask = (options) => new Promise((resolve) => {
        const request = get(options, (answer) => { answer.resume(); resolve(answer.statusCode); });
        request.once('timeout', () => request.destroy(new Error('silence')));
        request.once('error', () => resolve('away'));
      });
      Promise.all(${JSON.stringify(asked)}.map(ask)).then((all) => console.log(JSON.stringify(all)));`;
    const found = JSON.parse(await network.runBeside('prometheus', script)) as unknown[];
    expect(found).toEqual([200, 403, 403, ...asked.slice(3).map(() => 'away')]);
    // The same questions where they may be asked: they are no nonsense.
    const near = JSON.parse(await network.runBeside('metrics', script)) as unknown[];
    expect(near.slice(0, 5)).toEqual([200, 403, 403, 200, 200]);
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
