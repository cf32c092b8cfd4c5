import { describe, expect, it } from '@jest/globals';
import { decodeBlock, genesisBlock, launchTimestamp } from '@shardnode/protocol/block';
import { verifySignature } from '@shardnode/protocol/crypto';
import { developmentNetwork, maxTarget } from '@shardnode/protocol/network';
import { checkCoinbase, checkTransaction } from '@shardnode/protocol/validation';
import { executorWithoutContracts } from '../contract-state/index.js';
import { testKeyOfGroup } from '../keys/index.js';
import { assetOutput, buildMinedBlock, buildSignedTransfer, inventedOutput, outputViewOf } from './index.js';

const settings = developmentNetwork;
const chain = { from: 1, to: 2 };
const timestamp = launchTimestamp + 1n;
const executor = executorWithoutContracts(settings, chain.from, timestamp);

describe('builders', () => {
  const from = testKeyOfGroup(1);
  const funds = inventedOutput(assetOutput(from.lockupScript, 10n ** 19n), 'funds');
  const view = outputViewOf([funds]);
  const miner = testKeyOfGroup(2).lockupScript;
  const transfer = buildSignedTransfer({ settings, from, spend: [funds], outputs: [assetOutput(miner, 10n ** 18n)] });

  it('make a valid transfer', () => {
    const context = { settings, transaction: transfer, chainIndex: chain, timestamp, view, verifySignature, executor };
    expect(checkTransaction({ ...context, kind: 'block' })).toBeUndefined();
  });

  it('make a block on the wanted chain that decodes and whose coinbase is valid', () => {
    const target = maxTarget(settings);
    const { header } = genesisBlock(settings, chain);
    const block = buildMinedBlock({
      settings,
      chain,
      blockDeps: header.blockDeps,
      depStateHash: header.depStateHash,
      timestamp,
      target,
      transactions: [transfer],
      miner,
    });
    expect(decodeBlock(block.raw, settings.groups)).toEqual(block);
    expect(block.header.chainIndex).toEqual(chain);
    const transaction = block.transactions.at(-1)!;
    const coinbase = { settings, transaction, chainIndex: chain, timestamp, target, view, verifySignature, executor };
    expect(checkCoinbase(coinbase)).toBeUndefined();
  });
});
