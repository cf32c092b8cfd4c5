import { type NetworkSettings } from '@shardnode/protocol/network';
import { outputHint } from '@shardnode/protocol/primitives';
import { genesisBlock } from '@shardnode/protocol/block';
import { outputKey, transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';

export const transfersPerBlock = 500;
const coin = 10n ** 18n;
/** Owners of the outputs of `withSpendableOutputs`. */
export const owners = testKeysOfGroup(0, transfersPerBlock);

/** The network with one output for each of 500 senders of group 0. */
export const withSpendableOutputs = (settings: NetworkSettings): NetworkSettings => ({
  ...settings,
  allocations: owners.map(({ lockupScript }) => ({ lockupScript, amount: 100_000n * coin, lockDuration: 0n })),
});

/** Their outputs, in order. */
export const genesisOutputs = (settings: NetworkSettings): SpendableOutput[] => {
  const { unsigned } = genesisBlock(settings, { from: 0, to: 0 }).transactions[0]!;
  const id = transactionId(unsigned);
  return unsigned.fixedOutputs.map((output, index) => ({
    reference: { hint: outputHint(output.lockupScript), key: outputKey(id, index) },
    output,
  }));
};

/** A transfer of each output of a sender to a receiver of another group or of the same, and the change, spendable next. */
export const nextTransfers = (settings: NetworkSettings, spendable: readonly SpendableOutput[], to: number) => {
  const payment = assetOutput(testKeyOfGroup(to).lockupScript, coin);
  const transactions = spendable.map((spent, i) =>
    buildSignedTransfer({ settings, from: owners[i]!, spend: [spent], outputs: [payment] }),
  );
  const change = transactions.map(({ unsigned }): SpendableOutput => {
    const output = unsigned.fixedOutputs[1]!;
    return {
      reference: { hint: outputHint(output.lockupScript), key: outputKey(transactionId(unsigned), 1) },
      output,
    };
  });
  return { transactions, spendable: change };
};

/**
 * Raw blocks, each with 500 transfers of 1 input and 2 outputs (a payment, and the change that the sender's transfer in
 * the next block spends): all on chain (0,0), or on the four chains of group 0 in rotation.
 */
export const transferChain = (settings: NetworkSettings, kind: 'intra' | 'mixed', count: number): Uint8Array[] => {
  // The importer under test verifies the signatures.
  const node = new MemoryNode(settings, { now: () => BigInt(Date.now()), verifySignature: () => true });
  let spendable = genesisOutputs(settings);
  return Array.from({ length: count }, (_, number) => {
    const to = kind === 'intra' ? 0 : number % settings.groups;
    const next = nextTransfers(settings, spendable, to);
    const { transactions } = next;
    spendable = next.spendable;
    const block = nextBlock(node, { from: 0, to }, { transactions });
    const outcome = node.importBlock(block.raw);
    if (outcome.kind !== 'added') throw new Error(`an invented block is ${JSON.stringify(outcome)}`);
    return block.raw;
  });
};
