import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { type EventItem, type GroupClient } from '@shardnode/messages';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Output } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, methodOf } from '../builders/index.js';
import { testKeyOfGroup } from '../keys/index.js';
import { MemoryNode, nextBlock } from '../memory-node/index.js';
import { loadNodeContracts } from './load-contracts.js';

const key = testKeyOfGroup(2);
/** The last byte is the group. */
const [living, destroyed] = ['a1', 'b2'].map((byte) => `${byte.repeat(31)}02`) as [string, string];

const blockWith = (rest: { readonly isScript: boolean; readonly generatedOutputs: readonly Output[] }) => {
  const spend = [{ reference: { hint: 1, key: 'cd'.repeat(32) }, output: assetOutput(key.lockupScript, 10n ** 20n) }];
  const outputs = [assetOutput(key.lockupScript, 10n ** 18n)];
  const script = rest.isScript ? { script: { methods: [methodOf([])] } } : {};
  const transfer = buildSignedTransfer({ settings, from: key, spend, outputs, ...script });
  const transactions = [{ ...transfer, generatedOutputs: rest.generatedOutputs }];
  return nextBlock(new MemoryNode(settings), { from: 2, to: 2 }, { transactions });
};
const contractOutput = (contractId: string): Output => ({ kind: 'contract', amount: 1n, contractId, tokens: [] });

describe('loading contracts and their events over the bus', () => {
  const scripted = blockWith({
    isScript: true,
    generatedOutputs: [contractOutput(living), assetOutput(key.lockupScript, 5n), contractOutput(destroyed)],
  });
  const plain = blockWith({ isScript: false, generatedOutputs: [] });
  // More than two pages.
  const events = Array.from({ length: 230 }, (_, i): EventItem => ({
    blockHash: scripted.header.hash,
    txId: String(i).padStart(64, '0'),
    contractId: living,
    eventIndex: i % 5,
    fields: Uint8Array.of(i),
  }));
  const told = events.map(({ contractId, txId, eventIndex }, i) => ({
    contractId,
    txId,
    eventIndex,
    fields: i.toString(16).padStart(2, '0'),
  }));
  const stored = {
    codeHash: 'c0'.repeat(32),
    initialStateHash: '1f'.repeat(32),
    immutableFields: Uint8Array.of(1),
    mutableFields: Uint8Array.of(2),
    code: Uint8Array.of(3),
    amount: '7',
    tokens: [{ id: 'ee'.repeat(32), amount: '8' }],
  };
  const answers: Readonly<Record<string, (payload: never) => unknown>> = {
    'read.contract.stored': ({ contractId }: { contractId: string }) => {
      if (contractId === living) return stored;
      throw new ServiceError('not-found', 'ContractNotFound', 'there is no such contract');
    },
    'read.events.contract': ({ contractId, start, limit }: { contractId: string; start: number; limit: number }) => {
      const own = contractId === living ? events : [];
      const page = own.slice(start, start + limit);
      return { events: page, nextStart: start + page.length };
    },
    'read.events.block': ({ hash }: { hash: string }) => ({ events: hash === scripted.header.hash ? events : [] }),
  };
  const client = {
    groups: 4,
    request: async (group: number, name: string, payload: never) => {
      expect(group).toBe(2);
      return answers[name]!(payload);
    },
  } as unknown as GroupClient;

  it('reads each contract that ever had an output, all pages of its events, and those of blocks with scripts', async () => {
    expect(await loadNodeContracts(client, [scripted.raw, plain.raw], 4)).toEqual({
      contracts: new Map([
        [
          living,
          {
            contractId: living,
            codeHash: stored.codeHash,
            initialStateHash: stored.initialStateHash,
            immutableFields: '01',
            mutableFields: '02',
            code: '03',
            amount: 7n,
            tokens: [{ id: 'ee'.repeat(32), amount: 8n }],
          },
        ],
        [destroyed, undefined],
      ]),
      eventsOfContract: new Map([
        [living, told],
        [destroyed, []],
      ]),
      eventsOfBlock: new Map([[scripted.header.hash, told]]),
    });
  });

  it('rejects when a node does not answer', async () => {
    const away = { groups: 4, request: () => Promise.reject(new Error('group-node 2 is away')) };
    await expect(loadNodeContracts(away as unknown as GroupClient, [scripted.raw], 4)).rejects.toThrow('2 is away');
  });
});
