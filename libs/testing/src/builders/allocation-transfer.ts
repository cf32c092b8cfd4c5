import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, testKeyOfGroup } from '../keys/index.js';
import { assetOutput, buildSignedTransfer } from './signed-transfer.js';

/** Bytes of a signed transfer within group 0, of the whole allocation. */
export const allocationTransfer = async (settings: NetworkSettings = developmentNetwork): Promise<Uint8Array> => {
  const [from] = await developmentKeys();
  const genesis = genesisBlock(settings, { from: 0, to: 0 });
  const { reference, output } = blockEffects(genesis).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  const { unsigned, inputSignatures } = buildSignedTransfer({
    settings,
    from: from!,
    spend: [{ reference, output }],
    outputs: [assetOutput(testKeyOfGroup(0).lockupScript, 10n ** 18n)],
  });
  return encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
};
