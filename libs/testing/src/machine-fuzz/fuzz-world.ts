import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import {
  type AssetLockupScript,
  type Hash,
  type LockupScript,
  oneCoin,
  zeroHash,
} from '@shardnode/protocol/primitives';
import { addressConstant, contractCodec, type Instruction, type Method } from '@shardnode/protocol/script';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { type BlockEnvironment, type TransactionEnvironment } from '@shardnode/protocol/vm';
import { blockEnvironment, instruction as op, methodOf, transactionEnvironment } from '../builders/index.js';
import { type MemoryContractState } from '../contract-state/index.js';
import { valueText, worldWith } from '../vm/index.js';

/** Letters of the types of operands: Bool, I256, U256, ByteVec, Address. */
export type TypeLetter = 'b' | 'i' | 'u' | 'v' | 'a';

/** A method that programs call: its place, the types of its arguments and results, and what its caller should approve. */
export interface KnownMethod {
  readonly index: number;
  readonly selector?: number;
  readonly args: readonly TypeLetter[];
  readonly results: readonly TypeLetter[];
  readonly takesApproved: boolean;
}

const contractId = (digit: string): Hash => `${digit.repeat(62)}00`;
export const contractIds: readonly Hash[] = ['a', 'b', 'c', 'd'].map(contractId);
/** The contract of a program. */
export const ownContractId = contractId('9');
/** Two tokens without contract, two of contracts, COIN. */
export const tokenIds: readonly Hash[] = ['77'.repeat(32), 'f7'.repeat(32), contractIds[0]!, contractIds[1]!, zeroHash];

const person = (digit: string): AssetLockupScript => ({ kind: 'p2pkh', publicKeyHash: digit.repeat(64) });
export const owners: readonly LockupScript[] = [
  person('1'),
  { kind: 'p2sh', scriptHash: '2'.repeat(64) },
  { kind: 'p2mpkh', publicKeyHashes: ['3'.repeat(64), '4'.repeat(64)], m: 1 },
  person('5'),
  ...contractIds.map((id): LockupScript => ({ kind: 'p2c', contractId: id })),
  { kind: 'p2c', contractId: ownContractId },
];

/** A method that starts with a selector; `letters` of arguments and results, as in `au>u`. */
const listed = (
  letters: string,
  modifier: number,
  body: readonly Instruction[],
): { readonly types: string; readonly modifier: number; readonly body: readonly Instruction[] } => ({
  types: letters,
  modifier,
  body,
});

const local = (index: number): Instruction => op('LoadLocal', index);

/** Modifiers of methods (protocol 05 §3.1). */
const [none, both, ownAssets, approved] = [0, 1, 2, 3];
const methodsOfVault = [
  listed('u>u', none, [local(0), op('LoadImmField', 0), op('U256ModAdd')]),
  listed('au>', both, [local(0), local(1), op('TransferCoinToSelf')]),
  listed('au>', ownAssets, [local(0), local(1), op('TransferCoinFromSelf')]),
  listed('avu>', ownAssets, [local(0), local(1), local(2), op('TransferTokenFromSelf')]),
  listed('u>u', none, [local(0), op('StoreMutField', 0), op('LoadMutField', 0)]),
  listed(
    'bvai>',
    none,
    [0, 1, 2, 3].flatMap((i) => [local(i), op('StoreMutField', i + 1)]),
  ),
  listed('a>', ownAssets, [local(0), op('DestroySelf')]),
  listed('v>', none, [local(0), op('MigrateSimple')]),
  listed('iv>', none, [local(0), local(1), op('LoadMutField', 4), op('Log3')]),
  listed('>a', none, [op('CallerAddress')]),
  listed('>b', approved, [op('IsCalledFromTxScript')]),
  listed('vvv>v', approved, [local(0), local(1), local(2), op('CopyCreateSubContract')]),
  listed('v>v', none, [local(0), op('SubContractId'), op('SelfContractId'), op('ByteVecConcat'), op('Blake2b')]),
  listed('u>u', none, [local(0), op('CallLocal', 0), op('CallLocal', 0)]),
];

const lengths = (types: string): readonly [args: string, results: string] => types.split('>') as [string, string];

const vaultMethods: readonly Method[] = methodsOfVault.map(({ types, modifier, body }, index) => {
  const [args, results] = lengths(types);
  const shape = {
    assetModifier: modifier,
    argsLength: args.length,
    localsLength: args.length,
    returnLength: results.length,
  };
  return methodOf([op('MethodSelector', index), ...body], shape);
});

export const knownMethods: readonly KnownMethod[] = methodsOfVault.map(({ types, modifier }, index) => ({
  index,
  selector: index,
  args: [...lengths(types)[0]] as TypeLetter[],
  results: [...lengths(types)[1]] as TypeLetter[],
  takesApproved: modifier === both || modifier === approved,
}));

/** Code for contracts that programs create, with its field lists. */
export const codeLibrary: readonly Uint8Array[] = [
  encode(contractCodec, { fieldLength: 1, methods: [methodOf([op('LoadImmField', 0), op('Pop')])] }),
  encode(contractCodec, { fieldLength: 2, methods: [methodOf([op('ConstTrue'), op('Assert')])] }),
  encode(contractCodec, { fieldLength: 7, methods: vaultMethods }),
];

const immutable = ['U256 7', `ByteVec ${'ab'.repeat(32)}`];
const mutable = ['U256 1', 'Bool false', 'ByteVec 00', valueText({ type: 'Address', value: owners[0]! }), 'I256 -1'];

/** Four contracts with assets: three share their code. */
export const fuzzWorld = (): MemoryContractState =>
  worldWith(
    contractIds.map((id, place) => ({
      id,
      code: bytesToHex(codeLibrary[place === 3 ? 0 : 2]!),
      imm: place === 3 ? ['U256 7'] : immutable,
      mut: place === 3 ? [] : mutable,
      amount: (BigInt(place + 2) * oneCoin).toString(),
      tokens: tokenIds.slice(0, place).map((tokenId) => ({ id: tokenId, amount: '1000' })),
      outputKey: `${'e'.repeat(62)}0${place}`,
    })),
  );

const spent = (lockupScript: LockupScript, coins: bigint, tokens: readonly Hash[] = []): AssetOutput => ({
  kind: 'asset',
  amount: coins * oneCoin,
  lockupScript: lockupScript as AssetLockupScript,
  lockTime: 1_600_000_000_000n,
  tokens: tokens.map((id) => ({ id, amount: 10n ** 6n })),
  additionalData: new Uint8Array(0),
});

export const fuzzBlock: BlockEnvironment = blockEnvironment;

export const fuzzTransaction: TransactionEnvironment = {
  ...transactionEnvironment,
  inputs: [
    spent(owners[0]!, 100n),
    spent(owners[0]!, 1n, [tokenIds[0]!]),
    spent(owners[1]!, 20n, [tokenIds[1]!]),
    spent(owners[2]!, 5n, [tokenIds[2]!]),
  ],
  fixedOutputs: [{ ...spent(owners[0]!, 1n), lockTime: 0n }],
};

/** The owner's address as a constant. */
export const ownerConstant = (place: number): Instruction => addressConstant(owners[place]!);
