import { describe, expect, it } from '@jest/globals';
import { documentedTextOf } from '@shardnode/testing/documented-texts';
import { readVectors } from '@shardnode/testing/vectors';
import { addressOf, parseAddress } from '../address/index.js';
import { sign } from '../crypto/index.js';
import { bytesToHex, encode, hexToBytes } from '../encoding/index.js';
import { type AssetLockupScript, type OutputReference } from '../primitives/index.js';
import {
  chainIndexOf,
  referenceOf,
  transactionId,
  transactionTemplateCodec,
  unsignedTransactionCodec,
  type AssetOutput,
  type Token,
  type UnlockScript,
  type UnsignedTransaction,
} from '../transaction/index.js';
import {
  buildOutcome,
  buildSweep,
  buildTransfer,
  buildTransferFrom,
  changeOutputs,
  coinRemainder,
  compareByCoin,
  compareByToken,
  estimateGas,
  estimateGasOfUnlocks,
  estimateSweepGas,
  multisigUnlockScript,
  outputsOfDestination,
  selectUtxos,
  shareGas,
  sortUtxos,
  sweepChunkSize,
  tokenRemainders,
  totalsOf,
  utxoSourceOf,
  type BuildOutcome,
  type Destination,
  type TransferRequest,
  type Utxo,
} from './index.js';

interface JsonUtxo {
  hint?: number;
  key?: string;
  address?: string;
  attoCoinAmount: string;
  tokens: { id: string; amount: string }[];
  level: 0 | 1 | 2;
  lockTime?: number;
  message?: string;
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the vectors' shapes are checked by use
type Json = any;
const vectors = readVectors<Record<string, Json>>('tx-building.json');
const list = (section: string): Json[] => (vectors[section] as Json[] | undefined) ?? [];

const lockupOf = (address: string): AssetLockupScript => parseAddress(address) as AssetLockupScript;
const tokensOf = (tokens: JsonUtxo['tokens']): Token[] =>
  tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) }));
const utxoOf = (utxo: JsonUtxo, index = 0): Utxo => ({
  reference: { hint: utxo.hint ?? 1, key: utxo.key ?? index.toString(16).padStart(64, '0') },
  amount: BigInt(utxo.attoCoinAmount),
  tokens: tokensOf(utxo.tokens),
  level: utxo.level,
});
const destinationOf = (one: Json): Destination => ({
  lockupScript: lockupOf(one.address ?? vectors['keys'][0].address),
  amount: BigInt(one.attoCoinAmount),
  tokens: tokensOf(one.tokens),
  lockTime: BigInt(one.lockTime ?? 0),
  message: hexToBytes(one.message ?? ''),
});
const unlockNamed = (name: string): UnlockScript => {
  if (name === 'same') return { kind: 'sameAsPrevious' };
  if (name === 'p2pkh') return { kind: 'p2pkh', publicKey: new Uint8Array(33) };
  const count = Number(name.split(':')[1]);
  return {
    kind: 'p2mpkh',
    keys: Array.from({ length: count }, (_, index) => ({ publicKey: new Uint8Array(33), index })),
  };
};
/** A list of names, or `256 x p2pkh`. */
const unlocksOf = (unlocks: string[] | string): UnlockScript[] => {
  if (typeof unlocks !== 'string') return unlocks.map(unlockNamed);
  const [count, name] = unlocks.split(' x ') as [string, string];
  return Array.from({ length: Number(count) }, () => unlockNamed(name));
};
const documentedOf = (outcome: BuildOutcome<unknown>): string | undefined =>
  outcome.ok ? undefined : documentedTextOf(outcome.refusal);
const valueOf = <T>(outcome: { ok: true; value: T } | { ok: false; refusal: { code: string; detail?: string } }): T => {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.code} ${outcome.refusal.detail}`);
  return outcome.value;
};
const outputJson = (output: AssetOutput): Json => ({
  address: addressOf(output.lockupScript),
  attoCoinAmount: output.amount.toString(),
  tokens: output.tokens.map(({ id, amount }) => ({ id, amount: amount.toString() })),
  lockTime: Number(output.lockTime),
  message: bytesToHex(output.additionalData),
});

const expectTransaction = (unsigned: UnsignedTransaction, expected: Json): void => {
  expect(bytesToHex(encode(unsignedTransactionCodec, unsigned))).toBe(expected.unsignedTx);
  const id = transactionId(unsigned);
  expect(id).toBe(expected.txId);
  expect(chainIndexOf(unsigned, 4)).toEqual({ from: expected.fromGroup, to: expected.toGroup });
  expect(unsigned.gasAmount).toBe(expected.gasAmount);
  expect(unsigned.fixedOutputs.map(outputJson)).toEqual(expected.fixedOutputs);
  expect(unsigned.fixedOutputs.map((output, i) => referenceOf(output, id, i))).toEqual(expected.fixedOutputRefs);
};

/** The submitted form is the template with one signature of the id per key, in the order of the unlock script. */
const expectSigned = (unsigned: UnsignedTransaction, expected: Json): void => {
  const unlock = unsigned.inputs[0]!.unlockScript;
  const publicKeys =
    unlock.kind === 'p2pkh'
      ? [unlock.publicKey]
      : unlock.kind === 'p2mpkh'
        ? unlock.keys.map((key) => key.publicKey)
        : [];
  const signatures = publicKeys.map((publicKey) => {
    const key = vectors['keys'].find((one: Json) => one.publicKey === bytesToHex(publicKey));
    return sign(hexToBytes(transactionId(unsigned)), hexToBytes(key.privateKey));
  });
  expect(signatures.map(bytesToHex)).toEqual(expected.signatures);
  const template = encode(transactionTemplateCodec, { unsigned, inputSignatures: signatures, scriptSignatures: [] });
  expect(bytesToHex(encode(unsignedTransactionCodec, unsigned))).toBe(
    bytesToHex(template).slice(0, expected.unsignedTx.length),
  );
};

const requestOf = (request: Json, gasFormula: 'document' | 'reference'): TransferRequest => {
  const lockupScript = lockupOf(request.from);
  const { unlock } = request;
  const unlockScript: UnlockScript =
    unlock.type === 'p2pkh'
      ? { kind: 'p2pkh', publicKey: hexToBytes(unlock.key) }
      : valueOf(
          multisigUnlockScript(
            lockupScript,
            unlock.keys.map(([key]: [string, number]) => hexToBytes(key)),
          ),
        );
  return {
    networkId: request.networkId,
    groups: 4,
    sender: { lockupScript, unlockScript },
    destinations: request.destinations.map(destinationOf),
    gasAmount: request.gasAmount ?? undefined,
    gasPrice: BigInt(request.gasPrice),
    gasFormula,
    destinationGroups: 'one-besides-sender',
  };
};
const build = (request: Json, gasFormula: 'document' | 'reference'): UnsignedTransaction => {
  if (!request.utxosProvidedByClient)
    return valueOf(buildTransfer(requestOf(request, gasFormula), utxoSourceOf(request.utxos.map(utxoOf))));
  const byKey = new Map<string, AssetOutput>(
    request.utxos.map((utxo: Json) => [
      utxo.key,
      { ...destinationOf(utxo), kind: 'asset', additionalData: hexToBytes(utxo.message) },
    ]),
  );
  const references: OutputReference[] = request.utxos.map(({ hint, key }: Json) => ({ hint, key }));
  return valueOf(buildTransferFrom(requestOf(request, gasFormula), references, ({ key }) => byKey.get(key), 0n));
};

describe('tx-building.json: gas', () => {
  it.each((vectors['gasEstimation']?.perUnlock ?? []) as Json[])(
    'gasEstimation.perUnlock $unlocks, $outputs outputs',
    (vector: Json) => {
      expect(estimateGasOfUnlocks(unlocksOf(vector.unlocks), vector.outputs)).toBe(vector.gas);
    },
  );
  it.each((vectors['gasEstimation']?.requirementFormulaVersusReference ?? []) as Json[])(
    'both formulas, $inputs inputs, $outputs outputs',
    (vector: Json) => {
      expect(estimateGas('document', unlockNamed('p2pkh'), vector.inputs, vector.outputs)).toBe(
        vector.byRequirementFormula,
      );
      expect(estimateGas('reference', unlockNamed('p2pkh'), vector.inputs, vector.outputs)).toBe(
        vector.byReferenceEstimate,
      );
    },
  );
  it.each(list('multiAddressGasSharing').map((vector, i) => [i, vector] as const))(
    'multiAddressGasSharing %i',
    (_, vector) => {
      expect(shareGas(vector.sources, vector.destinationOutputs)).toEqual(vector.gasPerSource);
    },
  );
  it.each((vectors['sweepChunks']?.cases ?? []) as Json[])('sweepChunks of $numberOfUtxos', (vector: Json) => {
    const sizes: number[] = [];
    for (let left = vector.numberOfUtxos; left > 0; left -= sweepChunkSize) sizes.push(Math.min(left, sweepChunkSize));
    expect(sizes).toEqual(vector.chunkSizes);
    expect(sizes.map((size) => estimateSweepGas(size, 0))).toEqual(vector.gasPerChunkNoTokens);
  });
});

describe('tx-building.json: selection', () => {
  it.each((vectors['utxoOrder']?.orders ?? []) as Json[])('utxoOrder by $by', (vector: Json) => {
    const utxos: Utxo[] = vectors['utxoOrder'].utxos.map(utxoOf);
    const compare = vector.by === 'coin' ? compareByCoin : compareByToken(vector.by);
    for (const direction of ['ascending', 'descending'] as const)
      expect(sortUtxos(utxos, compare, direction).map((utxo) => utxos.indexOf(utxo))).toEqual(vector[direction]);
  });
  it.each(list('utxoSelection').map((vector, i) => [i, vector] as const))('utxoSelection %i', (_, vector) => {
    const utxos: Utxo[] = vector.utxos.map(utxoOf);
    const outcome = buildOutcome(() =>
      selectUtxos(utxoSourceOf(utxos), {
        coin: BigInt(vector.coin),
        tokens: tokensOf(vector.tokens),
        gasPrice: BigInt(vector.gasPrice),
        gasAmount: vector.gasGiven ?? undefined,
        estimateGas: (inputs) => estimateGas('reference', unlockNamed(vector.unlock), inputs, vector.outputCountForGas),
      }),
    );
    if (vector.expected.error !== undefined) expect(documentedOf(outcome)).toBe(vector.expected.error);
    else {
      const { picked, gas } = valueOf(outcome);
      expect({ selected: picked.map((utxo) => utxos.indexOf(utxo)), gas }).toEqual(vector.expected);
    }
  });
  it.each(list('totalsNeeded').map((vector, i) => [i, vector] as const))('totalsNeeded %i', (_, vector) => {
    const totals = totalsOf(vector.destinations.map(destinationOf));
    expect(totals.coinNeeded.toString()).toBe(vector.coinNeeded);
    expect(totals.tokensNeeded).toEqual(tokensOf(vector.tokensNeeded));
    expect(totals.outputCount).toBe(vector.outputCountForGas);
  });
});

describe('tx-building.json: outputs', () => {
  it.each(list('outputStructure'))('outputStructure: $name', (vector: Json) => {
    const paid = vector.destinations
      .map((one: Json) => destinationOf({ ...one, address: vector.fixedOutputs[0].address }))
      .flatMap(outputsOfDestination);
    const inputs: Destination[] = vector.inputs.map(destinationOf);
    const coinRest = coinRemainder(
      inputs.map(({ amount }) => amount),
      paid.map(({ amount }: AssetOutput) => amount),
      BigInt(vector.gasPrice) * BigInt(vector.gasAmount),
    );
    const tokens = tokenRemainders(
      inputs.map((input) => input.tokens),
      paid.map((output: AssetOutput) => output.tokens),
    );
    expect([...paid, ...changeOutputs(inputs[0]!.lockupScript, coinRest, tokens)].map(outputJson)).toEqual(
      vector.fixedOutputs,
    );
  });
});

describe('tx-building.json: whole transactions', () => {
  it.each(list('transfers'))('transfers: $name', (vector: Json) => {
    const unsigned = build(vector.request, 'reference');
    expectTransaction(unsigned, vector.expected);
    expect(unsigned.inputs.map(({ outputReference }) => outputReference)).toEqual(vector.expected.inputs);
    expectSigned(unsigned, vector.expected);
    const byRequirement = vector.expected.gasAmountByRequirementFormula;
    if (byRequirement !== undefined) expect(build(vector.request, 'document').gasAmount).toBe(byRequirement);
  });
  it.each(list('sweeps'))('sweeps: $name', (vector: Json) => {
    const { request } = vector;
    const publicKey = vectors['keys'].find((one: Json) => one.address === request.from).publicKey;
    const transactions = valueOf(
      buildSweep(
        {
          networkId: request.networkId,
          sender: {
            lockupScript: lockupOf(request.from),
            unlockScript: { kind: 'p2pkh', publicKey: hexToBytes(publicKey) },
          },
          destination: lockupOf(request.to),
          maxAmountPerUtxo: request.maxAttoCoinPerUTXO === null ? undefined : BigInt(request.maxAttoCoinPerUTXO),
          lockTime: request.lockTime === null ? undefined : BigInt(request.lockTime),
          gasAmount: request.gasAmount ?? undefined,
          gasPrice: BigInt(request.gasPrice),
        },
        request.utxos.map(utxoOf),
      ),
    );
    expect(transactions.length).toBe(vector.expected.transactions.length);
    transactions.forEach((unsigned, i) => {
      expectTransaction(unsigned, vector.expected.transactions[i]);
      expectSigned(unsigned, vector.expected.transactions[i]);
    });
  });
  it('multisigAddress', () => {
    const { address, lockupScript, keys } = vectors['multisigAddress'] ?? {};
    if (!address) return;
    const lockup = lockupOf(address);
    expect(lockup).toMatchObject({ kind: 'p2mpkh', m: 2 });
    expect(lockupScript).toMatch(/^0103/);
    const publicKeys = keys.map((name: string) =>
      hexToBytes(vectors['keys'].find((key: Json) => key.name === name).publicKey),
    );
    expect(multisigUnlockScript(lockup, [publicKeys[0], publicKeys[2]])).toMatchObject({
      ok: true,
      value: { keys: [{ index: 0 }, { index: 2 }] },
    });
    expect(multisigUnlockScript(lockup, [publicKeys[2], publicKeys[0]])).toMatchObject({
      ok: false,
      refusal: { code: 'InvalidPublicKeyOrder' },
    });
    expect(multisigUnlockScript(lockup, [publicKeys[0], publicKeys[0]])).toMatchObject({
      ok: false,
      refusal: { code: 'InvalidPublicKeyOrder' },
    });
    expect(documentedOf(multisigUnlockScript(lockup, [publicKeys[0]]))).toBe(
      'Invalid public key number. Expected 2, got 1',
    );
  });
});

interface ErrorCase {
  inputs: Utxo[];
  outputs: { amount: bigint; tokens?: Token[] }[];
}

/** The project's own cases carry their inputs and outputs. */
const errorCaseOf = (vector: Json): ErrorCase => ({
  inputs: vector.inputs.map(utxoOf),
  outputs: vector.outputs.map((one: Json) => ({ amount: BigInt(one.attoCoinAmount), tokens: tokensOf(one.tokens) })),
});

/** The cases of `buildErrors` in the whole set, by name: it describes them in words. */
const coin = (n: number): bigint => (BigInt(Math.round(n * 10)) * 10n ** 18n) / 10n;
const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)] as [string, string];
const utxo = (key: number, amount: bigint, tokens: Token[] = []): Utxo => ({
  reference: { hint: 1, key: key.toString(16).padStart(64, '0') },
  amount,
  tokens,
  level: 0,
});
const dust = 10n ** 15n;
const fee = 2n * dust;
const errorCases: Record<string, ErrorCase> = {
  'inputs 1 + 0.5, output 2': { inputs: [utxo(1, coin(1)), utxo(2, coin(0.5))], outputs: [{ amount: coin(2) }] },
  'input 1, output 1, gas 20000': { inputs: [utxo(1, coin(1))], outputs: [{ amount: coin(1) }] },
  'output below the dust amount': { inputs: [utxo(1, coin(1))], outputs: [{ amount: dust - 1n }] },
  'token change short by one: inputs (fee + dust - 1 with token B 10) and (3 with token A 50), outputs (1, A 10), (2, B 9)':
    {
      inputs: [utxo(1, fee + dust - 1n, [{ id: b, amount: 10n }]), utxo(2, coin(3), [{ id: a, amount: 50n }])],
      outputs: [
        { amount: coin(1), tokens: [{ id: a, amount: 10n }] },
        { amount: coin(2), tokens: [{ id: b, amount: 9n }] },
      ],
    },
  'coin change short by one: inputs (fee + dust - 1) and 3, outputs 1 and 2': {
    inputs: [utxo(1, fee + dust - 1n), utxo(2, coin(3))],
    outputs: [{ amount: coin(1) }, { amount: coin(2) }],
  },
  'duplicate input': { inputs: [utxo(1, coin(2)), utxo(1, coin(2))], outputs: [{ amount: coin(1) }] },
  'zero token amount': { inputs: [utxo(1, coin(2))], outputs: [{ amount: coin(1), tokens: [{ id: a, amount: 0n }] }] },
};

describe('tx-building.json: buildErrors', () => {
  it.each(list('buildErrors').map((vector) => [vector.name, vector] as const))('%s', (name, vector) => {
    const { inputs, outputs } = vector.inputs ? errorCaseOf(vector) : errorCases[name]!;
    const lockupScript = lockupOf(vectors['keys'][0].address);
    const byKey = new Map(
      inputs.map((one) => [
        one.reference.key,
        { kind: 'asset', lockupScript, lockTime: 0n, additionalData: new Uint8Array(0), ...one } as AssetOutput,
      ]),
    );
    const outcome = buildTransferFrom(
      {
        networkId: 0,
        groups: 4,
        sender: { lockupScript, unlockScript: { kind: 'p2pkh', publicKey: hexToBytes(vectors['keys'][0].publicKey) } },
        destinations: outputs.map(({ amount, tokens = [] }) => ({ lockupScript, amount, tokens })),
        gasAmount: 20_000,
        gasPrice: 10n ** 11n,
        gasFormula: 'reference',
        destinationGroups: 'one',
      },
      inputs.map(({ reference }) => reference),
      ({ key }) => byKey.get(key),
      0n,
    );
    expect(documentedOf(outcome)).toBe(vector.error);
  });
});
