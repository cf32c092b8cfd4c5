import { type Codec, encode, fixedBytes, i32, record, sameBytes, vector, wrongFormat } from '../encoding/index.js';
import { statelessScriptCodec, valCodec } from '../script/index.js';
import { type UnlockScript } from './model.js';

const publicKey = fixedBytes(33);
const indexedKeys = vector(record<{ publicKey: Uint8Array; index: number }>({ publicKey, index: i32 }));
const parameters = vector(valCodec);

/** protocol 01 §6.2. Multisig indexes are not checked here; an unknown kind byte is refused. */
export const unlockScriptCodec: Codec<UnlockScript> = {
  write: (writer, unlock) => {
    switch (unlock.kind) {
      case 'p2pkh':
        writer.byte(0);
        return publicKey.write(writer, unlock.publicKey);
      case 'p2mpkh':
        writer.byte(1);
        return indexedKeys.write(writer, unlock.keys);
      case 'p2sh':
        writer.byte(2);
        statelessScriptCodec.write(writer, unlock.script);
        return parameters.write(writer, unlock.parameters);
      case 'sameAsPrevious':
        return writer.byte(3);
      case 'reserved':
        writer.byte(4);
        return publicKey.write(writer, unlock.publicKey);
    }
  },
  read: (reader) => {
    const kind = reader.byte();
    switch (kind) {
      case 0:
        return { kind: 'p2pkh', publicKey: publicKey.read(reader) };
      case 1:
        return { kind: 'p2mpkh', keys: indexedKeys.read(reader) };
      case 2:
        return { kind: 'p2sh', script: statelessScriptCodec.read(reader), parameters: parameters.read(reader) };
      case 3:
        return { kind: 'sameAsPrevious' };
      case 4:
        return { kind: 'reserved', publicKey: publicKey.read(reader) };
      default:
        throw wrongFormat(`Invalid unlock script prefix ${(kind << 24) >> 24}`);
    }
  },
};

/** Equality of decoded unlock scripts, for the run of equal inputs (protocol 01 §6.3). */
export const sameUnlockScript = (a: UnlockScript, b: UnlockScript): boolean => {
  if (a === b) return true;
  if (a.kind === 'p2pkh' && b.kind === 'p2pkh') return sameBytes(a.publicKey, b.publicKey);
  return a.kind === b.kind && sameBytes(encode(unlockScriptCodec, a), encode(unlockScriptCodec, b));
};
