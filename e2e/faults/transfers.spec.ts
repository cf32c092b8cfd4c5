import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type ApiClient, type Answer } from '../kit/api-client.js';
import { type BuiltForm } from '../kit/api-forms.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { WalletSenders } from '../kit/cluster/wallet-senders.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { build, confirmed, oneCoin, signOffline, statusOf, transfer } from '../kit/transfers.js';

const rounds = isLong ? 100 : 12;
const copies = 1_000;

/** A transaction with its signature, ready to be sent many times. */
interface Signed {
  readonly txId: string;
  readonly from: TestKey;
  readonly to: TestKey;
  readonly body: { readonly unsignedTx: string; readonly signature: string };
}

describeCluster('transfers over two gateways', () => {
  let scenario: Scenario;
  let wallets: WalletSenders;
  /** Spenders that the load does not know, and who receives from them. */
  const spenders = groups.map((group) => testKeysOfGroup(group, 50)[49]!);
  const receivers = groups.map((group) => testKeysOfGroup(group, 60)[59]!);
  beforeAll(async () => {
    scenario = await openScenario('transfers over two gateways', {
      secondGateway: true,
      load: { sendersPerGroup: 9, transfers: 460 },
    });
    const { api, second, funded, load } = scenario;
    wallets = await WalletSenders.prepare([api, second!], funded, load, { wallets: 4 });
    const attoCoinAmount = (1_000n * oneCoin).toString();
    const funding = groups.map(async (group) => {
      const { txId } = await transfer(api, funded[group]!, [{ address: spenders[group]!.address, attoCoinAmount }]);
      await confirmed(api, txId);
    });
    await Promise.all(funding);
  });
  afterAll(() => scenario?.remove());

  const signed = async (from: TestKey, to: TestKey, attoCoin: bigint): Promise<Signed> => {
    const destinations = [{ address: to.address, attoCoinAmount: attoCoin.toString() }];
    const built: BuiltForm = await build(scenario.api, from, destinations);
    const { txId, unsignedTx } = built;
    return { txId, from, to, body: { unsignedTx, signature: signOffline(built, from) } };
  };

  const send = (api: ApiClient, { body }: Signed): Promise<Answer> =>
    api.send('POST', '/transactions/submit', { body });

  /** The end of the scenario judges it too. */
  const acknowledge = ({ txId, from, to, body }: Signed): void => {
    const unknown = { blockHash: undefined, reason: undefined };
    scenario.load.transactions.push({ txId, from: from.group, to: to.group, ...body, acknowledged: true, ...unknown });
  };

  /** 400 with the id of the transaction that spends the output (00-decisions, 23), in a header: the body is the documented one. */
  const expectConflict = ({ status, headers, text }: Answer, loser: Signed, winner: Signed): void => {
    expect([status, headers['x-conflicting-transaction']]).toEqual([400, winner.txId]);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['detail']);
    expect(loser.txId).not.toBe(winner.txId);
  };

  it('500 random transfers between 40 wallets in all groups, at once: all are acknowledged', async () => {
    const { load } = scenario;
    load.begin();
    wallets.begin(10);
    await Promise.all([load.finished(), wallets.finished()]);
    expect(wallets.acknowledged).toBe(40);
    expect(load.acknowledged).toBe(500);
    await load.settle();
    expect(load.transactions.every(({ blockHash }) => blockHash !== undefined)).toBe(true);
  });

  /** Two transactions on the same output at once: exactly one is acknowledged, the other names it. */
  const raceOnce = async (round: number): Promise<{ readonly winner: Signed; readonly loser: Signed }> => {
    const { api, second } = scenario;
    const from = spenders[round % groups.length]!;
    const [one, other] = await Promise.all([
      signed(from, receivers[round % 3]!, oneCoin + BigInt(round)),
      signed(from, receivers[(round + 1) % 4]!, 2n * oneCoin + BigInt(round)),
    ]);
    // Of each spender in turn: over two gateways, and over one.
    const apis = Math.floor(round / groups.length) % 2 === 0 ? [api, second!] : [api, api];
    const answers = await Promise.all([send(apis[0]!, one), send(apis[1]!, other)]);
    const isFirst = answers[0].status === 200;
    const [winner, loser] = isFirst ? [one, other] : [other, one];
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    acknowledge(winner);
    expectConflict(answers[isFirst ? 1 : 0], loser, winner);
    return { winner, loser };
  };

  /** Rounds of the same spender follow each other, those of different ones go at once. */
  const race = async (): Promise<{ readonly winner: Signed; readonly loser: Signed }[]> => {
    const lanes = groups.map(async (group) => {
      const done: { readonly winner: Signed; readonly loser: Signed }[] = [];
      for (let round = group; round < rounds; round += groups.length) done.push(await raceOnce(round));
      return done;
    });
    return (await Promise.all(lanes)).flat();
  };

  it(`${rounds} times two transactions on the same output at once, mining instant: one of them succeeds`, async () => {
    const { api, second } = scenario;
    for (const { winner, loser } of await race()) {
      await confirmed(api, winner.txId);
      for (const gateway of [api, second!]) expectConflict(await send(gateway, loser), loser, winner);
      expect(await send(second!, winner)).toMatchObject({ status: 200 });
    }
  });

  /** One transaction, sent a thousand times over both gateways. */
  const sendCopies = async (): Promise<Signed> => {
    const { api, second } = scenario;
    const one = await signed(spenders[0]!, receivers[3]!, oneCoin);
    const answers = await Promise.all(
      Array.from({ length: copies }, (_, copy) => send(copy % 2 === 0 ? api : second!, one)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(JSON.parse(answers[0]!.text)).toEqual({ txId: one.txId, fromGroup: 0, toGroup: 3 });
    acknowledge(one);
    return one;
  };

  it('the same bytes 1,000 times at once over both gateways: one transaction, 1,000 equal answers', async () => {
    const { txId } = await sendCopies();
    await confirmed(scenario.api, txId);
  });

  it('a group-node that starts again still names who has spent an output', async () => {
    const { api, cluster } = scenario;
    const one = await signed(spenders[1]!, receivers[0]!, oneCoin);
    const other = await signed(spenders[1]!, receivers[1]!, oneCoin);
    expect(await send(api, one)).toMatchObject({ status: 200 });
    acknowledge(one);
    await cluster.process('group-node-1').restart();
    expectConflict(await send(api, other), other, one);
    expect(await send(api, one)).toMatchObject({ status: 200 });
  });

  it('mining interval: the same while the first one is only pending, and after it was mined', async () => {
    const { api, second, cluster } = scenario;
    // A block of each chain every two seconds.
    const settings = { MINING: 'interval', MINING_INTERVAL: '2' };
    await Promise.all(groupNodeNames.map((name) => cluster.process(name).restart(settings)));
    const copy = await sendCopies();
    const races = await race();
    for (const { winner, loser } of races) {
      const { type } = await statusOf(api, winner.txId);
      expect(['MemPooled', 'Confirmed']).toContain(type);
      expectConflict(await send(second!, loser), loser, winner);
    }
    // Later ones spend the change of earlier ones, a block each: instant mining takes them all at once.
    await Promise.all(groupNodeNames.map((name) => cluster.process(name).restart()));
    for (const { winner, loser } of races.slice(-8)) {
      await confirmed(api, winner.txId);
      expectConflict(await send(second!, loser), loser, winner);
    }
    await confirmed(api, copy.txId);
  });

  it('everything acknowledged is confirmed exactly once, and nothing else', async () => {
    const { load } = scenario;
    const { report } = await scenario.finish();
    expect(report.transactions).toBeGreaterThan(500);
    expect(load.transactions.every(({ blockHash }) => blockHash !== undefined)).toBe(true);
  });
});
