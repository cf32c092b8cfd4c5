import { randomBytes } from 'node:crypto';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { type GroupNode, openGroupNode } from '../../src/group-node.js';
import { type GroupStore } from '../../src/store/index.js';
import { minerAddresses } from './network.js';

/** The group-node of group 0 without siblings, mining on demand. */
export const openLoneNode = async (
  store: GroupStore,
  settings: NetworkSettings = developmentNetwork,
): Promise<GroupNode> => {
  const node = await openGroupNode(
    {
      settings,
      group: 0,
      limits: { trieNodeBytes: 2 ** 20, blockBytes: 2 ** 20 },
      mining: { mode: 'instant', interval: 0, heartbeat: 0, followUp: 10 },
      minerAddresses,
      lazyCommit: 20,
      blocksPerCommit: 8,
    },
    {
      store,
      clock: systemClock,
      logger: silentLogger,
      peers: { publish: () => undefined },
      groups: { request: () => Promise.reject(new Error('no siblings')) },
      randomBytes,
    },
  );
  node.sync.assumeSynced();
  node.schedule.start();
  return node;
};

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
