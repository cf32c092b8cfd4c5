import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { instruction as op, methodOf, blockEnvironment, transactionEnvironment } from '@shardnode/testing/builders';
import { runWithMisses } from '@shardnode/testing/contract-state';
import { fuzzPrograms, fuzzWorld, runFuzzProgram } from '@shardnode/testing/machine-fuzz';
import { readRunVectors, runVector, worldWith } from '@shardnode/testing/vm';
import { blake2bHash } from '../crypto/index.js';
import { bytesToHex, encode, hexToBytes } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { bytesConstant, contractCodec, u256Constant } from '../script/index.js';
import { executeTransactionScript } from './transaction-script-run.js';

const idOf = (number: number): Hash => blake2bHash(Uint8Array.of(number >> 8, number & 255));

const files = ['vm-instructions.json', 'vm-instructions-2.json', 'vm-random.json'] as const;

describe('a run that misses something of the state goes on where it stopped', () => {
  it.each(files)('every program of %s ends as if all were in memory', (file) => {
    const { defaults, cases } = readRunVectors(file);
    const scripts = cases.filter(({ kind, contracts = [] }) => kind !== 'unlock' && contracts.length > 0);
    expect(scripts.length).toBeGreaterThan(0);
    for (const vector of scripts) {
      // At less gas it ends somewhere on the way.
      for (const gas of [vector.gas, 2_000]) {
        expect(runVector(vector, defaults, gas, 'nothing')).toEqual(runVector(vector, defaults, gas));
      }
    }
  });

  it('a creation that misses its own id after it has loaded what it copies begins anew', () => {
    const run = runFuzzProgram(fuzzPrograms(5)(8522), fuzzWorld());
    expect(run).toMatchObject({ ending: 'succeeded', violations: [] });
  });

  it('pays once for an instruction that it begins again', () => {
    // Enough of them that the way to one has several nodes.
    const world = worldWith(
      Array.from({ length: 300 }, (_, i) => ({
        id: idOf(i),
        code: bytesToHex(encode(contractCodec, { fieldLength: 0, methods: [methodOf([])] })),
        imm: [],
        mut: [],
        amount: '1',
        outputKey: idOf(i),
      })),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.nat({ max: 299 }).map((i) => hexToBytes(idOf(i))),
    );
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 20 }), fc.nat({ max: 50_000 }), (ids, gasLimit) => {
        const asked = ids.flatMap((id) => [
          u256Constant(1n),
          op('Pop'),
          bytesConstant(id),
          op('ContractExists'),
          op('Pop'),
        ]);
        const options = {
          block: blockEnvironment,
          transaction: transactionEnvironment,
          script: { methods: [methodOf(asked)] },
          gasLimit,
          scriptSignatures: [],
          endPhase: 'whole',
        } as const;
        const whole = executeTransactionScript({ ...options, layer: world.layer() });
        const { outcome, misses } = runWithMisses(world, options);
        if (gasLimit > 1_000) expect(misses).toBeGreaterThan(1);
        expect(outcome.kind).toBe(whole.kind);
        if (outcome.kind === 'aborted' || whole.kind === 'aborted') throw new Error('a run was aborted');
        expect(outcome.gasLeft).toBe(whole.gasLeft);
      }),
    );
  });
});
