import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { type StatefulScript, u256Constant } from '@shardnode/protocol/script';
import { blockEffects, ContractLayer } from '@shardnode/protocol/state';
import { type Transaction, transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, instruction, methodOf } from '@shardnode/testing/builders';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { Workbench } from '@shardnode/testing/workbench';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { coin, TestNetwork } from '../support/network.js';
import { openSilentNodes } from '../support/replay-target.js';

const chain = { from: 0, to: 0 };
const owners = testKeysOfGroup(0, 60);
const settings: NetworkSettings = {
  ...developmentNetwork,
  allocations: developmentNetwork.allocations.flatMap((allocation, i) =>
    i > 0 ? [allocation] : owners.map(({ lockupScript }) => ({ lockupScript, amount: 100n * coin, lockDuration: 0n })),
  ),
};

/** 370 powers that take no time to compute, and nearly all the gas that a transaction may have. */
const longScript: StatefulScript = {
  methods: [
    methodOf(
      [
        u256Constant(0n),
        instruction('StoreLocal', 0),
        u256Constant(1n),
        u256Constant(2n ** 256n - 1n),
        instruction('U256Exp'),
        instruction('LoadLocal', 0),
        instruction('U256Add'),
        instruction('StoreLocal', 0),
        instruction('LoadLocal', 0),
        u256Constant(370n),
        instruction('U256Lt'),
        instruction('IfTrue', -10),
      ],
      { localsLength: 1 },
    ),
  ],
};

/** Transactions that use all of their gas, each of an owner of its own. */
const longTransactions = (count: number): Transaction[] => {
  const { outputs } = blockEffects(genesisBlock(settings, chain)).transactions[0]!;
  return owners.slice(0, count).map((from, i) => {
    const { reference, output } = outputs[i]!;
    if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
    return buildSignedTransfer({
      settings,
      from,
      spend: [{ reference, output }],
      outputs: [assetOutput(from.lockupScript, coin)],
      script: longScript,
      gasAmount: maximalGasPerTx,
    });
  });
};

/** The turn of the event loop in which each script began, while `work` is under way. */
const turnsOfScripts = async (work: () => Promise<unknown>): Promise<number[]> => {
  const turns: number[] = [];
  let turn = 0;
  const count = (): NodeJS.Immediate =>
    setImmediate(() => {
      turn++;
      next = count();
    });
  let next = count();
  // Each run of a script has a layer of its own.
  const { child } = ContractLayer.prototype;
  const seen = jest.spyOn(ContractLayer.prototype, 'child').mockImplementation(function (this: ContractLayer) {
    turns.push(turn);
    return child.call(this);
  });
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(next);
    seen.mockRestore();
  }
};

const expectTurnsOfTheirOwn = (turns: readonly number[], count: number): void => {
  expect(turns).toHaveLength(count);
  expect(new Set(turns).size).toBe(count);
};

describe('scripts that use all the gas there is', () => {
  let stores: EmbeddedStores;
  beforeEach(async () => {
    stores = await embeddedStores();
  });
  afterEach(() => stores.remove());

  it('have a turn of the event loop each when their block is imported', async () => {
    const transactions = longTransactions(60);
    const { raw } = new Workbench(settings).mine(chain, { candidates: transactions });
    const [node] = await openSilentNodes({ settings, store: (group) => stores.store(group) });
    const turns = await turnsOfScripts(async () => {
      expect(await node!.intake.accept(raw, 'block', { kind: 'submitted' })).toMatchObject({ kind: 'added' });
    });
    expectTurnsOfTheirOwn(turns, transactions.length);
    await node!.stop();
  }, 60_000);

  it('have a turn each when they are run for a template', async () => {
    const transactions = longTransactions(8);
    const network = new TestNetwork(stores, { mining: 'off' }, settings);
    await network.start();
    for (const transaction of transactions) {
      const template = encode(transactionTemplateCodec, transaction);
      await network.client.request(0, 'command.mempool.submit', { template });
    }
    const turns = await turnsOfScripts(() => network.mine(0, 0));
    // To find the outcome, to judge it, and when the block is imported.
    expectTurnsOfTheirOwn(turns, 3 * transactions.length);
    for (const { unsigned } of transactions) {
      expect((await network.status(0, transactionId(unsigned))).type).toBe('Confirmed');
    }
    await network.stop();
  }, 60_000);
});
