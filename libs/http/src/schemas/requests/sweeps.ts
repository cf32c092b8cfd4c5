import { type Brand, maxAttoAmountField } from '../../brand/brand.js';
import { blockHashText, publicKey } from '../bytes.js';
import { fields, list, optional, required } from '../leaf.js';
import { smallestUnits, timestamp } from '../numbers.js';
import { assetAddress } from '../texts.js';
import { gasGiven, gasPrice } from './spending.js';

const howToSweep = (brand: Brand) => {
  const below = () =>
    optional(smallestUnits(brand), { description: 'Only outputs with less are consolidated; default: all of them' });
  return {
    toAddress: required(assetAddress, { description: 'Where everything goes, in any group' }),
    // The name depends on the brand, which types cannot tell.
    ...({ [maxAttoAmountField(brand)]: below() } as { maxAttoCoinPerUTXO: ReturnType<typeof below> }),
    lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
    gasAmount: gasGiven('Units of gas of each transaction; default: estimated'),
    gasPrice: gasPrice(),
    targetBlockHash: optional(blockHashText, { description: 'Build on the state that this block depends on' }),
  };
};

/** Protocol 07 §8.3, §9.3. */
export const sweepRequests = (brand: Brand) => ({
  sweepBuild: fields(
    { fromPublicKey: required(publicKey, { description: 'Public key of the sender' }), ...howToSweep(brand) },
    { description: 'Sweep of one key', id: 'BuildSweepAddressTransactions' },
  ),
  multisigSweep: fields(
    {
      fromAddress: required(assetAddress, { description: 'The multisig address' }),
      fromPublicKeys: list(required(publicKey), 'public keys', {
        description: 'The m keys that will sign, in the order in which the address was made',
        most: 64,
      }),
      ...howToSweep(brand),
    },
    { description: 'Sweep of a multisig address', id: 'BuildSweepMultisig' },
  ),
});
