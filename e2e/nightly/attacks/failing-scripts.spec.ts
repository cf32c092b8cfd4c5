import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scriptHex } from '@shardnode/testing/sample-contracts';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { FailingScripts } from '../../kit/attacks/failing-scripts.js';
import { ContractSender, type Sink } from '../../kit/contracts/contract-sender.js';
import { deployCounter } from '../../kit/contracts/counter-calls.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';
import { confirmed, fundingTransfer, oneCoin, transfer } from '../../kit/transfers.js';

/** All of group 0. */
const keys = testKeysOfGroup(0, 277).slice(200);
const honest = keys.slice(0, 16);
const caller = keys[16]!;
const hostile = keys.slice(17);
/** The honest clients are at 127.0.0.1. */
const hostileAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const seconds = 12;

/** What honest clients got done. */
interface Work {
  /** Acknowledged transfers a second. */
  readonly rate: number;
  /** Contract calls that were confirmed. */
  readonly calls: number;
  readonly failed: readonly string[];
}

describeNetwork('attack: 60 senders of scripts that take long and fail', () => {
  let network: Network;
  let sink: Sink;
  let callerOfContract: ContractSender;
  let script: string;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    network = await startNetwork();
    const { api, funded } = network;
    await fundingTransfer(
      api,
      funded[0]!,
      keys.map(({ address }) => ({ address, attoCoinAmount: (100n * oneCoin).toString() })),
    );
    sink = { transactions: [], defects: [] };
    callerOfContract = new ContractSender([api], caller, sink);
    script = scriptHex((await deployCounter(callerOfContract)).script);
  }, 120_000);
  afterAll(() => network?.remove());

  /** 16 senders of transfers, and one of contract calls, each with one after the other. */
  const work = async (): Promise<Work> => {
    const failed: string[] = [];
    let [transfers, calls] = [0, 0];
    const until = performance.now() + seconds * 1_000;
    const sending = honest.map(async (from) => {
      while (performance.now() < until) {
        try {
          const destination = { address: from.address, attoCoinAmount: oneCoin.toString() };
          acknowledged.push((await transfer(network.api, from, [destination])).txId);
          transfers += 1;
        } catch (error) {
          failed.push(String(error));
          await pause(100);
        }
      }
    });
    const calling = (async () => {
      while (performance.now() < until) {
        const built = await callerOfContract.build('/contracts/unsigned-tx/execute-script', { bytecode: script });
        if (built && (await callerOfContract.send(built)) === 'confirmed') calls += 1;
      }
    })();
    await Promise.all([...sending, calling]);
    return { rate: transfers / seconds, calls, failed };
  };

  const print = (name: string, { rate, calls, failed }: Work): void =>
    void process.stderr.write(
      `${name}: ${rate.toFixed(1)} transfers a second, ${calls} contract calls, ${failed.length} failed\n`,
    );

  it('leaves honest transfers their share, and contract calls of another client get through', async () => {
    const attack = await FailingScripts.prepare(network, hostile, hostileAddresses);
    await work();
    const alone = await work();
    print('alone', alone);
    attack.begin();
    const beside = await work();
    await attack.end();
    print('beside the attack', beside);
    process.stderr.write(`attack: ${JSON.stringify([...attack.answers])}\n`);
    for (const txId of acknowledged) await confirmed(network.api, txId);
    expect(attack.answers.get('400 TxScriptExeFailed')).toBeGreaterThan(0);
    expect(sink.defects).toEqual([]);
    expect(beside.failed).toEqual([]);
    expect(beside.calls).toBeGreaterThan(0);
    // Half and more on a quiet machine (docs/security.md): here others use the processor, too.
    expect(beside.rate).toBeGreaterThan(alone.rate / 4);
  }, 300_000);
});
