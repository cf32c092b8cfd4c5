import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type AssetLockupScript, dustAmount, oneCoin, outputHint } from '../primitives/index.js';
import { type AssetOutput, type UnsignedTransaction } from '../transaction/index.js';
import {
  buildSweep,
  buildTransfer,
  checkBuiltSweep,
  checkBuiltTransfer,
  outputsOfDestination,
  type SweepRequest,
  type TransferRequest,
  type Utxo,
  utxoSourceOf,
} from './index.js';

const sender: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) };
const thief: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: '66'.repeat(32) };
const publicKey = new Uint8Array(33).fill(2);
const unlockScript = { kind: 'p2pkh', publicKey } as const;
const stolen: AssetOutput = {
  kind: 'asset',
  amount: oneCoin,
  lockupScript: thief,
  lockTime: 0n,
  tokens: [],
  additionalData: new Uint8Array(0),
};

const tokenId = fc.constantFrom('a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32));
const tokens = fc.uniqueArray(fc.record({ id: tokenId, amount: fc.bigInt(1n, 1_000n) }), {
  selector: ({ id }) => id,
  maxLength: 3,
});
const utxos = fc
  .array(fc.record({ amount: fc.bigInt(oneCoin / 10n, 20n * oneCoin), tokens }), { minLength: 1, maxLength: 300 })
  .map((list) =>
    list.map((held, index): Utxo => {
      const key = index.toString(16).padStart(64, '0');
      return { ...held, reference: { hint: outputHint(sender), key }, level: 0 };
    }),
  );
const lockTime = fc.option(fc.bigInt(1n, 2n ** 41n), { nil: undefined });
const receiver = fc.oneof(
  fc.constant(sender),
  fc.constantFrom('22', '33').map((byte): AssetLockupScript => ({ kind: 'p2pkh', publicKeyHash: byte.repeat(32) })),
);
const destination = fc.record({
  lockupScript: receiver,
  amount: fc.bigInt(dustAmount, 5n * oneCoin),
  tokens: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: tokens }),
  lockTime,
  message: fc.option(fc.uint8Array({ maxLength: 8 }), { nil: undefined }),
});
const gas = {
  networkId: fc.constant(4),
  sender: fc.constant({ lockupScript: sender, unlockScript }),
  gasAmount: fc.option(fc.integer({ min: 100_000, max: 625_000 }), { nil: undefined }),
  gasPrice: fc.bigInt(10n ** 11n, 10n ** 12n),
  unminable: fc.constantFrom<'refuse' | 'build' | undefined>('refuse', 'build', undefined),
};
const transfers: fc.Arbitrary<TransferRequest> = fc.record({
  ...gas,
  // All of one group: the rule about groups has tests of its own.
  groups: fc.constant(1),
  destinations: fc.array(destination, { minLength: 1, maxLength: 4 }),
  gasFormula: fc.constantFrom<'document' | 'reference'>('document', 'reference'),
  destinationGroups: fc.constant('one' as const),
});
const sweeps: fc.Arbitrary<SweepRequest> = fc.record({ ...gas, destination: receiver, lockTime });

type Mutation = (built: UnsignedTransaction) => UnsignedTransaction;
const withOutput =
  (index: number, change: Partial<AssetOutput>): Mutation =>
  (built) => ({
    ...built,
    fixedOutputs: built.fixedOutputs.map((one, i) =>
      i === index % built.fixedOutputs.length ? { ...one, ...change } : one,
    ),
  });
const withInput =
  (change: Partial<UnsignedTransaction['inputs'][number]>): Mutation =>
  (built) => ({ ...built, inputs: [{ ...built.inputs[0]!, ...change }, ...built.inputs.slice(1)] });
const foreign = { hint: outputHint(thief), key: 'ff'.repeat(32) };

/** One harm each. The place of an output is chosen at random. */
const harms: Readonly<Record<string, (place: number) => Mutation>> = {
  'another destination': (place) => withOutput(place, { lockupScript: thief }),
  'another lock time': (place) => withOutput(place, { lockTime: 2n ** 42n }),
  'another message': (place) => withOutput(place, { additionalData: Uint8Array.of(9, 9, 9) }),
  'other tokens': (place) => withOutput(place, { tokens: [{ id: 'dd'.repeat(32), amount: 1n }, ...twoTokens] }),
  'one more output': (place) => (built) => {
    const outputs = [...built.fixedOutputs];
    outputs.splice(place % (outputs.length + 1), 0, stolen);
    return { ...built, fixedOutputs: outputs };
  },
  'one more output to the sender, which costs gas': () => (built) => ({
    ...built,
    gasAmount: built.gasAmount + 4_500,
    fixedOutputs: [...built.fixedOutputs, { ...stolen, lockupScript: sender }],
  }),
  'a higher gas price': () => (built) => ({ ...built, gasPrice: built.gasPrice + 1n }),
  'more gas': () => (built) => ({ ...built, gasAmount: built.gasAmount + 1 }),
  'an input of somebody else': () => (built) => ({
    ...built,
    inputs: [...built.inputs, { outputReference: foreign, unlockScript }],
  }),
  'an input in place of one of the sender': () => withInput({ outputReference: foreign }),
  'an input twice': () => (built) => ({ ...built, inputs: [...built.inputs, built.inputs[0]!] }),
  'one more input, which costs gas': () => (built) => ({
    ...built,
    gasAmount: built.gasAmount + 30_000,
    inputs: [...built.inputs, { outputReference: { ...foreign, hint: outputHint(sender) }, unlockScript }],
  }),
  'another signer': () => withInput({ unlockScript: { kind: 'p2pkh', publicKey: new Uint8Array(33).fill(3) } }),
  'no inputs': () => (built) => ({ ...built, inputs: [] }),
  'a script': () => (built) => ({ ...built, script: { methods: [] } }),
  'another network': () => (built) => ({ ...built, networkId: 0 }),
  'another version': () => (built) => ({ ...built, version: 1 }),
};
const twoTokens = ['ee', 'ff'].map((byte) => ({ id: byte.repeat(32), amount: 2n ** 256n - 1n }));
const harmNames = Object.keys(harms);
const numRuns = 300;

describe('the check of a built transfer', () => {
  it('passes everything that the builder builds', () => {
    let built = 0;
    const property = fc.property(transfers, utxos, (request, held) => {
      const outcome = buildTransfer(request, utxoSourceOf(held));
      if (!outcome.ok) return;
      built += 1;
      expect(checkBuiltTransfer(outcome.value, request)).toBeUndefined();
    });
    fc.assert(property, { numRuns, seed: 1 });
    expect(built).toBeGreaterThan(numRuns / 3);
  });

  it.each(harmNames)('refuses %s', (name) => {
    let harmed = 0;
    const property = fc.property(transfers, utxos, fc.nat(), (request, held, place) => {
      const outcome = buildTransfer(request, utxoSourceOf(held));
      if (!outcome.ok) return;
      harmed += 1;
      expect(checkBuiltTransfer(harms[name]!(place)(outcome.value), request)).toBeDefined();
    });
    fc.assert(property, { numRuns: 100, seed: 2 });
    expect(harmed).toBeGreaterThan(20);
  });

  it('refuses a smaller or larger amount for a destination', () => {
    const property = fc.property(transfers, utxos, fc.nat(), fc.boolean(), (request, held, place, isLess) => {
      const outcome = buildTransfer(request, utxoSourceOf(held));
      if (!outcome.ok) return;
      const index = place % request.destinations.flatMap(outputsOfDestination).length;
      const { amount } = outcome.value.fixedOutputs[index]!;
      const changed = withOutput(index, { amount: isLess ? amount - 1n : amount + 1n })(outcome.value);
      expect(checkBuiltTransfer(changed, request)).toBe('fixedOutputs');
    });
    fc.assert(property, { numRuns: 100, seed: 3 });
  });

  it('refuses a fee above the cap, even if it was asked for', () => {
    const request: TransferRequest = {
      networkId: 4,
      groups: 1,
      sender: { lockupScript: sender, unlockScript },
      destinations: [{ lockupScript: thief, amount: oneCoin, tokens: [] }],
      gasAmount: 20_000,
      gasPrice: 10n ** 13n,
      gasFormula: 'document',
      destinationGroups: 'one',
    };
    const held: Utxo = {
      reference: { hint: outputHint(sender), key: '00'.repeat(32) },
      amount: 9n * oneCoin,
      tokens: [],
      level: 0,
    };
    const outcome = buildTransfer(request, utxoSourceOf([held]));
    if (!outcome.ok) throw new Error(outcome.refusal.code);
    const dear = { ...outcome.value, gasPrice: 10n ** 14n };
    expect(checkBuiltTransfer(dear, { ...request, gasPrice: 10n ** 14n })).toBe('fee');
  });
});

describe('the check of a built sweep', () => {
  it('passes everything that the builder builds', () => {
    let built = 0;
    const property = fc.property(sweeps, utxos, (request, held) => {
      const outcome = buildSweep(request, held);
      if (!outcome.ok) return;
      for (const unsigned of outcome.value) {
        built += 1;
        expect(checkBuiltSweep(unsigned, request)).toBeUndefined();
      }
    });
    fc.assert(property, { numRuns, seed: 4 });
    expect(built).toBeGreaterThan(numRuns / 3);
  });

  it.each(harmNames)('refuses %s', (name) => {
    let harmed = 0;
    const property = fc.property(sweeps, utxos, fc.nat(), (request, held, place) => {
      const outcome = buildSweep(request, held);
      if (!outcome.ok) return;
      harmed += 1;
      expect(checkBuiltSweep(harms[name]!(place)(outcome.value[0]!), request)).toBeDefined();
    });
    fc.assert(property, { numRuns: 100, seed: 5 });
    expect(harmed).toBeGreaterThan(20);
  });
});
