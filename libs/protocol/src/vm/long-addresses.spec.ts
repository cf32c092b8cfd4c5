import { describe, expect, it } from '@jest/globals';
import { blockEnvironment, instruction, methodOf, transactionEnvironment } from '@shardnode/testing/builders';
import { fc } from '@shardnode/testing/properties';
import { type LockupScript, lockupScriptId, sameLockupScript } from '../primitives/index.js';
import { executeUnlockScript } from './index.js';

const hashOf = (i: number): string => i.toString(16).padStart(64, '0');
const multisig = (hashes: readonly number[], m: number): LockupScript => ({
  kind: 'p2mpkh',
  publicKeyHashes: hashes.map(hashOf),
  m,
});

/** Lists that differ in one place, in length or not at all, of few keys and of more than any output may lock to. */
const lists = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 });
const pairs = fc.oneof(
  lists.map((list) => [list, [...list]] as const),
  fc.tuple(lists, fc.nat(39)).map(([list, at]) => [list, list.with(at % list.length, 7)] as const),
  fc.tuple(lists, lists),
);

describe('lockup scripts of many keys', () => {
  it('are equal when their keys are, in order, and as many must sign', () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 2 }), ([first, second], m) => {
        const [a, b] = [multisig(first, 1), multisig(second, m)];
        const equal = JSON.stringify(a) === JSON.stringify(b);
        expect(sameLockupScript(a, b)).toBe(equal);
        expect(lockupScriptId(a) === lockupScriptId(b)).toBe(equal);
      }),
    );
  });

  it('are compared by scripts as often as gas allows', () => {
    const keys = Array.from({ length: 5_000 }, (_, i) => i);
    const body = [
      instruction('AddressConst', multisig(keys, 1)),
      instruction('AddressConst', multisig(keys, 1)),
      instruction('AddressEq'),
      instruction('Assert'),
      instruction('Jump', -5),
    ];
    const outcome = executeUnlockScript({
      block: blockEnvironment,
      transaction: transactionEnvironment,
      script: { methods: [methodOf([instruction('ConstTrue'), instruction('Pop'), ...body])] },
      parameters: [],
      gasLimit: 625_000,
      signatures: [],
    });
    expect(outcome).toMatchObject({ kind: 'failed', failure: { failure: 'OutOfGas' } });
  });
});
