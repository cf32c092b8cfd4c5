/** Clients that pay over HTTP: what a benchmark of a whole network sends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentKeys, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { call } from './http-client.js';
import { seconds } from './rows.js';

export const fundedKeys = await developmentKeys();
export const receivers = Array.from({ length: 4 }, (_, group) => testKeyOfGroup(group));
export const groups = 4;

interface Built {
  readonly unsignedTx: string;
  readonly txId: string;
}
interface Status {
  readonly type: string;
  readonly toGroupConfirmations?: number;
}
interface Payment {
  readonly address: string;
  readonly attoCoinAmount: string;
}

/** Sends a signed transaction. */
type Submit = (body: { readonly unsignedTx: string; readonly signature: string }) => Promise<unknown>;

/** `submit`: by default once. */
export const pay = async (
  baseUrl: string,
  from: TestKey,
  destinations: readonly Payment[],
  submit: Submit = (body) => call(baseUrl, 'POST', '/transactions/submit', body),
): Promise<string> => {
  const built = await call<Built>(baseUrl, 'POST', '/transactions/build', {
    fromPublicKey: bytesToHex(from.publicKey),
    destinations,
  });
  const signature = bytesToHex(sign(hexToBytes(built.txId), from.privateKey));
  await submit({ unsignedTx: built.unsignedTx, signature });
  return built.txId;
};

/** Milliseconds after which a transaction that is not confirmed is a failure. */
const patience = 20_000;

/** Polls the status until it is as wanted: by default Confirmed. */
export const confirmed = async (
  baseUrl: string,
  txId: string,
  isWanted = ({ type }: Status): boolean => type === 'Confirmed',
): Promise<void> => {
  const began = performance.now();
  for (;;) {
    const status = await call<Status>(baseUrl, 'GET', `/transactions/status?txId=${txId}`);
    if (isWanted(status)) return;
    if (performance.now() - began > patience) throw new Error(`transaction ${txId} is still ${JSON.stringify(status)}`);
    await sleep(1);
  }
};

/** Resolves when sender's chain, sender's group and receiver's group have included it: the counts are 1, 1, 1. */
export const countsEverywhere = (baseUrl: string, txId: string): Promise<void> =>
  confirmed(baseUrl, txId, ({ toGroupConfirmations = 0 }) => toGroupConfirmations > 0);

export const coin = (n: number): string => `${n}${'0'.repeat(18)}`;

/** Destinations of one payment: its outputs must fit into the gas of a transaction. */
const paidAtOnce = 100;

/** Senders of all groups in rotation, none of which receives, each with 1,000 coins, spendable now. */
export const fundSenders = async (baseUrl: string, count: number): Promise<TestKey[]> => {
  const byGroup = Array.from({ length: groups }, (_, group) => testKeysOfGroup(group, 1 + count / groups).slice(1));
  const senders = Array.from({ length: count }, (_, i) => byGroup[i % groups]![Math.floor(i / groups)]!);
  for (const [group, keys] of byGroup.entries()) {
    for (let first = 0; first < keys.length; first += paidAtOnce) {
      const payments = keys
        .slice(first, first + paidAtOnce)
        .map(({ address }) => ({ address, attoCoinAmount: coin(1000) }));
      await confirmed(baseUrl, await pay(baseUrl, fundedKeys[group]!, payments));
    }
  }
  return senders;
};

/**
 * Each sender waits for Confirmed before its next transfer; the receivers are in all groups. Returns the number of
 * transfers, and how many that is a second.
 */
export const manySenders = async (
  baseUrl: string,
  senders: readonly TestKey[],
): Promise<{ readonly count: number; readonly rate: number }> => {
  const length = Math.max(seconds, 2) * 1000;
  const began = performance.now();
  let count = 0;
  const send = async (from: TestKey, number: number): Promise<void> => {
    for (let i = number; performance.now() - began < length; i++) {
      const to = receivers[i % groups]!;
      await confirmed(baseUrl, await pay(baseUrl, from, [{ address: to.address, attoCoinAmount: coin(1) }]));
      count += 1;
    }
  };
  await Promise.all(senders.map(send));
  return { count, rate: (count * 1000) / (performance.now() - began) };
};
