import { addressOf } from '../address/index.js';
import { bytesToHex } from '../encoding/index.js';
import { type Hash, type LockupScript } from '../primitives/index.js';
import { type Val } from '../script/index.js';

/** Bytes as failure texts write them: `ByteString(1, -2)`, all of them (protocol 05 §2.6). */
export const byteStringText = (bytes: Uint8Array): string => `ByteString(${[...new Int8Array(bytes)].join(', ')})`;

const hashText = (hash: Hash): string => `Blake2b(hex"${hash}")`;

/** A contract id in failure texts that do not use its address. */
export const contractIdText = (id: Hash): string => `ContractId(hex"${id}")`;

const lockupScriptText = (script: LockupScript): string => {
  switch (script.kind) {
    case 'p2pkh':
      return `P2PKH(${hashText(script.publicKeyHash)})`;
    case 'p2mpkh':
      return `P2MPKH(Iterable(${script.publicKeyHashes.map(hashText).join(', ')}),${script.m})`;
    case 'p2sh':
      return `P2SH(${hashText(script.scriptHash)})`;
    case 'p2c':
      return `P2C(${contractIdText(script.contractId)})`;
  }
};

/** Texts of values other than numbers and booleans. */
interface Writing {
  readonly bytes: (bytes: Uint8Array) => string;
  readonly address: (script: LockupScript) => string;
}

const inErrors: Writing = { bytes: byteStringText, address: lockupScriptText };
const inMessages: Writing = { bytes: bytesToHex, address: addressOf };

const contentText = (val: Val, writing: Writing): string => {
  switch (val.type) {
    case 'Bool':
    case 'I256':
    case 'U256':
      return val.value.toString();
    case 'ByteVec':
      return writing.bytes(val.value);
    case 'Address':
      return writing.address(val.value);
  }
};

/** A value inside a failure text: `U256(5)` (protocol 05 §2.6). */
export const errorText = (val: Val): string => `${val.type}(${contentText(val, inErrors)})`;

/** A value inside a DEBUG message (protocol 05 §2.6). */
export const debugText = (val: Val): string => contentText(val, inMessages);
