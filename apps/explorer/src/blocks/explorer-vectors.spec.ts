import { describe, expect, it } from '@jest/globals';
import { addressOf } from '@shardnode/protocol/address';
import { networkHashRate, workOf } from '@shardnode/protocol/block';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { readVectors } from '@shardnode/testing/vectors';
import { type Val } from '@shardnode/protocol/script';
import { contractStepOf } from './contract-events.js';
import { bucketsOf, endOf } from './buckets.js';
import { blockIdOf, blockIdOfTx, chainOfBlock, firstTxIdAt, orderOfTx, timestampOfTx, txIdOf } from './row-ids.js';
import { expandUnlockScripts, isSameAsPreviousByte } from './unlock-addresses.js';

interface Vectors {
  systemEventContracts: {
    entries: { kind: string; eventIndex: number; group: number; contractId: string; address: string }[];
  };
  hashRate: {
    groups: number;
    blockTargetTimeMs: number;
    entries: { target: string; difficulty: string; hashRate: string }[];
  };
  rowIds: {
    groups: number;
    entries: {
      timestamp: number;
      chainFrom: number;
      chainTo: number;
      txOrder: number;
      blockId: string;
      txId: string;
    }[];
  };
  ceilBuckets: { entries: { timestamp: number; hour: number; day: number; week: number }[] };
  sameAsPrevious: { cases: { stored: string[]; shown: string[] }[] };
}
const vectors = readVectors<Vectors & Record<string, unknown>>('explorer-examples.json');

describe('vectors of the explorer', () => {
  it('rowIds', () => {
    const { groups, entries } = vectors.rowIds;
    for (const { timestamp, chainFrom, chainTo, txOrder, blockId, txId } of entries) {
      const chain = chainFrom * groups + chainTo;
      const id = txIdOf(blockIdOf(BigInt(timestamp), chain), txOrder);
      expect([blockIdOf(BigInt(timestamp), chain), id]).toEqual([BigInt(blockId), BigInt(txId)]);
      expect([blockIdOfTx(id), chainOfBlock(BigInt(blockId)), orderOfTx(id)]).toEqual([
        BigInt(blockId),
        chain,
        txOrder,
      ]);
      expect(timestampOfTx(id)).toBe(BigInt(timestamp));
      expect(firstTxIdAt(BigInt(timestamp)) <= id && id < firstTxIdAt(BigInt(timestamp + 1))).toBe(true);
    }
  });

  it('hashRate', () => {
    const { groups, blockTargetTimeMs, entries } = vectors.hashRate;
    for (const { target, difficulty, hashRate } of entries) {
      expect(workOf(parseInt(target, 16)).toString()).toBe(difficulty);
      expect(networkHashRate(parseInt(target, 16), groups, BigInt(blockTargetTimeMs)).toString()).toBe(hashRate);
    }
  });

  it('ceilBuckets', () => {
    const { hourly, daily, weekly } = bucketsOf;
    for (const { timestamp, hour, day, week } of vectors.ceilBuckets.entries)
      expect([hourly, daily, weekly].map((buckets) => endOf(buckets, BigInt(timestamp)))).toEqual(
        [hour, day, week].map(BigInt),
      );
  });

  it('sameAsPrevious', () => {
    for (const { stored, shown } of vectors.sameAsPrevious.cases)
      expect(expandUnlockScripts(stored.map(hexToBytes), isSameAsPreviousByte).map(bytesToHex)).toEqual(shown);
  });

  it('systemEventContracts', () => {
    const contract: Val = { type: 'Address', value: { kind: 'p2c', contractId: '5a'.repeat(32) } };
    const none: Val = { type: 'ByteVec', value: new Uint8Array() };
    for (const { kind, eventIndex, group, contractId, address } of vectors.systemEventContracts.entries) {
      expect(addressOf({ kind: 'p2c', contractId })).toBe(address);
      const fields = kind === 'contractCreated' ? [contract, none, none] : [contract];
      const event = { txId: '00'.repeat(32), contractId, eventIndex, fields };
      expect(contractStepOf(event, group)?.kind).toBe(kind === 'contractCreated' ? 'created' : 'destroyed');
      expect(contractStepOf(event, group + 1)).toBeUndefined();
      expect(contractStepOf({ ...event, fields: [...fields, none] }, group)).toBeUndefined();
      expect(contractStepOf({ ...event, eventIndex: 0 }, group)).toBeUndefined();
    }
  });
});
