import { setTimeout as pause } from 'node:timers/promises';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from '../api-client.js';
import { confirmed, oneCoin, signOffline, build, submit } from '../transfers.js';
import { type FaultLoad } from './fault-load.js';

export interface TimedTransfersOptions {
  readonly api: ApiClient;
  /** Each sends to the next one, the last one to the first. */
  readonly keys: readonly TestKey[];
  /** Milliseconds from the start of a transfer to that of the same sender's next one, at least. */
  readonly everyMs: number;
  /** Milliseconds. */
  readonly forMs: number;
  /** Learns of the transfers, so that the judgement at the end of the scenario knows them. */
  readonly load: FaultLoad;
}

/** Build, sign, submit, and the status until it says Confirmed; milliseconds. */
const timedTransfer = async (api: ApiClient, from: TestKey, to: TestKey, load: FaultLoad): Promise<number> => {
  const began = performance.now();
  const built = await build(api, from, [{ address: to.address, attoCoinAmount: (oneCoin / 1_000n).toString() }]);
  const signature = signOffline(built, from);
  const { txId, unsignedTx } = built;
  await submit(api, unsignedTx, signature);
  load.transactions.push({
    txId,
    from: from.group,
    to: to.group,
    unsignedTx,
    signature,
    acknowledged: true,
    blockHash: undefined,
    reason: undefined,
  });
  await confirmed(api, txId);
  return performance.now() - began;
};

/** Milliseconds from build to Confirmed of transfers that several senders make at a steady pace. No request may fail. */
export const timedTransfers = async ({
  api,
  keys,
  everyMs,
  forMs,
  load,
}: TimedTransfersOptions): Promise<readonly number[]> => {
  const durations: number[] = [];
  const end = performance.now() + forMs;
  const send = async (from: TestKey, index: number): Promise<void> => {
    const to = keys[(index + 1) % keys.length]!;
    await pause((index * everyMs) / keys.length);
    while (performance.now() < end) {
      const took = await timedTransfer(api, from, to, load);
      durations.push(took);
      await pause(Math.max(0, everyMs - took));
    }
  };
  await Promise.all(keys.map(send));
  return durations;
};
