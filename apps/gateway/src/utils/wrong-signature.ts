import { diagnoseSignature, isPublicKey } from '@shardnode/protocol/crypto';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { counted, signatureAdvice } from '@shardnode/protocol/validation';

/** Bytes of data that a signature is over. */
const signedLength = 32;

/** The fault of a signature that does not verify, and its remedy. `publicKey`: 33 bytes, `signature`: 64. */
export const wrongSignatureAdvice = (data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): string => {
  if (data.length !== signedLength)
    return `data has ${counted(data.length, 'byte')}, and a signature is over ${signedLength}, such as those of a transaction id`;
  if (!isPublicKey(publicKey)) return 'publicKey is no point of the curve secp256k1';
  const signedBytes = `data ${bytesToHex(data)}`;
  const unknown = `it is of other data, or by another key; sign the ${signedLength} bytes of the ${signedBytes}, without hashing them, with the private key of publicKey`;
  return signatureAdvice(diagnoseSignature({ message: data, signature, publicKey, otherKeys: [] }), {
    signed: 'data',
    signedBytes,
    anotherOrder: () => unknown,
    unknown,
  });
};
