/** Scripts that use all the gas a transaction may have: how fast simple instructions run, and how long the slowest take. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { publicKeyOf, sign } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type LockupScript, outputHint } from '@shardnode/protocol/primitives';
import { type Instruction, type Method, type StatefulScript } from '@shardnode/protocol/script';
import { ContractCode } from '@shardnode/protocol/state';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { executeTransactionScript } from '@shardnode/protocol/vm';
import {
  blockEnvironment,
  instruction as op,
  methodOf,
  repeated,
  transactionEnvironment,
} from '@shardnode/testing/builders';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { signedSamples } from '@shardnode/testing/machine-fuzz';
import { isShort, type Row } from './rows.js';

const gasLimit = 625_000;
const rounds = isShort ? 2 : 10;
/** Of a loop: long enough that the jump back does not count. */
const loopLength = 300;

const owner: LockupScript = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) };
const input: AssetOutput = {
  kind: 'asset',
  amount: 10n ** 24n,
  lockupScript: owner,
  lockTime: 1n,
  tokens: [],
  additionalData: new Uint8Array(),
};
const transaction = { ...transactionEnvironment, inputs: [input] };
const layer = new MemoryContractState().layer();
const contractId = 'c1'.repeat(32);

interface Program {
  readonly name: string;
  /** Values of the local variables, made once. */
  readonly locals?: readonly Instruction[];
  readonly body: readonly Instruction[];
  /** Runs as a method of a contract with one field of each kind. */
  readonly inContract?: boolean;
}

const instructionsOf = ({ locals = [], body }: Program): Instruction[] => {
  const loop = repeated(Math.max(1, Math.floor(loopLength / body.length)), body);
  const setup = locals.flatMap((value, i) => [value, op('StoreLocal', i)]);
  return [...setup, op('ConstTrue'), op('Pop'), ...loop, op('Jump', -(loop.length + 1))];
};

/** Puts a contract with this method into the layer; gives a script that calls it. */
const callOf = (method: Method): StatefulScript => {
  const reference = { hint: outputHint({ kind: 'p2c', contractId }), key: contractId };
  const code = ContractCode.of({ fieldLength: 2, methods: [method] });
  const field = { type: 'U256', value: 7n } as const;
  layer.putCode(code);
  const immutableStateHash = layer.putImmutableState({
    codeHash: code.hash,
    initialStateHash: contractId,
    immutableFields: [field],
  });
  layer.putOutput(reference, { kind: 'contract', amount: 10n ** 18n, contractId, tokens: [] });
  layer.putRecord(contractId, { mutableFields: [field], outputReference: reference, immutableStateHash });
  const call = [op('U256Const0'), op('U256Const0'), bytes(hexToBytes(contractId)), op('CallExternal', 0)];
  return { methods: [methodOf(call)] };
};

/** Method 1 of scripts does nothing, for programs that call it. */
const scriptWith = (instructions: readonly Instruction[], { locals, inContract }: Program): StatefulScript => {
  const localsLength = locals?.length ?? 0;
  return inContract
    ? callOf(methodOf(instructions, { localsLength }))
    : { methods: [methodOf(instructions, { assetModifier: 3, localsLength }), methodOf([], { isPublic: false })] };
};

const run = (script: StatefulScript) =>
  executeTransactionScript({
    block: blockEnvironment,
    transaction,
    layer,
    script,
    gasLimit,
    scriptSignatures: [],
    endPhase: 'whole',
  });

/** Milliseconds of processor time of the best of some runs: others use the processor, too. */
const timeOf = (program: Program): number => {
  const script = scriptWith(instructionsOf(program), program);
  const times = Array.from({ length: rounds }, () => {
    const began = process.cpuUsage();
    const outcome = run(script);
    const { user, system } = process.cpuUsage(began);
    if (outcome.kind !== 'failed' || outcome.failure.failure !== 'OutOfGas') {
      throw new Error(`${program.name}: ${outcome.kind === 'failed' ? outcome.failure.text() : outcome.kind}`);
    }
    return (user + system) / 1000;
  });
  return Math.min(...times);
};

/** Cost of a body, once: a run with it less one that jumps over it. */
const gasOf = (program: Program): number => {
  const { locals = [], body } = program;
  const setup = locals.flatMap((value, i) => [value, op('StoreLocal', i)]);
  const [executed, jumpedOver] = [0, body.length].map((distance) => {
    const outcome = run(scriptWith([...setup, op('Jump', distance), ...body], program));
    if (outcome.kind === 'failed') throw new Error(`${program.name}: ${outcome.failure.text()}`);
    if (outcome.kind !== 'succeeded') throw new Error(`${program.name} is ${outcome.kind}`);
    return gasLimit - outcome.gasLeft;
  });
  return executed! - jumpedOver!;
};

const local = (index: number): Instruction => op('LoadLocal', index);
const pop = op('Pop');
const bytes = (value: Uint8Array): Instruction => op('BytesConst', value);
const max = op('U256Const', (1n << 256n) - 1n);
const half = op('U256Const', (1n << 127n) - 1n);
const data = new Uint8Array(32).fill(3);
const key = new Uint8Array(32).fill(7);
const many = (): LockupScript => ({
  kind: 'p2mpkh',
  publicKeyHashes: Array.from({ length: 5_000 }, (_, i) => i.toString(16).padStart(64, '0')),
  m: 1,
});

/** One value through one instruction, again and again. */
const through = (name: string, value: Instruction): Program => ({
  name,
  locals: [value],
  body: [local(0), op(name), pop],
});

const checking = (name: string, signature: Uint8Array, publicKey: Uint8Array): Program => ({
  name,
  locals: [bytes(data), bytes(publicKey), bytes(signature)],
  body: [local(0), local(1), local(2), op(name)],
});

/** Signatures that are harder to judge than others. */
const hardSamples: readonly Program[] = [
  ['VerifyED25519 of one with cofactor only', 3],
  ['EthEcRecover', 4],
  ['EthEcRecover of the point at infinity', 5],
].map(([name, place]) => {
  const { instruction: checked, operands, results } = signedSamples[place as number]!;
  return {
    name: name as string,
    locals: operands.map(bytes),
    body: [...operands.map((_, i) => local(i)), op(checked), ...results.map(() => pop)],
  };
});

const slowPrograms: readonly Program[] = [
  ...hardSamples,
  ...['Blake2b', 'Keccak256', 'Sha256', 'Sha3'].map((name) => through(name, bytes(new Uint8Array()))),
  ...['U256To32Byte', 'U256ToByteVec', 'U256ToString'].map((name) => through(name, max)),
  ...['I256ToByteVec', 'I256ToString'].map((name) => through(name, op('I256Const', -(1n << 255n)))),
  through('U256From32Byte', bytes(data)),
  through('BoolToString', op('ConstTrue')),
  through('AddressToByteVec', op('AddressConst', owner)),
  through('ContractIdToAddress', bytes(data)),
  { name: 'TxId', body: [op('TxId'), pop] },
  { name: 'CallerAddress', body: [op('CallerAddress'), pop] },
  { name: 'Encode of nothing', body: [op('U256Const0'), op('Encode'), pop] },
  { name: 'U256ModExp', locals: [max], body: [local(0), local(0), op('U256ModExp'), pop] },
  { name: 'U256ModExp of a byte', locals: [max], body: [local(0), op('U256Const', 255n), op('U256ModExp'), pop] },
  {
    name: 'ByteVecEq of 100,000 bytes',
    locals: [bytes(new Uint8Array(100_000)), bytes(new Uint8Array(100_000))],
    body: [local(0), local(1), op('ByteVecEq'), pop],
  },
  {
    name: 'AddressEq of 5,000 keys',
    locals: [op('AddressConst', many()), op('AddressConst', many())],
    body: [local(0), local(1), op('AddressEq'), pop],
  },
  {
    name: 'IsPaying of 5,000 keys',
    locals: [op('AddressConst', many())],
    body: [local(0), op('IsPaying'), pop],
  },
  { name: 'ApproveCoin', locals: [op('AddressConst', owner)], body: [local(0), op('U256Const1'), op('ApproveCoin')] },
  {
    name: 'TransferCoin to 5,000 keys',
    locals: [op('AddressConst', owner), op('AddressConst', many())],
    body: [local(0), local(1), op('U256Const1'), op('TransferCoin')],
  },
  { name: 'MethodSelector', body: repeated(loopLength, [op('MethodSelector', 1)]) },
  { name: 'DEBUG', body: repeated(loopLength, [op('DEBUG', [new Uint8Array(1)])]) },
  { name: 'Log9', body: [...repeated(9, [op('ConstTrue')]), op('Log9')] },
  checking('VerifySecP256K1', sign(data, key), publicKeyOf(key)),
  checking('VerifyBIP340Schnorr', schnorr.sign(data, key), schnorr.getPublicKey(key)),
  {
    ...checking('VerifyED25519', ed25519.sign(data, key), ed25519.getPublicKey(key)),
    name: 'VerifyED25519 of one signature',
  },
];

/** Million instructions a second: as many of them as the gas pays for. */
const rateRow = (program: Program): Row => {
  const time = timeOf(program);
  const rate = (gasLimit / gasOf(program)) * (program.body.length / time / 1000);
  return { row: program.name, figure: `${rate.toFixed(1)} M/s`, beside: `${time.toFixed(1)} ms for all gas` };
};

const simplePrograms: readonly Program[] = [
  { name: 'constants and pops', body: [op('U256Const1'), pop] },
  { name: 'local variables', locals: [max], body: [local(0), op('StoreLocal', 0)] },
  { name: 'sums', body: [op('U256Const5'), op('U256Const3'), op('U256Add'), pop] },
];

const otherPrograms: readonly Program[] = [
  { name: 'products of 127 bits', locals: [half], body: [local(0), local(0), op('U256Mul'), pop] },
  ...['Blake2b', 'Keccak256'].map((name) => ({ ...through(name, bytes(data)), name: `${name} of 32 bytes` })),
  { name: 'calls of own methods', body: [op('CallLocal', 1)] },
  { name: 'mutable fields', inContract: true, body: [op('LoadMutField', 0), op('StoreMutField', 0)] },
  { name: 'immutable fields', inContract: true, body: [op('LoadImmField', 0), pop] },
];

/** Instructions per second, and how long the slowest programs take with all their gas. */
export const instructionRows = (): Row[] => [
  ...simplePrograms.map((program) => ({ ...rateRow(program), bar: '20 M/s' })),
  ...otherPrograms.map(rateRow),
  ...slowPrograms
    .map((program) => ({ program, time: timeOf(program) }))
    .sort((a, b) => b.time - a.time)
    .map(({ program, time }) => ({ row: program.name, figure: `${time.toFixed(1)} ms`, bar: '50 ms' })),
];
