import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { describeCluster } from '../kit/deployment.js';
import { type BlockForm } from '../kit/api-forms.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { agreement } from '../kit/cluster/node-views.js';
import { processNumbers } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { chainHeight, confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

const tenMinutes = 600_000;
/** Milliseconds for which a clock is off. */
const offFor = isLong ? 10_000 : 1_500;
/** Milliseconds: blocks later than that are refused by everybody (protocol 03 §5). */
const futureLimit = 15_000;

/** 00-decisions, 31. */
describeCluster('clocks that are off', () => {
  let scenario: Scenario;
  let pids: readonly string[];
  beforeAll(async () => {
    scenario = await openScenario('clocks', { load: { sendersPerGroup: 1, everyMs: 50 } });
    pids = processNumbers(scenario);
    scenario.load.begin();
  });
  afterAll(() => scenario?.remove());

  afterEach(() => groups.forEach((group) => setClock(group, 0)));

  const setClock = (group: number, milliseconds: number): void =>
    scenario.cluster.setClockOffset(groupNodeNames[group]!, milliseconds);

  const heights = (group: number): Promise<readonly number[]> =>
    Promise.all(groups.map((to) => chainHeight(scenario.api, group, to)));

  const reasonOf = async (group: number): Promise<string> =>
    (await scenario.cluster.process(groupNodeNames[group]!).health()).reasons.join('; ');

  /** What a submit to a group says; the transfer is a new one each time. */
  const submitIn = async (group: number) => {
    const { api, funded } = scenario;
    const body = {
      fromPublicKey: Buffer.from(funded[group]!.publicKey).toString('hex'),
      destinations: [{ address: testKeyOfGroup(group, 7).address, attoCoinAmount: `${oneCoin}` }],
    };
    const built = await api.send('POST', '/transactions/build', { body });
    if (built.status !== 200) return built;
    const { unsignedTx } = JSON.parse(built.text) as { unsignedTx: string };
    // Never valid; whether the group admits at all is judged first.
    return api.send('POST', '/transactions/submit', { body: { unsignedTx, signature: '01'.repeat(64) } });
  };

  const untilOff = (group: number, timeoutMs = patience(3_000)): Promise<boolean> =>
    waitFor(
      `group ${group} to say that its clock is off`,
      async () => /clock is -?\d+ ms away/.test(await reasonOf(group)),
      { timeoutMs },
    );

  const expectRefusal = async (group: number, offset: number): Promise<void> => {
    const { status, text } = await submitIn(group);
    expect([status, text]).toEqual([503, expect.stringContaining(`group ${group}`)]);
    const said = /clock is (-?\d+) ms away/.exec(text);
    expect(Math.abs(Number(said?.[1]) - offset)).toBeLessThan(patience(1_000));
    expect(await reasonOf(group)).toContain('ms away from the clocks of its siblings');
  };

  /** Waits until a group has acknowledged a transfer of the load and mined it. */
  const untilMining = async (group: number): Promise<void> => {
    const before = await heights(group);
    await waitFor(
      `group ${group} to mine`,
      async () => (await heights(group)).some((height, to) => height > before[to]!),
      { timeoutMs: patience(10_000) },
    );
  };

  /** Newest blocks of a group's chains, as the API shows them. */
  const newestTime = async (group: number): Promise<number> => {
    const { api } = scenario;
    const times = await Promise.all(
      groups.map(async (to) => {
        const height = await chainHeight(api, group, to);
        const chain = `fromGroup=${group}&toGroup=${to}&height=${height}`;
        const { headers } = await api.get<{ headers: string[] }>(`/blockflow/hashes?${chain}`);
        return (await api.get<BlockForm>(`/blockflow/blocks/${headers[0]!}`)).timestamp;
      }),
    );
    return Math.max(...times);
  };

  const standsStill = async (group: number): Promise<void> => {
    const before = await heights(group);
    await pause(offFor);
    expect(await heights(group)).toEqual(before);
  };

  for (const [group, offset] of [
    [1, tenMinutes],
    [2, -tenMinutes],
  ] as const) {
    it(`one node, ${offset} ms: it stops with its reason, the others go on, and it resumes by itself`, async () => {
      await untilMining(group);
      setClock(group, offset);
      await untilOff(group);
      await expectRefusal(group, offset);
      const others = groups.filter((other) => other !== group);
      await Promise.all([standsStill(group), ...others.map((other) => untilMining(other))]);
      expect(await newestTime(group)).toBeLessThan(Date.now() + futureLimit);
      for (const other of others) expect(await reasonOf(other)).toBe('');
      setClock(group, 0);
      await untilMining(group);
      expect(await reasonOf(group)).toBe('');
      expect(await newestTime(group)).toBeLessThan(Date.now() + futureLimit);
    });
  }

  it('two nodes that are off: two siblings of each node disagree with it, so all four stop, and resume', async () => {
    setClock(0, tenMinutes);
    setClock(1, tenMinutes);
    for (const group of groups) await untilOff(group);
    await Promise.all(groups.map((group) => standsStill(group)));
    for (const group of groups) await expectRefusal(group, group < 2 ? tenMinutes : -tenMinutes);
    setClock(0, 0);
    setClock(1, 0);
    await Promise.all(groups.map((group) => untilMining(group)));
  });

  it('a node that starts with a wrong clock mines nothing until it is right', async () => {
    const name = groupNodeNames[2];
    const node = scenario.cluster.process(name);
    await node.stop();
    const before = await chainHeight(scenario.api, 0, 2);
    setClock(2, tenMinutes);
    node.begin();
    await untilOff(2, patience(15_000));
    const stopped = await heights(2);
    await expectRefusal(2, tenMinutes);
    await standsStill(2);
    expect(await heights(2)).toEqual(stopped);
    expect(await chainHeight(scenario.api, 0, 2)).toBeGreaterThanOrEqual(before);
    setClock(2, 0);
    await node.ready;
    await untilMining(2);
    pids = processNumbers(scenario);
  });

  it('a clock that jumps to and fro under load leaves no block with a time of the future', async () => {
    for (let jump = 0; jump < (isLong ? 40 : 6); jump++) {
      setClock(3, jump % 2 === 0 ? tenMinutes : 2 * tenMinutes);
      await pause(120 + 37 * (jump % 5));
      setClock(3, 0);
      await pause(250);
    }
    await untilMining(3);
    for (const group of groups) expect(await newestTime(group)).toBeLessThan(Date.now() + futureLimit);
  });

  it('leaves a sound network', async () => {
    const { load, cluster, api, funded } = scenario;
    // A clock that was set back is believed after 3 s of its messages.
    for (const group of groups)
      await waitFor(`group ${group} to trust the clocks`, async () => (await reasonOf(group)) === '', {
        timeoutMs: patience(10_000),
      });
    await load.rest();
    await agreement(cluster, patience(15_000));
    for (const group of groups) {
      const destination = { address: testKeyOfGroup((group + 1) % 4, 7).address, attoCoinAmount: `${oneCoin}` };
      const { txId } = await transfer(api, funded[group]!, [destination]);
      await confirmed(api, txId);
    }
    expect(processNumbers(scenario)).toEqual(pids);
    await scenario.finish();
  });
});

const password = 'correct horse battery staple';

describeCluster('wallets whose clock is set', () => {
  let scenario: Scenario;
  beforeAll(async () => {
    scenario = await openScenario('clocks of wallets', {
      settings: { WALLET_LOCK_TIMEOUT: '600' },
      load: { sendersPerGroup: 1 },
    });
    await scenario.api.post('/wallets', { password, walletName: 'savings', mnemonicSize: 12 });
  });
  afterAll(() => scenario?.remove());

  const isLocked = async (): Promise<boolean> => {
    const wallets = await scenario.api.get<readonly { readonly locked: boolean }[]>('/wallets');
    return wallets[0]!.locked;
  };

  it('stay unlocked when it jumps an hour ahead: the time that locks them is the monotonic one', async () => {
    const { cluster, api } = scenario;
    expect(await isLocked()).toBe(false);
    for (const hours of [1, -1, 48]) {
      cluster.setClockOffset('wallet-service', hours * 3_600_000);
      await pause(700);
      expect(await isLocked()).toBe(false);
      await api.get('/wallets/savings/addresses');
    }
  });

  it('lock in time although the wall clock goes back all the time', async () => {
    const { cluster, api } = scenario;
    cluster.setClockOffset('wallet-service', 0);
    await cluster.process('wallet-service').restart({ WALLET_LOCK_TIMEOUT: '2' });
    await api.post('/wallets/savings/unlock', { password });
    // Nobody asks meanwhile: every request that names a wallet, and the list names all, starts its time anew.
    for (let back = 1; back <= 20; back++) {
      cluster.setClockOffset('wallet-service', -back * 3_600_000);
      await pause(150);
    }
    expect(await isLocked()).toBe(true);
    await scenario.finish();
  });
});
