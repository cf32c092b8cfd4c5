import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { incomingShare, Mempool } from '@shardnode/protocol/policy';
import { groupOfLockupScript, type OutputReference } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';
import {
  referenceOf,
  transactionId,
  type TransactionTemplate,
  transactionTemplateCodec,
} from '@shardnode/protocol/transaction';
import { refuse } from '@shardnode/protocol/validation';
import { assetOutput, buildSignedTransfer, inventedOutput, unsignedTemplate } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../view/group-state.js';
import { type GroupStore, type PoolChanges } from '../store/index.js';
import { longestIncoming, PoolUpkeep } from './upkeep.js';

const settings = developmentNetwork;

/** A transfer of the allocation of group 1 to group 0. */
const incoming = async () => {
  const from = (await developmentKeys())[1]!;
  const { reference, output } = blockEffects(genesisBlock(settings, { from: 1, to: 1 })).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  const outputs = [assetOutput(testKeyOfGroup(0).lockupScript, 10n ** 18n)];
  return buildSignedTransfer({ settings, from, spend: [{ reference, output }], outputs });
};

const open = (capacity?: number) => {
  const pool = new Mempool(0, settings.groups, capacity);
  const state = { settings, group: 0, pool } as unknown as GroupState;
  return { pool, upkeep: new PoolUpkeep(state, {} as GroupStore, createStoppedClock()) };
};

describe('a transaction that leaves the pool unmined', () => {
  it('leaves when its reason is stored, with the dependents that arrived meanwhile', async () => {
    const { unsigned } = await incoming();
    const pool = new Mempool(1, settings.groups);
    const parent = { unsigned, inputSignatures: [], scriptSignatures: [] };
    pool.add(parent, 1n);
    const id = transactionId(unsigned);
    const change = unsigned.fixedOutputs.findIndex(({ lockupScript }) => groupOfLockupScript(lockupScript, 4) === 1);
    const child = {
      ...parent,
      unsigned: {
        ...unsigned,
        inputs: [
          {
            outputReference: referenceOf(unsigned.fixedOutputs[change]!, id, change),
            unlockScript: { kind: 'sameAsPrevious' as const },
          },
        ],
      },
    };
    const childId = transactionId(child.unsigned);
    const stored: string[][] = [];
    const store = {
      changePool: async ({ dropped = [] }: PoolChanges) => {
        for (const { txId } of dropped) expect(pool.get(txId)).toBeDefined();
        stored.push(dropped.map(({ txId }) => txId));
        if (stored.length === 1) pool.add(child, 2n);
      },
    } as unknown as GroupStore;
    const state = { settings, group: 1, pool } as unknown as GroupState;
    const upkeep = new PoolUpkeep(state, store, createStoppedClock());
    await upkeep.drop([id], { code: 'Expired', detail: 'it was not mined within two hours' });
    expect(stored).toEqual([[id], [childId]]);
    expect(pool.size).toBe(0);
  });
});

describe('transactions that are removed', () => {
  const minute = 60_000;
  const { lockupScript } = testKeyOfGroup(0);
  const own = (name: string): TransactionTemplate =>
    unsignedTemplate([inventedOutput(assetOutput(lockupScript, 1n), name).reference], [lockupScript]);
  const [spendable, unspendable] = [own('there'), own('not there')];
  const [spendableId, unspendableId] = [spendable, unspendable].map((each) => transactionId(each.unsigned));

  /** A pool with both; the blocks have the output that one of them spends. */
  const openPool = () => {
    const pool = new Mempool(0, settings.groups);
    const clock = createStoppedClock();
    const there = spendable.unsigned.inputs[0]!.outputReference.key;
    const state = {
      settings,
      group: 0,
      pool,
      memory: { loaded: async (read: () => unknown) => read() },
      shown: { view: { output: ({ key }: OutputReference) => (key === there ? {} : undefined) } },
    } as unknown as GroupState;
    const stored = { left: [] as (readonly [string, string])[], forgottenBefore: 0n };
    const store = {
      changePool: async ({ dropped = [] }: PoolChanges) =>
        void stored.left.push(...dropped.map(({ txId, code }) => [txId, code] as const)),
      forgetDropReasons: async (before: bigint) => void (stored.forgottenBefore = before),
    } as unknown as GroupStore;
    for (const each of [spendable, unspendable]) pool.add(each, BigInt(clock.now()));
    return { pool, clock, stored, upkeep: new PoolUpkeep(state, store, clock) };
  };

  it('have waited for two hours, or for ten minutes without their inputs; reasons for a day (protocol 02 §13.5)', async () => {
    const { pool, clock, stored, upkeep } = openPool();
    const sizeAfter = async (milliseconds: number): Promise<number> => {
      clock.advance(milliseconds);
      await upkeep.clean();
      return pool.size;
    };
    expect(await sizeAfter(10 * minute - 1)).toBe(2);
    expect(await sizeAfter(1)).toBe(1);
    expect(stored.left).toEqual([[unspendableId, 'NonExistInput']]);
    expect(await sizeAfter(110 * minute - 1)).toBe(1);
    expect(await sizeAfter(1)).toBe(0);
    expect(stored.left.slice(1)).toEqual([[spendableId, 'Expired']]);
    expect(stored.forgottenBefore).toBe(BigInt(clock.now() - 24 * 60 * minute));
  });

  it('are those that a template found invalid, for its reason (protocol 02 §14.3)', async () => {
    const { pool, stored, upkeep } = openPool();
    await upkeep.invalid([{ transactionId: unspendableId!, refusal: refuse('NonExistInput', 'it is spent') }]);
    expect(stored.left).toEqual([[unspendableId, 'NonExistInput']]);
    expect(pool.all().map(({ id }) => id)).toEqual([spendableId]);
  });
});

describe('incoming transactions', () => {
  it('are shown until their block is here', async () => {
    const { pool, upkeep } = open();
    const { unsigned, inputSignatures } = await incoming();
    upkeep.addIncoming(encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }), 1);
    expect(pool.size).toBe(1);
  });

  it('are not shown when the message arrives after the block: their outputs may be spent by then', async () => {
    const { pool, upkeep } = open();
    const transaction = await incoming();
    const { unsigned, inputSignatures } = transaction;
    const block = nextBlock(new MemoryNode(settings), { from: 1, to: 0 }, { transactions: [transaction] });
    upkeep.published([{ header: block.header, block, role: 'incoming', origin: 'received' }]);
    upkeep.addIncoming(encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }), 1);
    expect(pool.size).toBe(0);
  });

  it('of another group, to another group, or from another sender are refused', async () => {
    const { pool, upkeep } = open();
    const { unsigned, inputSignatures } = await incoming();
    const raw = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    expect(upkeep.addIncoming(raw, 2)?.code).toBe('InvalidSender');
    expect(upkeep.addIncoming(Uint8Array.of(1, 2, 3), 1)?.code).toBe('Undecodable');
    expect(pool.size).toBe(0);
  });

  const inventedOf = (group: number, number: number): Uint8Array => {
    const { lockupScript } = testKeyOfGroup(group);
    const { reference } = inventedOutput(assetOutput(lockupScript, 1n), `invented ${number}`);
    return encode(transactionTemplateCodec, unsignedTemplate([reference], [testKeyOfGroup(0).lockupScript]));
  };

  it('get a bounded share of the pool for each sibling, whatever one of them sends (00-decisions, 12)', () => {
    const { pool, upkeep } = open(400);
    const codes = Array.from({ length: 2_000 }, (_, number) => upkeep.addIncoming(inventedOf(1, number), 1)?.code);
    const share = incomingShare(pool);
    expect(codes.filter((code) => code === undefined)).toHaveLength(share);
    expect(codes.filter((code) => code === 'IncomingShareFull')).toHaveLength(2_000 - share);
    expect(pool.size).toBe(share);
    // It is not decoded any more; another sibling has its own share.
    expect(upkeep.addIncoming(Uint8Array.of(1, 2, 3), 1)?.code).toBe('IncomingShareFull');
    expect(upkeep.addIncoming(inventedOf(2, 0), 2)).toBeUndefined();
    expect(pool.size).toBe(share + 1);
  });

  it('are refused by a full pool as a submit is, and taken again when there is room', () => {
    const { pool, upkeep } = open(12);
    const outgoing = (number: number): TransactionTemplate => {
      const { lockupScript } = testKeyOfGroup(0);
      return unsignedTemplate(
        [inventedOutput(assetOutput(lockupScript, 1n), `own ${number}`).reference],
        [lockupScript],
      );
    };
    for (let number = 0; number < 12; number++) expect(pool.add(outgoing(number), 1n).kind).toBe('added');
    expect(upkeep.addIncoming(inventedOf(1, 0), 1)?.code).toBe('MempoolFull');
    expect(pool.size).toBe(12);
    pool.confirm([transactionId(outgoing(0).unsigned)]);
    expect(upkeep.addIncoming(inventedOf(1, 0), 1)).toBeUndefined();
    expect(pool.size).toBe(12);
    expect(pool.add(outgoing(0), 1n).kind).toBe('full');
  });

  it('that are very large are not decoded', () => {
    const { pool, upkeep } = open();
    expect(upkeep.addIncoming(new Uint8Array(longestIncoming + 1), 1)?.code).toBe('IncomingTooLarge');
    expect(upkeep.addIncoming(new Uint8Array(longestIncoming), 1)?.code).not.toBe('IncomingTooLarge');
    expect(pool.size).toBe(0);
  });
});
