import { type Block } from '@shardnode/protocol/block';
import { type Transaction } from '@shardnode/protocol/transaction';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { address, approveCoin, callMethod, sampleBytecode, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import {
  allocationOf,
  coin,
  ContractBranch,
  deployedId,
  deployment,
  idOf,
  outputsOf,
  scriptTransaction,
} from '../../../apps/group-node/test/support/contract-branches.js';

/** Blocks of chain (0,0) from genesis on, and the ids of the transactions of contracts that they hold. */
export interface ContractBlocks {
  readonly blocks: readonly Block[];
  readonly deployed: string;
  /** Makes an event. */
  readonly called: string;
  /** A contract takes coins. */
  readonly paid: string;
  /** Its script fails, so that only the fee leaves. */
  readonly failed: string;
}

/** @param owner has the allocation of genesis to group 0 */
export const contractBlocks = (owner: TestKey): ContractBlocks => {
  const branch = new ContractBranch(testKeysOfGroup(0, 2)[1]!);
  let spend = allocationOf();
  const mine = (transaction: Transaction): string => {
    const outputs = outputsOf(branch.mine([transaction]), owner);
    spend = outputs.reduce((a, b) => (a.output.amount > b.output.amount ? a : b));
    return idOf(transaction);
  };
  const counter = deployment(owner, spend, sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]));
  const deployed = mine(counter);
  const vault = deployment(owner, spend, sampleBytecode('Vault', [address(owner.lockupScript)], [u256(0)]));
  mine(vault);
  const call = (method: number, results: number, ...args: readonly ReturnType<typeof u256>[]) =>
    scriptOf(callMethod(deployedId(counter), method, args, results), 'without assets');
  const called = mine(scriptTransaction(owner, spend, call(0, 1, u256(5))));
  const amount = 25n * coin;
  const pay = scriptOf(
    [
      ...approveCoin(owner.lockupScript, amount),
      ...callMethod(deployedId(vault), 0, [address(owner.lockupScript), u256(amount)]),
    ],
    'with assets',
  );
  const paid = mine(scriptTransaction(owner, spend, pay, amount));
  const failed = mine(scriptTransaction(owner, spend, call(1, 0)));
  return { blocks: branch.blocks, deployed, called, paid, failed };
};
