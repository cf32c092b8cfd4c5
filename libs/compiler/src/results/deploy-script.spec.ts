import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { addressOf } from '@shardnode/protocol/address';
import { type Deployment, deployScript } from '@shardnode/protocol/building';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { contractCodec, statefulScriptCodec, type Val, valsCodec } from '@shardnode/protocol/script';
import { methodOf } from '@shardnode/testing/builders';
import { compileScript } from '../index.js';

/** The source of a deployment (protocol 06 §10.7). */
const sourceOf = ({ contract, immutableFields, mutableFields, ...rest }: Deployment): string => {
  const { deployer, initialCoin, initialTokens, issuedAmount, issuedTo } = rest;
  const from = `@${addressOf(deployer)}`;
  const to = issuedTo && `@${addressOf(issuedTo)}`;
  const tokens = initialTokens.map(({ id, amount }) => `, #${id}: ${amount}`).join('');
  const hexes = [encode(contractCodec, contract), encode(valsCodec, immutableFields), encode(valsCodec, mutableFields)];
  const given = hexes.map((bytes) => `#${bytesToHex(bytes)}`).join(', ');
  const issue = issuedAmount === undefined ? '' : `, ${issuedAmount}${to ? `, ${to}` : ''}`;
  return `TxScript Main {
    ${issuedAmount === undefined ? 'createContract!' : 'createContractWithToken!'}{${from} -> ALPH: ${initialCoin}${tokens}}(${given}${issue})
    ${to ? `transferToken!{${from} -> ALPH: dustAmount!()}(${from}, ${to}, ALPH, dustAmount!())` : ''}
  }`;
};

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex);
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const lockup: fc.Arbitrary<AssetLockupScript> = fc.oneof(
  hash.map((publicKeyHash) => ({ kind: 'p2pkh' as const, publicKeyHash })),
  hash.map((scriptHash) => ({ kind: 'p2sh' as const, scriptHash })),
  fc
    .array(hash, { minLength: 1, maxLength: 5 })
    .map((publicKeyHashes) => ({ kind: 'p2mpkh' as const, publicKeyHashes, m: 1 })),
);
const values: fc.Arbitrary<Val[]> = fc.array(
  fc.oneof(
    amount.map((value): Val => ({ type: 'U256', value })),
    fc.uint8Array({ maxLength: 40 }).map((value): Val => ({ type: 'ByteVec', value })),
  ),
  { maxLength: 6 },
);

const deployment: fc.Arbitrary<Deployment> = fc
  .record({
    contract: fc.nat(6).map((fieldLength) => ({ fieldLength, methods: [methodOf([])] })),
    immutableFields: values,
    mutableFields: values,
    deployer: lockup,
    initialCoin: amount,
    initialTokens: fc.array(fc.record({ id: hash, amount }), { maxLength: 4 }),
    issuedAmount: fc.option(amount, { nil: undefined }),
    issuedTo: fc.option(lockup, { nil: undefined }),
  })
  .map(({ issuedTo, ...rest }) => ({ ...rest, issuedTo: rest.issuedAmount === undefined ? undefined : issuedTo }));

describe('the script of a deployment', () => {
  it('is what the compiler makes of its source, for every form', () => {
    fc.assert(
      fc.property(deployment, (one) => {
        const { bytecodeTemplate, bytecodeDebugPatch } = compileScript(sourceOf(one));
        expect([bytecodeTemplate, bytecodeDebugPatch]).toEqual([
          bytesToHex(encode(statefulScriptCodec, deployScript(one))),
          '',
        ]);
      }),
      { numRuns: 200 },
    );
  });
});
