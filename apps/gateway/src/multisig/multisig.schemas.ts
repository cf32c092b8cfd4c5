import {
  address,
  assetAddress,
  fields,
  gas,
  gasPriceText,
  list,
  numberOf,
  publicKey,
  required,
  signature,
  textOf,
  transactionIdText,
  transactionText,
  wholeNumber,
} from '@shardnode/http';
import {
  DestinationsOfAmount,
  gasGiven,
  gasPrice,
  sweepFields,
  transactionChain,
} from '../transactions/transactions.schemas.js';

/** A longer list is not read. */
const mostKeys = 64;

export const BuildMultisigAddress = fields(
  {
    keys: list(required(publicKey), 'public keys', {
      description: 'Public keys; their order is part of the address',
      most: mostKeys,
    }),
    mrequired: required(wholeNumber(-(2 ** 31), 2 ** 31 - 1, 'How many of them must sign', 2)),
  },
  { description: 'm of n keys', id: 'BuildMultisigAddress' },
);
export const BuildMultisigAddressResult = fields(
  { address: textOf(address) },
  { description: 'Multisig address', id: 'BuildMultisigAddressResult' },
);

const sender = {
  fromAddress: required(assetAddress, { description: 'The multisig address' }),
  fromPublicKeys: list(required(publicKey), 'public keys', {
    description: 'The m keys that will sign, in the order in which the address was made',
    most: mostKeys,
  }),
};

export const BuildMultisig = fields(
  { ...sender, destinations: DestinationsOfAmount, gas: gasGiven(), gasPrice },
  { description: 'Transfer from a multisig address', id: 'BuildMultisig' },
);
export const BuildMultisigResult = fields(
  {
    unsignedTx: textOf(transactionText),
    gasAmount: numberOf(gas).optional(),
    gasPrice: gasPriceText().optional(),
    txId: textOf(transactionIdText),
    ...transactionChain,
  },
  { description: 'Multisig transaction to sign: each signer signs `txId`', id: 'BuildMultisigResult' },
);

export const BuildSweepMultisig = fields(
  { ...sender, ...sweepFields },
  { description: 'Sweep of a multisig address', id: 'BuildSweepMultisig' },
);

export const SubmitMultisig = fields(
  {
    unsignedTx: required(transactionText),
    signatures: list(required(signature), 'signatures', {
      description: 'm signatures in the order of the public keys',
      most: mostKeys,
    }),
  },
  { description: 'Transaction with its signatures', id: 'SubmitMultisig' },
);
