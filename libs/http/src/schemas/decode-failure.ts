/**
 * Why a value does not decode, in the words that existing clients match (protocol 07 §1.5, §1.10): the text in the brackets.
 * Undefined for a case that the protocol does not describe. @param index offset in the body of the value; undefined: it is a
 * parameter of path or query
 */
export type DecodeFailure = (raw: string, index: number | undefined) => string | undefined;

/** The message with its place: the value again for a parameter, the offset in a body. */
export const decodeFailure =
  (message: (raw: string) => string): DecodeFailure =>
  (raw, index) =>
    index === undefined ? `${message(raw)}: ${raw}` : `${message(raw)} at index ${index}`;

const isHex = (raw: string): boolean => raw.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(raw);

export const hexFailure = decodeFailure((raw) => `Invalid hex string: ${raw}`);

/** @param what `32 bytes hash` */
export const hashFailure = (what: string): DecodeFailure =>
  decodeFailure((raw) => (isHex(raw) ? `cannot decode ${what}` : `Invalid hex string: ${raw}`));

/** @param what `stateful contract` */
export const codeFailure =
  (what: string): DecodeFailure =>
  (raw, index) =>
    isHex(raw) ? undefined : decodeFailure(() => `Invalid hex string for ${what} ${raw}`)(raw, index);

export const keyFailure = decodeFailure((raw) => `Unable to decode key from ${raw}`);

/** A value that is read by the words of a number or a flag: the body has no offset. */
const inputFailure: DecodeFailure = (raw, index) =>
  index === undefined ? `For input string: "${raw}": ${raw}` : `For input string: "${raw}"`;

export const flagFailure = inputFailure;

const integer = /^[+-]?[0-9]{1,100}$/;
const [int32Min, int32Max] = [-(2n ** 31n), 2n ** 31n - 1n];

const isInt32 = (raw: string): boolean =>
  integer.test(raw) && BigInt(raw.replace('+', '')) >= int32Min && BigInt(raw.replace('+', '')) <= int32Max;

/** A text that is no number of 32 bits, or a number below the minimum. */
export const numberFailure =
  (minimum: bigint): DecodeFailure =>
  (raw, index) => {
    if (!isInt32(raw)) return index === undefined ? inputFailure(raw, index) : raw;
    if (index !== undefined || BigInt(raw.replace('+', '')) >= minimum) return undefined;
    return `expected value to be greater than or equal to ${minimum}, but got ${raw}`;
  };

export const groupFailure: DecodeFailure = (raw, index) => {
  if (!isInt32(raw)) return numberFailure(0n)(raw, index);
  return index === undefined ? `Invalid group index: ${raw}` : `Invalid group index : ${raw} at index ${index}`;
};

export const timestampFailure: DecodeFailure = (raw, index) => {
  if (!/^-[0-9]+$/.test(raw)) return index === undefined ? inputFailure(raw, index) : raw;
  return index === undefined
    ? `assumption failed: timestamp should be non-negative: ${raw}`
    : `expect positive timestamp at index ${index}`;
};

export const gasFailure: DecodeFailure = (raw, index) =>
  index !== undefined && integer.test(raw) ? `Invalid Gas: ${raw} at index ${index}` : numberFailure(0n)(raw, index);

export const uint256Failure: DecodeFailure = (raw, index) => {
  if (raw === '') return undefined;
  return integer.test(raw) ? decodeFailure(() => `Invalid U256: ${raw}`)(raw, index) : inputFailure(raw, index);
};

export const amountFailure = decodeFailure((raw) => `Invalid amount: ${raw}`);
export const addressFailure = decodeFailure((raw) => `Unable to decode address from ${raw}`);

/** @param isOther whether the text is an address of the other kind */
export const addressOfKindFailure = (kind: 'asset' | 'contract', isOther: (raw: string) => boolean): DecodeFailure => {
  const other = kind === 'asset' ? 'contract' : 'asset';
  return decodeFailure((raw) =>
    isOther(raw) ? `Expect ${kind} address, but was ${other} address: ${raw}` : `Unable to decode address from ${raw}`,
  );
};
