import { blake2bHash } from '../crypto/blake2b/index.js';
import { type Codec, checked, encode, hash32, i32, invalidValue, vector, wrongFormat } from '../encoding/index.js';
import { maxMultisigKeys } from './constants.js';
import { type Hash } from './hash.js';
import { type AssetLockupScript, type LockupScript } from './lockup-script.js';

const publicKeyHashes: Codec<readonly Hash[]> = vector(hash32);

/** Only the fields; the whole script is checked below. */
const fields: Codec<LockupScript> = {
  write: (writer, script) => {
    switch (script.kind) {
      case 'p2pkh':
        writer.byte(0);
        return hash32.write(writer, script.publicKeyHash);
      case 'p2mpkh':
        writer.byte(1);
        publicKeyHashes.write(writer, script.publicKeyHashes);
        return i32.write(writer, script.m);
      case 'p2sh':
        writer.byte(2);
        return hash32.write(writer, script.scriptHash);
      case 'p2c':
        writer.byte(3);
        return hash32.write(writer, script.contractId);
    }
  },
  read: (reader) => {
    const kind = reader.byte();
    switch (kind) {
      case 0:
        return { kind: 'p2pkh', publicKeyHash: hash32.read(reader) };
      case 1:
        return { kind: 'p2mpkh', publicKeyHashes: publicKeyHashes.read(reader), m: i32.read(reader) };
      case 2:
        return { kind: 'p2sh', scriptHash: hash32.read(reader) };
      case 3:
        return { kind: 'p2c', contractId: hash32.read(reader) };
      default:
        throw wrongFormat(`Invalid lockupScript prefix ${(kind << 24) >> 24}`);
    }
  },
};

const checkThreshold = (script: LockupScript): void => {
  if (script.kind !== 'p2mpkh') return;
  if (script.m > 0 && script.m <= script.publicKeyHashes.length) return;
  const hashes = script.publicKeyHashes.map((hash) => `Blake2b(hex"${hash}")`).join(', ');
  throw invalidValue(`Invalid m in m-of-n multisig: Iterable(${hashes}), m: ${script.m}`);
};

/** A lockup script of any kind (protocol 01 §6.1). */
export const lockupScriptCodec: Codec<LockupScript> = checked(fields, checkThreshold);

/** A lockup script that an asset output may carry; p2c is refused (protocol 01 §6.1). */
export const assetLockupScriptCodec: Codec<AssetLockupScript> = checked(
  fields as Codec<AssetLockupScript>,
  (script: LockupScript) => {
    checkThreshold(script);
    if (script.kind === 'p2c') throw invalidValue('Expect LockupScript.Asset, but was LockupScript.P2C');
  },
);

/** Cached for each object: scripts use the same address thousands of times. */
const multisigIds = new WeakMap<LockupScript, string>();

/** Short for any number of keys: scripts make thousands, and maps compare whole texts. */
const multisigId = (script: LockupScript): string => {
  const known = multisigIds.get(script) ?? `01${blake2bHash(encode(fields, script))}`;
  multisigIds.set(script, known);
  return known;
};

/** Whether the decoded values are equal (protocol 01 §6.1). */
export const sameLockupScript = (a: LockupScript, b: LockupScript): boolean => {
  switch (a.kind) {
    case 'p2pkh':
      return b.kind === 'p2pkh' && a.publicKeyHash === b.publicKeyHash;
    case 'p2mpkh':
      return (
        b.kind === 'p2mpkh' &&
        a.m === b.m &&
        a.publicKeyHashes.length === b.publicKeyHashes.length &&
        (a.publicKeyHashes.length > maxMultisigKeys
          ? multisigId(a) === multisigId(b)
          : a.publicKeyHashes.every((hash, i) => hash === b.publicKeyHashes[i]))
      );
    case 'p2sh':
      return b.kind === 'p2sh' && a.scriptHash === b.scriptHash;
    case 'p2c':
      return b.kind === 'p2c' && a.contractId === b.contractId;
  }
};

/** The key of a lockup script in maps, the same for equal scripts: its kind and its hash. */
export const lockupScriptId = (script: LockupScript): string => {
  switch (script.kind) {
    case 'p2pkh':
      return `00${script.publicKeyHash}`;
    case 'p2mpkh':
      return multisigId(script);
    case 'p2sh':
      return `02${script.scriptHash}`;
    case 'p2c':
      return `03${script.contractId}`;
  }
};
