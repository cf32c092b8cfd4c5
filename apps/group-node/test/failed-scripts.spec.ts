import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentKeys, type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { callMethod, sampleBytecode, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import { type Block } from '@shardnode/protocol/block';
import { type Transaction } from '@shardnode/protocol/transaction';
import {
  allocationOf,
  ContractBranch,
  deployedId,
  deployment,
  idOf,
  outputsOf,
  scriptTransaction,
} from './support/contract-branches.js';
import { TestNetwork } from './support/network.js';

describe('why a script failed', () => {
  let network: TestNetwork;
  let owner: TestKey;
  let counterId: string;
  /** Blocks, each with one transaction beside its coinbase. */
  const mined: { readonly block: Block; readonly txId: string }[] = [];
  const failureOf = (at: number, group = 0) =>
    network.explorer.request(group, 'read.transaction.failure', {
      blockHash: mined[at]!.block.header.hash,
      txId: mined[at]!.txId,
    });

  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    [owner] = (await developmentKeys()) as [TestKey];
    const branch = new ContractBranch(testKeysOfGroup(0, 2)[1]!);
    let spend = allocationOf();
    const mine = (transaction: Transaction): void => {
      const block = branch.mine([transaction]);
      mined.push({ block, txId: idOf(transaction) });
      spend = outputsOf(block, owner).reduce((a, b) => (a.output.amount > b.output.amount ? a : b));
    };
    const counter = deployment(owner, spend, sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]));
    counterId = deployedId(counter);
    mine(counter);
    const call = (method: number, results: number, ...args: readonly ReturnType<typeof u256>[]) =>
      scriptOf(callMethod(counterId, method, args, results), 'without assets');
    mine(scriptTransaction(owner, spend, call(99, 0)));
    mine(scriptTransaction(owner, spend, call(0, 1, u256(5))));
    for (const { block } of mined) await network.client.request(0, 'command.block.submit', { block: block.raw });
  });
  afterAll(() => network?.close());

  it('is found by running its block again, with the place', async () => {
    const { failure } = await failureOf(1);
    expect(failure?.reason).toMatch(/method/);
    expect(failure?.facts).toMatchObject({
      failure: expect.any(String),
      failedInstruction: expect.stringContaining('method 0, instruction '),
    });
  });

  it('is absent of a script that did not fail, also after it failed in a block before', async () => {
    for (const at of [0, 2]) expect(await failureOf(at)).toEqual({ failure: null });
  });

  it('is absent of a genesis block, which runs no script', async () => {
    const { hashes } = await network.client.request(0, 'read.chain.hashes', { from: 0, to: 0, height: 0 });
    const request = { blockHash: hashes[0]!, txId: mined[0]!.txId };
    expect(await network.explorer.request(0, 'read.transaction.failure', request)).toEqual({ failure: null });
  });

  it('is asked of the group that ran it, for a block that it has', async () => {
    await expect(failureOf(1, 1)).rejects.toMatchObject({ code: 'NotThisGroup' });
    const { hash } = mined[1]!.block.header;
    // Its last byte names the chain.
    const blockHash = `${'00'.repeat(31)}${hash.slice(-2)}`;
    await expect(
      network.explorer.request(0, 'read.transaction.failure', { blockHash, txId: mined[1]!.txId }),
    ).rejects.toMatchObject({ code: 'UnknownBlock' });
  });
});
