import { type AssetLockupScript, minGasPrice, minimalGas, type OutputReference } from '@shardnode/protocol/primitives';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { assetOutput } from './signed-transfer.js';

/**
 * A template without signatures, for tests of transactions that do not validate: it spends the inputs and pays a coin to
 * each owner.
 */
export const unsignedTemplate = (
  inputs: readonly OutputReference[],
  to: readonly AssetLockupScript[],
  gasPrice = minGasPrice,
): TransactionTemplate => ({
  unsigned: {
    version: 0,
    networkId: 4,
    script: undefined,
    gasAmount: minimalGas,
    gasPrice,
    inputs: inputs.map((outputReference) => ({ outputReference, unlockScript: { kind: 'sameAsPrevious' } })),
    fixedOutputs: to.map((lockupScript) => assetOutput(lockupScript, 10n ** 18n)),
  },
  inputSignatures: [],
  scriptSignatures: [],
});
