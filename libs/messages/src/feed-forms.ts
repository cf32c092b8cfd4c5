import { addressOf, parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, decode, parseHex } from '@shardnode/protocol/encoding';
import { isI256, isU256 } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { type ContractStateReply } from './contract-requests.js';
import { type ContractStateForm, type FeedVal } from './feed-types.js';

/** Address of the contract with this id. */
export const contractAddressOf = (contractId: string): string => addressOf({ kind: 'p2c', contractId });

/** A value of the machine as JSON (protocol 07 §2.8, 09 §5). */
export const valueForm = (val: Val): FeedVal => {
  switch (val.type) {
    case 'Bool':
      return { type: 'Bool', value: val.value };
    case 'U256':
    case 'I256':
      return { type: val.type, value: val.value.toString() };
    case 'ByteVec':
      return { type: 'ByteVec', value: bytesToHex(val.value) };
    case 'Address':
      return { type: 'Address', value: addressOf(val.value) };
  }
};

/** Values from an encoded list in the form of bus messages. */
export const valueForms = (encoded: Uint8Array): FeedVal[] => decode(valsCodec, encoded).map(valueForm);

const wholeNumber = (text: string, fits: (value: bigint) => boolean): bigint | undefined => {
  if (!/^-?[0-9]{1,78}$/.test(text)) return undefined;
  const value = BigInt(text);
  return fits(value) ? value : undefined;
};

const valOf = <Type extends Val['type']>(type: Type, value: unknown): Val | undefined =>
  value === undefined ? undefined : ({ type, value } as unknown as Val);

/** Inverse of `valueForm`; undefined for a text that is no value of its type. */
export const parseValueForm = (form: FeedVal): Val | undefined => {
  switch (form.type) {
    case 'Bool':
      return { type: 'Bool', value: form.value };
    case 'U256':
      return valOf('U256', wholeNumber(form.value, isU256));
    case 'I256':
      return valOf('I256', wholeNumber(form.value, isI256));
    case 'ByteVec':
      return valOf('ByteVec', parseHex(form.value));
    case 'Address':
      return valOf('Address', parseAddress(form.value));
  }
};

/** Protocol 07 §2.8. */
export const contractStateForm = (contract: ContractStateReply): ContractStateForm => ({
  address: contractAddressOf(contract.contractId),
  bytecode: bytesToHex(contract.code),
  codeHash: contract.codeHash,
  initialStateHash: contract.initialStateHash,
  immFields: valueForms(contract.immutableFields),
  mutFields: valueForms(contract.mutableFields),
  asset: {
    attoCoinAmount: contract.amount,
    tokens: contract.tokens.map(({ id, amount }) => ({ id, amount })),
  },
});
