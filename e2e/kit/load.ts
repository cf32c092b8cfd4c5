import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type ApiClient, UnexpectedAnswer } from './api-client.js';
import { groups } from './chains.js';
import { build, confirmed, oneCoin, signOffline, statusOf, transfer } from './transfers.js';

/** A transaction that was sent, and what is known of it. */
interface SentTransaction {
  readonly txId: string;
  readonly unsignedTx: string;
  readonly signature: string;
  /** The node has answered 200: it may never be lost from then on. */
  acknowledged: boolean;
  /** The block that a status has named. */
  blockHash: string | undefined;
}

/** Many senders in all groups, each with transfers one after the other to receivers in all groups. */
export interface Load {
  readonly sent: readonly SentTransaction[];
  /** Answers that no honest sender may get. */
  readonly refusals: readonly string[];
  /** Senders go on until their connection breaks or `rest` is called. */
  begin(): void;
  /** No sender sends any more. */
  rest(): Promise<void>;
}

const sendersInGroup = (group: number, count: number): readonly TestKey[] =>
  testKeysOfGroup(group, 40 + count).slice(40);

/** Gives each of `count` senders in each group 1,000 coins, and waits until they are there. */
export const fundSenders = async (
  api: ApiClient,
  funded: readonly TestKey[],
  count: number,
): Promise<readonly TestKey[]> => {
  const senders = groups.map((group) => sendersInGroup(group, count));
  const attoCoinAmount = (1_000n * oneCoin).toString();
  await Promise.all(
    groups.map(async (group) => {
      const destinations = senders[group]!.map(({ address }) => ({ address, attoCoinAmount }));
      const { txId } = await transfer(api, funded[group]!, destinations);
      await confirmed(api, txId);
    }),
  );
  return senders.flat();
};

export const createLoad = (api: ApiClient, senders: readonly TestKey[]): Load => {
  const sent: SentTransaction[] = [];
  const refusals: string[] = [];
  const receivers = groups.map((group) => testKeysOfGroup(group, 60).slice(55));
  let resting = true;
  let running: Promise<void>[] = [];

  const sendOne = async (sender: TestKey, turn: number): Promise<void> => {
    const to = receivers[turn % groups.length]![turn % 5]!;
    const built = await build(api, sender, [{ address: to.address, attoCoinAmount: (oneCoin / 100n).toString() }]);
    const signature = signOffline(built, sender);
    const { txId, unsignedTx } = built;
    const transaction: SentTransaction = { txId, unsignedTx, signature, acknowledged: false, blockHash: undefined };
    sent.push(transaction);
    await api.post('/transactions/submit', { unsignedTx, signature });
    transaction.acknowledged = true;
    const status = await statusOf(api, txId);
    if (status.type === 'TxNotFound') refusals.push(`${txId} was acknowledged and is not found`);
    if (status.type === 'Confirmed') transaction.blockHash = status.blockHash;
  };
  const run = async (sender: TestKey, start: number): Promise<void> => {
    for (let turn = start; !resting; turn++) {
      try {
        await sendOne(sender, turn);
      } catch (error) {
        if (error instanceof UnexpectedAnswer) refusals.push(error.message);
        // Any other failure: the process is gone, as it is to be.
        return;
      }
    }
  };
  return {
    sent,
    refusals,
    begin: () => {
      resting = false;
      const turn = sent.length;
      running = senders.map((sender, index) => run(sender, turn + index));
    },
    rest: async () => {
      resting = true;
      await Promise.all(running);
    },
  };
};
