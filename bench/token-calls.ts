import { contractIdOf } from '@shardnode/protocol/address';
import { deployScript } from '@shardnode/protocol/building';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { dustAmount, type Hash, outputHint } from '@shardnode/protocol/primitives';
import {
  addressConstant,
  bytesConstant,
  type Contract,
  type StatefulScript,
  u256Constant,
} from '@shardnode/protocol/script';
import { outputKey, type Transaction, transactionId } from '@shardnode/protocol/transaction';
import { buildSignedTransfer, instruction as op, methodOf, type SpendableOutput } from '@shardnode/testing/builders';
import { type TestKey } from '@shardnode/testing/keys';
import { Workbench } from '@shardnode/testing/workbench';
import { genesisOutputs, owners } from './transfer-chain.js';

export const callsPerBlock = owners.length;
const chain = { from: 0, to: 0 };
const coin = 10n ** 18n;
const price = coin / 1000n;
const both = 1;

/**
 * Sells its tokens: takes the price, transfers a token, counts the sale, and emits an event. Method 1 returns the
 * number of sales.
 */
export const tokenContract: Contract = {
  fieldLength: 1,
  methods: [
    methodOf(
      [
        op('LoadLocal', 0),
        u256Constant(price),
        op('TransferCoinToSelf'),
        op('LoadLocal', 0),
        op('SelfContractId'),
        u256Constant(1n),
        op('TransferTokenFromSelf'),
        op('LoadMutField', 0),
        u256Constant(1n),
        op('U256Add'),
        op('StoreMutField', 0),
        op('I256Const0'),
        op('LoadLocal', 0),
        op('LoadMutField', 0),
        op('Log3'),
      ],
      { assetModifier: both, argsLength: 1, localsLength: 1 },
    ),
    methodOf([op('LoadMutField', 0), op('Return')], { returnLength: 1 }),
  ],
};

/** Before the first sale. */
export const noneSold = [{ type: 'U256', value: 0n }] as const;

const buying = (contractId: Hash, { lockupScript }: TestKey): StatefulScript => {
  const approve = [addressConstant(lockupScript), u256Constant(price + dustAmount), op('ApproveCoin')];
  const call = [u256Constant(1n), u256Constant(0n), bytesConstant(hexToBytes(contractId)), op('CallExternal', 0)];
  return { methods: [methodOf([...approve, addressConstant(lockupScript), ...call], { assetModifier: 3 })] };
};

const lastOutput = ({ unsigned }: Transaction): SpendableOutput => {
  const index = unsigned.fixedOutputs.length - 1;
  const output = unsigned.fixedOutputs[index]!;
  return {
    reference: { hint: outputHint(output.lockupScript), key: outputKey(transactionId(unsigned), index) },
    output,
  };
};

export interface TokenChain {
  readonly contractId: Hash;
  /** The first one deploys the contract. */
  readonly blocks: readonly Uint8Array[];
}

/**
 * Raw blocks of chain (0,0): one that deploys a token, and `count` blocks of 500 calls that each buy one of it.
 * @param workbench at the genesis
 */
export const tokenChain = (
  settings: NetworkSettings,
  count: number,
  workbench = new Workbench(settings),
): TokenChain => {
  const running = (from: TestKey, spent: SpendableOutput, script: StatefulScript, left: bigint, gasAmount: number) =>
    buildSignedTransfer({ settings, from, spend: [spent], outputs: [], script, left, gasAmount });
  const grow = (candidates: readonly Transaction[]): Uint8Array => {
    const { raw, transactions } = workbench.grow(chain, { candidates });
    const good = transactions.filter(({ scriptExecutionOk }) => scriptExecutionOk).length;
    if (good !== candidates.length + 1) throw new Error(`of ${candidates.length} calls ${good - 1} have succeeded`);
    return raw;
  };
  const spendable = genesisOutputs(settings);
  const [deployer] = owners;
  const deploy = deployScript({
    contract: tokenContract,
    immutableFields: [],
    mutableFields: noneSold,
    deployer: deployer!.lockupScript,
    initialCoin: coin,
    initialTokens: [],
    issuedAmount: 10n ** 12n,
  });
  const deployment = running(deployer!, spendable[0]!, deploy, coin, 200_000);
  const contractId = contractIdOf(transactionId(deployment.unsigned), deployment.unsigned.fixedOutputs.length, 0);
  const blocks = [grow([deployment])];
  let funds = [lastOutput(deployment), ...spendable.slice(1)];
  for (let number = 0; number < count; number++) {
    const calls = owners.map((from, i) =>
      running(from, funds[i]!, buying(contractId, from), price + dustAmount, 60_000),
    );
    blocks.push(grow(calls));
    funds = calls.map(lastOutput);
  }
  return { contractId, blocks };
};
