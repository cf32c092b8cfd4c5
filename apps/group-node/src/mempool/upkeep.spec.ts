import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { Mempool } from '@shardnode/protocol/policy';
import { groupOfLockupScript } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';
import { referenceOf, transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../view/group-state.js';
import { type GroupStore, type PoolChanges } from '../store/index.js';
import { PoolUpkeep } from './upkeep.js';

const settings = developmentNetwork;

/** A transfer of the allocation of group 1 to group 0. */
const incoming = async () => {
  const from = (await developmentKeys())[1]!;
  const { reference, output } = blockEffects(genesisBlock(settings, { from: 1, to: 1 })).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  const outputs = [assetOutput(testKeyOfGroup(0).lockupScript, 10n ** 18n)];
  return buildSignedTransfer({ settings, from, spend: [{ reference, output }], outputs });
};

const open = () => {
  const pool = new Mempool(0, settings.groups);
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
});
