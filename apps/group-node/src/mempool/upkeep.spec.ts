import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/core/lifecycle';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { Mempool } from '@shardnode/protocol/policy';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../group-state.js';
import { type GroupStore } from '../store/index.js';
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

describe('incoming transactions', () => {
  it('are shown until their block is here', async () => {
    const { pool, upkeep } = open();
    const { unsigned, inputSignatures } = await incoming();
    upkeep.addIncoming(encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }), 1);
    expect(pool.size).toBe(1);
  });

  it('are not shown when the news comes after the block: their outputs may be spent by then', async () => {
    const { pool, upkeep } = open();
    const transaction = await incoming();
    const { unsigned, inputSignatures } = transaction;
    const block = nextBlock(new MemoryNode(settings), { from: 1, to: 0 }, { transactions: [transaction] });
    upkeep.published([{ header: block.header, block, role: 'incoming', origin: 'received' }]);
    upkeep.addIncoming(encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }), 1);
    expect(pool.size).toBe(0);
  });

  it('of another group, to another group, or from another sender are not taken', async () => {
    const { pool, upkeep } = open();
    const { unsigned, inputSignatures } = await incoming();
    const raw = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    expect(upkeep.addIncoming(raw, 2)?.code).toBe('InvalidSender');
    expect(upkeep.addIncoming(Uint8Array.of(1, 2, 3), 1)?.code).toBe('Undecodable');
    expect(pool.size).toBe(0);
  });
});
