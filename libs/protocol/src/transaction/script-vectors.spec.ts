import { describe, expect, it } from '@jest/globals';
import { shownLockupScript, shownMethods, shownUnlockScript } from '@shardnode/testing/vector-forms';
import { readVectors } from '@shardnode/testing/vectors';
import { type Codec, bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import {
  assetLockupScriptCodec,
  assetOutputReferenceCodec,
  contractOutputReferenceCodec,
  lockupScriptCodec,
} from '../primitives/index.js';
import { type StatefulScript, statefulScriptCodec, statelessScriptCodec } from '../script/index.js';
import { unlockScriptCodec } from './unlock-script.js';

interface ScriptVectors {
  scripts: {
    ok: { type: string; hex: string; value: unknown; note: string }[];
    errors: { type: string; hex: string; error: string; message: string; note?: string }[];
  };
}

const shownScript = (script: StatefulScript): unknown => ({ methods: shownMethods(script) });

const form = <T>(codec: Codec<T>, shown: (value: T) => unknown) => ({
  decodeAndShow: (bytes: Uint8Array): unknown => shown(decode(codec, bytes)),
  again: (bytes: Uint8Array): Uint8Array => encode(codec, decode(codec, bytes)),
});

const forms = {
  lockupScript: form(lockupScriptCodec, shownLockupScript),
  assetLockupScript: form(assetLockupScriptCodec, shownLockupScript),
  unlockScript: form(unlockScriptCodec, shownUnlockScript),
  assetOutputRef: form(assetOutputReferenceCodec, (reference) => reference),
  contractOutputRef: form(contractOutputReferenceCodec, (reference) => reference),
  statelessScript: form(statelessScriptCodec, shownScript),
  statefulScript: form(statefulScriptCodec, shownScript),
};
const formOf = (type: string): (typeof forms)['lockupScript'] => {
  const found = forms[type as keyof typeof forms];
  if (!found) throw new Error(`no codec for vectors of type ${type}`);
  return found;
};

const { ok, errors } = readVectors<ScriptVectors>('encoding.json').scripts;

describe('script snippets of encoding.json', () => {
  for (const vector of ok) {
    it(`decodes and encodes ${vector.type}: ${vector.note}`, () => {
      const bytes = hexToBytes(vector.hex);
      expect(formOf(vector.type).decodeAndShow(bytes)).toEqual(vector.value);
      expect(bytesToHex(formOf(vector.type).again(bytes))).toBe(vector.hex);
    });
  }

  for (const vector of errors) {
    it(`refuses ${vector.type} ${vector.hex.slice(0, 24)} ${vector.note ?? ''}: ${vector.message}`, () => {
      let thrown: unknown;
      try {
        formOf(vector.type).decodeAndShow(hexToBytes(vector.hex));
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ name: 'DecodeError', kind: vector.error });
      expect((thrown as Error).message.slice(0, vector.message.length)).toBe(vector.message);
    });
  }
});
