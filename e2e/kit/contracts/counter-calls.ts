import { parseAddress } from '@shardnode/protocol/address';
import { type StatefulScript } from '@shardnode/protocol/script';
import { callMethod, sampleBytecode, scriptHex, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from '../api-client.js';
import { groups } from '../chains.js';
import { fundingTransfer, oneCoin } from '../transfers.js';
import { ContractSender, type Sink } from './contract-sender.js';

/** A call that anybody in the contract's group can make again and again: it changes a field and emits an event. */
export interface CounterCall {
  readonly script: StatefulScript;
  /** What the builder found that it takes, for a transaction of one input and one output. */
  readonly gasAmount: number;
}

/** Deploys a Counter, and gives what calls it. */
export const deployCounter = async (sender: ContractSender): Promise<CounterCall> => {
  const deployment = await sender.build('/contracts/unsigned-tx/deploy-contract', {
    bytecode: sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]),
  });
  const lockup = parseAddress(deployment?.contractAddress ?? '');
  if (!deployment || lockup?.kind !== 'p2c') throw new Error('a Counter could not be built');
  if ((await sender.send(deployment)) !== 'confirmed') throw new Error('a Counter was not deployed');
  const script = scriptOf(callMethod(lockup.contractId, 0, [u256(1)], 1), 'without assets');
  const call = await sender.build('/contracts/unsigned-tx/execute-script', { bytecode: scriptHex(script) });
  if (!call) throw new Error('a call of a Counter could not be built');
  return { script, gasAmount: call.gasAmount };
};

/** Deploys so many Counters in each group, and gives what calls them, by group. */
export const deployCounters = (
  api: ApiClient,
  funded: readonly TestKey[],
  sink: Sink,
  perGroup: number,
): Promise<readonly (readonly CounterCall[])[]> =>
  Promise.all(
    groups.map(async (group) => {
      const key = testKeysOfGroup(group, 141).at(-1)!;
      await fundingTransfer(api, funded[group]!, [
        { address: key.address, attoCoinAmount: (100n * oneCoin).toString() },
      ]);
      const sender = new ContractSender([api], key, sink);
      const calls: CounterCall[] = [];
      while (calls.length < perGroup) calls.push(await deployCounter(sender));
      return calls;
    }),
  );
