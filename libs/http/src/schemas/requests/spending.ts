import { z } from 'zod';
import { type DestinationItem } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type LockupScript } from '@shardnode/protocol/primitives';
import { attoAmountField, type Brand } from '../../brand/brand.js';
import { hash, hexText, tokenIdText } from '../bytes.js';
import { fields, list, meanings, optional, optionalList, required } from '../leaf.js';
import { amount, gas, hint, smallestUnits, timestamp, uint256 } from '../numbers.js';
import { assetAddress } from '../texts.js';

/** A lockup script as services tell it to each other. */
export const scriptHex = (lockupScript: LockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));

type AmountName = 'amount' | 'atto';

const tokenAmount = () =>
  fields(
    { id: required(tokenIdText), amount: required(uint256) },
    { description: 'Amount of a token', id: 'TokenAmount' },
  );

/** Amounts of tokens that a request names; `token`: where a request has several such lists, they share it. */
export const sentTokens = (description?: string, token = tokenAmount()) =>
  optionalList(token, 'tokens', { most: 1_024, ...(description === undefined ? {} : { description }) });

/**
 * Where coins go, as services tell it to each other. Both names of the amount are read everywhere, one of the two
 * (protocol 07 §1.7); `usual` is the one that an error names when both are absent.
 */
const destination = (brand: Brand, usual: AmountName) => {
  const attoName = attoAmountField(brand);
  const usualName = usual === 'amount' ? 'amount' : attoName;
  const fixed = {
    address: required(assetAddress),
    amount: optional(amount(brand)),
    tokens: sentTokens(),
    lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
    message: optional(hexText, { description: 'Data of the output, hexadecimal' }),
  };
  // The second name of the amount depends on the brand, which types cannot tell.
  return fields({ ...fixed, [attoName]: optional(smallestUnits(brand)) } as typeof fixed, {
    description: `Where coins go: exactly one of amount and ${attoName}`,
  })
    .transform((read, context): DestinationItem => {
      const atto = (read as Record<string, unknown>)[attoName] as bigint | undefined;
      if ((atto === undefined) === (read.amount === undefined)) {
        const message =
          atto === undefined
            ? `missing keys in dictionary: ${usualName}`
            : `Invalid amount: both amount and ${attoName} are given`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      return {
        lockupScript: scriptHex(read.address.lockupScript),
        amount: (atto ?? read.amount)!.toString(),
        tokens: (read.tokens ?? []).map((token) => ({ id: token.id, amount: token.amount.toString() })),
        ...(read.lockTime === undefined ? {} : { lockTime: read.lockTime.toString() }),
        ...(read.message === undefined ? {} : { message: read.message }),
      };
    })
    .register(meanings, {
      description: `Where coins go: exactly one of amount and ${attoName}`,
      id: usual === 'amount' ? 'DestinationOfAmount' : 'Destination',
      oneOf: [{ required: ['amount'] }, { required: [attoName] }],
    });
};

export const destinations = (brand: Brand, usual: AmountName) =>
  list(destination(brand, usual), 'destinations, all in one group', { most: 1_024 });
export const gasPrice = () =>
  optional(uint256, {
    description: 'Smallest units per unit of gas; default 100000000000',
    'x-unit': 'attoCoin per gas',
  });
export const gasGiven = (description = 'Units of gas; default: estimated') => optional(gas, { description });
/** Outputs that the client chose. */
export const outputsToSpend = () =>
  optionalList(
    fields(
      { hint: required(hint), key: required(hash) },
      { description: 'Names an output to spend', id: 'UtxoToSpend' },
    ),
    'outputs to spend',
    { description: 'Outputs to spend; default: chosen by the node', most: 1_024 },
  );
