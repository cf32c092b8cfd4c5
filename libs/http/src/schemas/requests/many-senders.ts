import { type Brand } from '../../brand/brand.js';
import { blockHashText, senderPublicKey } from '../bytes.js';
import { fields, list, optional, required } from '../leaf.js';
import { choice } from '../texts.js';
import { destinations, gasGiven, gasPrice, outputsToSpend } from './spending.js';

/** Each has an input, and a transaction has at most as many. */
const mostSenders = 256;

/** Protocol 07 §8.2. */
export const manySendersRequests = (brand: Brand) => ({
  buildManySenders: fields(
    {
      from: list(
        fields(
          {
            fromPublicKey: required(senderPublicKey),
            destinations: destinations(brand, 'atto'),
            fromPublicKeyType: optional(choice(['default', 'bip340-schnorr'], 'Kind of key; default: default')),
            gasAmount: gasGiven('Units of gas that this sender pays: for all senders or for none; default: estimated'),
            utxos: outputsToSpend(),
          },
          { description: 'A sender and what it pays', id: 'Source' },
        ),
        'senders, all in one group',
        { most: mostSenders },
      ),
      gasPrice: gasPrice(),
      targetBlockHash: optional(blockHashText, { description: 'Build on the state that this block depends on' }),
    },
    { description: 'Transfer of several keys in one transaction', id: 'BuildMultiAddressesTransaction' },
  ),
});
