import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { type Transaction } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput, signTransaction } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey } from '@shardnode/testing/keys';

const settings = developmentNetwork;

/** The output that the genesis block of group 0 gives the first development key. */
export const allocationOf0 = (): SpendableOutput => {
  const { reference, output } = blockEffects(genesisBlock(settings, { from: 0, to: 0 })).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  return { reference, output };
};

/** A transfer of the first development key, of group 0, that is valid. @param amount attoCoin */
export const paidCoins = async (to: TestKey, amount: bigint): Promise<Transaction> => {
  const [from] = await developmentKeys();
  return buildSignedTransfer({
    settings,
    from: from!,
    spend: [allocationOf0()],
    outputs: [assetOutput(to.lockupScript, amount)],
  });
};

/** The same, signed by its owner, with more in its first output than its inputs have. @param more attoCoin */
export const mintedCoins = async (to: TestKey, amount: bigint, more: bigint): Promise<Transaction> => {
  const [from] = await developmentKeys();
  const { unsigned } = await paidCoins(to, amount);
  const [first, ...others] = unsigned.fixedOutputs;
  return signTransaction({ ...unsigned, fixedOutputs: [{ ...first!, amount: amount + more }, ...others] }, [from!]);
};
