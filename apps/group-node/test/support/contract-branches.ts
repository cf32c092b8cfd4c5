import { contractIdOf } from '@shardnode/protocol/address';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { verifySignature } from '@shardnode/protocol/crypto';
import { decodeContractToDeploy, deployScript } from '@shardnode/protocol/building';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { completeScript } from '@shardnode/protocol/mining';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { type StatefulScript } from '@shardnode/protocol/script';
import { blockEffects } from '@shardnode/protocol/state';
import { type Transaction, transactionId } from '@shardnode/protocol/transaction';
import { nextBlockEnvironment } from '@shardnode/protocol/policy';
import { scriptExecutor, withContracts } from '@shardnode/protocol/validation';
import { buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { type TestKey } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';

export const coin = 10n ** 18n;
const intra = { from: 0, to: 0 };
/** Some target; no script of ours asks for it. */
const easiestTarget = 0x20ffffff;
const scriptGas = 200_000;

export const idOf = ({ unsigned }: Pick<Transaction, 'unsigned'>): Hash => transactionId(unsigned);

/** The asset outputs that a block gives an owner, the coinbase's left out. */
export const outputsOf = (block: Block, owner: TestKey): SpendableOutput[] =>
  blockEffects(block)
    .transactions.slice(0, -1)
    .flatMap(({ outputs }) => outputs)
    .flatMap(({ reference, output }) =>
      output.kind === 'asset' && JSON.stringify(output.lockupScript) === JSON.stringify(owner.lockupScript)
        ? [{ reference, output }]
        : [],
    );

/** The allocation of genesis to a key of group 0. */
export const allocationOf = (): SpendableOutput => {
  const { reference, output } = blockEffects(genesisBlock(settings, intra)).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  return { reference, output };
};

/** A script transaction as its sender makes it: what the script does is not in it yet. `coins`: attoCoin for the script. */
export const scriptTransaction = (
  from: TestKey,
  spend: SpendableOutput,
  script: StatefulScript,
  coins = 0n,
): Transaction =>
  buildSignedTransfer({ settings, from, spend: [spend], outputs: [], script, left: coins, gasAmount: scriptGas });

/** The deployment of a contract with its first fields (protocol 07 §10.2), which gets 2 coins. */
export const deployment = (from: TestKey, spend: SpendableOutput, bytecode: string): Transaction => {
  const contract = decodeContractToDeploy(hexToBytes(bytecode));
  const script = deployScript({ ...contract, deployer: from.lockupScript, initialCoin: 2n * coin, initialTokens: [] });
  return scriptTransaction(from, spend, script, 2n * coin);
};

/** The contract that a deployment makes: its output is the first one after the fixed ones. */
export const deployedId = (transaction: Transaction): Hash =>
  contractIdOf(idOf(transaction), transaction.unsigned.fixedOutputs.length, 0);

/** Blocks of chain (0,0), each on top of the one before it. */
export class ContractBranch {
  readonly blocks: Block[] = [];
  readonly node = new MemoryNode(settings);

  /** Rewards of two branches differ by their miners. */
  constructor(
    private readonly miner: TestKey,
    prefix: readonly Block[] = [],
  ) {
    for (const block of prefix) this.add(block);
  }

  /** Mines script transactions and transfers, the scripts run one after the other. */
  mine(transactions: readonly Transaction[]): Block {
    // With a time that is later than that of all blocks before it.
    const timestamp = 1_700_000_000_000n + 1_000n * BigInt(this.blocks.length);
    const contracts = this.node.contracts(0);
    const surroundings = {
      settings,
      chainIndex: intra,
      timestamp,
      view: withContracts(this.node.view(0), contracts),
      verifySignature,
      executor: scriptExecutor(nextBlockEnvironment(settings, 0, timestamp, easiestTarget), contracts),
    };
    const completed = transactions.map((transaction) => {
      if (!transaction.unsigned.script) return transaction;
      const completion = completeScript(transaction, surroundings);
      if (completion.kind === 'unminable') throw new Error(JSON.stringify(completion.refusal));
      completion.keep();
      return completion.transaction;
    });
    const block = nextBlock(this.node, intra, { transactions: completed, timestamp, miner: this.miner.lockupScript });
    this.add(block);
    return block;
  }

  private add(block: Block): void {
    const outcome = this.node.importBlock(block.raw);
    if (outcome.kind !== 'added') throw new Error(JSON.stringify(outcome));
    this.blocks.push(block);
  }
}
