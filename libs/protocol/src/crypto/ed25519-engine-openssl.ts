import { bigintFromBytes, bytesToHex, hexToBytes, sameBytes } from '../encoding/index.js';
import { type Ed25519Engine } from './ed25519-engine.js';

const fieldPrime = 2n ** 255n - 19n;
/** y of a point of order 8; the other such points have p - y. */
const yOfOrderEight = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** y coordinates of the eight points of small order. */
const smallOrderYs = new Set([0n, 1n, fieldPrime - 1n, yOfOrderEight, fieldPrime - yOfOrderEight]);

/** Whether the key is canonical and not of small order; OpenSSL checks neither. */
const isKeyOfProtocol = (publicKey: Uint8Array): boolean => {
  const bigEndian = publicKey.slice().reverse();
  bigEndian[0]! &= 0x7f;
  const y = bigintFromBytes(bigEndian);
  return y < fieldPrime && !smallOrderYs.has(y);
};

/** Prefix of the 32 bytes of a key in its DER form. */
const derPrefix = hexToBytes('302a300506032b6570032100');

const inDer = (publicKey: Uint8Array): Uint8Array => {
  const der = new Uint8Array(derPrefix.length + publicKey.length);
  der.set(derPrefix);
  der.set(publicKey, derPrefix.length);
  return der;
};

/** Cached results: more than the signature checks of one transaction. */
const maxRemembered = 1024;

/**
 * The same with a cache. A signature that is valid only with cofactor takes twenty times as long as others. Anybody can
 * make one, and a script may check it hundreds of times, in the mempool, in a template and in the block.
 */
const remembering = (verify: Ed25519Engine['verify']): Ed25519Engine['verify'] => {
  const known = new Map<string, boolean>();
  return (message, signature, publicKey) => {
    const question = `${bytesToHex(message)} ${bytesToHex(signature)} ${bytesToHex(publicKey)}`;
    const remembered = known.get(question);
    if (remembered !== undefined) return remembered;
    const isValid = verify(message, signature, publicKey);
    if (known.size >= maxRemembered) known.delete(known.keys().next().value!);
    known.set(question, isValid);
    return isValid;
  };
};

/**
 * Node's OpenSSL, some ten times as fast as plain JavaScript; a pure function of its arguments. It checks the equation
 * without cofactor. That equation implies the protocol's, but not the reverse. So a signature that it accepts is valid
 * if the protocol accepts the key; `decide` judges all others (protocol 05 §19.1). It refuses S >= group order, and its
 * R is canonical, because it compares encodings. Rejects outside Node.
 */
export const loadOpensslEd25519Engine = async (decide: Ed25519Engine): Promise<Ed25519Engine> => {
  const { createPublicKey, verify } = await import('node:crypto');
  const keyOf = (publicKey: Uint8Array) =>
    createPublicKey({ key: inDer(publicKey) as Buffer, format: 'der', type: 'spki' });
  // Parsing a key takes as long as verifying, and one key often checks several signatures.
  let lastBytes = derPrefix;
  let lastKey: ReturnType<typeof keyOf> | undefined;
  const rememberedKey = (publicKey: Uint8Array): ReturnType<typeof keyOf> => {
    if (!lastKey || !sameBytes(lastBytes, publicKey)) {
      lastKey = keyOf(publicKey);
      lastBytes = publicKey.slice();
    }
    return lastKey;
  };
  return {
    name: 'OpenSSL',
    verify: remembering(
      (message, signature, publicKey) =>
        (isKeyOfProtocol(publicKey) && verify(undefined, message, rememberedKey(publicKey), signature)) ||
        decide.verify(message, signature, publicKey),
    ),
  };
};
