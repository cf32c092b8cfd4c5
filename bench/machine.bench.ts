/** Scripts that use all the gas a transaction may have: how fast simple instructions run, and how long the slowest take. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { publicKeyOf, sign } from '@shardnode/protocol/crypto';
import { type LockupScript } from '@shardnode/protocol/primitives';
import { type Instruction } from '@shardnode/protocol/script';
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
import { isShort, printRows, type Row } from './rows.js';

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

interface Program {
  readonly name: string;
  /** Values of the local variables, made once. */
  readonly locals?: readonly Instruction[];
  readonly body: readonly Instruction[];
}

const instructionsOf = ({ locals = [], body }: Program): Instruction[] => {
  const loop = repeated(Math.max(1, Math.floor(loopLength / body.length)), body);
  const setup = locals.flatMap((value, i) => [value, op('StoreLocal', i)]);
  return [...setup, op('ConstTrue'), op('Pop'), ...loop, op('Jump', -(loop.length + 1))];
};

/** Milliseconds of processor time of the best of some runs: others use the processor, too. */
const timeOf = (program: Program): number => {
  const shape = { assetModifier: 3, localsLength: program.locals?.length ?? 0 };
  const script = { methods: [methodOf(instructionsOf(program), shape)] };
  const times = Array.from({ length: rounds }, () => {
    const began = process.cpuUsage();
    const outcome = executeTransactionScript({
      block: blockEnvironment,
      transaction,
      layer,
      script,
      gasLimit,
      scriptSignatures: [],
      endPhase: 'whole',
    });
    const { user, system } = process.cpuUsage(began);
    const time = (user + system) / 1000;
    if (outcome.kind !== 'failed' || outcome.failure.failure !== 'OutOfGas') {
      throw new Error(`${program.name}: ${outcome.kind === 'failed' ? outcome.failure.text() : outcome.kind}`);
    }
    return time;
  });
  return Math.min(...times);
};

const local = (index: number): Instruction => op('LoadLocal', index);
const pop = op('Pop');
const bytes = (value: Uint8Array): Instruction => op('BytesConst', value);
const max = op('U256Const', (1n << 256n) - 1n);
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

/** Million instructions a second of a body whose instructions cost `gas` together. */
const rateRow = (program: Program, gas: number): Row => {
  const time = timeOf(program);
  const rate = (gasLimit / gas) * (program.body.length / time / 1000);
  return { row: program.name, figure: `${rate.toFixed(0)} M/s`, bar: '20 M/s', beside: `${time.toFixed(1)} ms` };
};

const constants: Program = { name: 'constants and pops', body: [op('U256Const1'), pop] };
const sums: Program = { name: 'sums', body: [op('U256Const5'), op('U256Const3'), op('U256Add'), pop] };
const moves: Program = { name: 'local variables', locals: [max], body: [local(0), op('StoreLocal', 0)] };

printRows([
  rateRow(constants, 4),
  rateRow(moves, 6),
  rateRow(sums, 9),
  ...slowPrograms
    .map((program) => ({ program, time: timeOf(program) }))
    .sort((a, b) => b.time - a.time)
    .map(({ program, time }) => ({ row: program.name, figure: `${time.toFixed(1)} ms`, bar: '50 ms' })),
]);
