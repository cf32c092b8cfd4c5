import { type Codec, checked, fixedI32, hash32, invalidValue } from '../encoding/index.js';
import { type OutputReference } from './output-reference.js';

/** 36 bytes: hint and key, of either class (protocol 01 §8.2). */
export const outputReferenceCodec: Codec<OutputReference> = {
  write: (writer, reference) => {
    fixedI32.write(writer, reference.hint);
    hash32.write(writer, reference.key);
  },
  read: (reader) => {
    const hint = fixedI32.read(reader);
    return { hint, key: hash32.read(reader) };
  },
};

/** Whether the reference names an asset output: the low bit of its hint is 1 (protocol 01 §7). */
export const isAssetReference = (reference: OutputReference): boolean => (reference.hint & 1) === 1;

/** A reference to an asset output (protocol 01 §11.1). */
export const assetOutputReferenceCodec: Codec<OutputReference> = checked(outputReferenceCodec, (reference) => {
  if (!isAssetReference(reference)) throw invalidValue('Expect AssetOutputRef, got ContractOutputRef');
});

/** A reference to a contract output (protocol 01 §11.2). */
export const contractOutputReferenceCodec: Codec<OutputReference> = checked(outputReferenceCodec, (reference) => {
  if (isAssetReference(reference)) throw invalidValue('Expected ContractOutputRef, got AssetOutputRef');
});

/** The 36 encoded bytes as 72 hexadecimal digits: the key of a reference in maps. */
export const referenceId = (reference: OutputReference): string =>
  (reference.hint >>> 0).toString(16).padStart(8, '0') + reference.key;
