import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { blake2b, sha256, sign, verifySignature } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { settingsOfKind } from '@shardnode/protocol/network';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { statelessScriptHash, type StatefulScript, type StatelessScript } from '@shardnode/protocol/script';
import {
  type AssetOutput,
  type TransactionTemplate,
  transactionId,
  type UnlockScript,
} from '@shardnode/protocol/transaction';
import { checkAdmission } from '@shardnode/protocol/policy';
import { type Verdict } from '@shardnode/protocol/validation';
import { assetOutput, inventedOutput, outputViewOf } from '../builders/index.js';
import { executorWithoutContracts } from '../contract-state/index.js';
import { testKeyOfGroup, testKeysOfGroup, type TestKey } from '../keys/index.js';
import { withNegatedS } from '../signatures/index.js';

const settings = settingsOfKind('main');
const [first, second, third] = testKeysOfGroup(2, 3) as [TestKey, TestKey, TestKey];
const coin = 10n ** 18n;
const gasPrice = 10n ** 11n;
const token = 'ab'.repeat(32);
const now = 1_700_000_000_000n;
const keyText = (key: TestKey): string => bytesToHex(key.publicKey);

const single = (key: TestKey): UnlockScript => ({ kind: 'p2pkh', publicKey: key.publicKey });
const several = (...keys: readonly (readonly [TestKey, number])[]): UnlockScript => ({
  kind: 'p2mpkh',
  keys: keys.map(([{ publicKey }, index]) => ({ publicKey, index })),
});
const twoOfThree = multisigOf([first.publicKey, second.publicKey, third.publicKey], 2);
const methodOf = (...codes: number[]) => ({
  isPublic: true,
  assetModifier: 0,
  argsLength: 0,
  localsLength: 0,
  returnLength: 0,
  instructions: codes.map((code) => ({ code })),
});
/** Pops from an empty stack. */
const failing: StatelessScript = { methods: [methodOf(0x18)] };
const emptyScript: StatefulScript = { methods: [methodOf()] };

interface Case {
  /** Spent outputs with their unlock scripts; default: one of `first`, of two coins. */
  readonly spends?: readonly {
    readonly output: AssetOutput;
    readonly unlock: UnlockScript;
    readonly isThere?: boolean;
  }[];
  readonly signers?: readonly TestKey[];
  /** A wrong way to sign. */
  readonly signWrongly?: (message: Uint8Array, privateKey: Uint8Array) => Uint8Array;
  /** Default: one output with the remaining amount. */
  readonly outputs?: readonly AssetOutput[];
  readonly unsigned?: Partial<TransactionTemplate['unsigned']>;
  readonly scriptSignatures?: number;
}

const spendOf = (key: TestKey, output: Partial<AssetOutput> = {}) => ({
  output: { ...assetOutput(key.lockupScript, 2n * coin), ...output },
  unlock: single(key),
});
const spendBy = (lockup: AssetLockupScript, unlock: UnlockScript) => ({
  output: assetOutput(lockup, 2n * coin),
  unlock,
});

/** A transaction of a case with a view that has its spent outputs. */
const built = ({ spends = [spendOf(first)], signers = [first], signWrongly = sign, outputs, ...more }: Case) => {
  const funds = spends.map(({ output }, index) => inventedOutput(output, `funds ${index}`));
  const change = spends.reduce((sum, { output }) => sum + output.amount, 0n) - 40_000n * gasPrice;
  const unsigned = {
    version: 0,
    networkId: 0,
    script: undefined,
    gasAmount: 40_000,
    gasPrice,
    inputs: spends.map(({ unlock }, index) => ({ outputReference: funds[index]!.reference, unlockScript: unlock })),
    fixedOutputs: outputs ?? [assetOutput(first.lockupScript, change)],
    ...more.unsigned,
  };
  const id = transactionId(unsigned);
  const template: TransactionTemplate = {
    unsigned,
    inputSignatures: signers.map(({ privateKey }) => signWrongly(hexToBytes(id), privateKey)),
    scriptSignatures: Array.from({ length: more.scriptSignatures ?? 0 }, () => new Uint8Array(64)),
  };
  const view = outputViewOf(funds.filter((_, index) => spends[index]!.isThere ?? true));
  const executor = executorWithoutContracts(settings, 2);
  return {
    id,
    template,
    keyOf: (index: number) => funds[index]!.reference.key,
    judge: () => checkAdmission(template, { settings, view, now, verifySignature, executor }),
  };
};

const signHigh: typeof sign = (message, privateKey) => withNegatedS(sign(message, privateKey));
const belongs = 'signatures go in the order of the inputs and their keys';
const highToo =
  '; its s is also above half the order n of the curve secp256k1: put n - s in its place ("low s"), or let the library do so';

const twice = spendOf(first);
const inputsOf = (...groups: number[]) =>
  groups.map((group, index) => ({
    outputReference: inventedOutput(assetOutput(testKeyOfGroup(group).lockupScript, coin), `${index}`).reference,
    unlockScript: single(first),
  }));
const paying = (amount: bigint, more: Partial<AssetOutput> = {}): AssetOutput => ({
  ...assetOutput(first.lockupScript, amount),
  ...more,
});
const someToken = (amount: bigint) => [{ id: token, amount }];
const enough = paying(coin);
const me = `address ${addressOf(first.lockupScript)}`;
const ofMultisig = `address ${addressOf(twoOfThree)}`;
const ofScript: AssetLockupScript = { kind: 'p2sh', scriptHash: statelessScriptHash(failing) };

type Built = ReturnType<typeof built>;

/** A signed transaction that the mempool refuses, with the reason for its sender. */
export interface RefusedTransaction {
  readonly code: string;
  readonly id: string;
  readonly template: TransactionTemplate;
  /** By the rules of the chain. */
  readonly judge: () => Verdict;
  /** `refusalReason` of the verdict. */
  readonly reason: string;
}

const rows: readonly (readonly [code: string, Case, reason: string | ((transaction: Built) => string)])[] = [
  ['InvalidTxVersion', { unsigned: { version: 3 } }, 'its version is 3, expected 0: build the transaction again'],
  [
    'InvalidNetworkId',
    { unsigned: { networkId: 4 } },
    'it is for the network with the id 4, this one has the id 0: build it on this network',
  ],
  [
    'TooManyInputs',
    { unsigned: { inputs: inputsOf(...Array.from({ length: 257 }, () => 2)) } },
    'it has 257 inputs, at most 256: send less, or sweep the address first',
  ],
  ['NoOutputs', { outputs: [] }, 'it has no outputs, expected 1 to 256: build the transaction again'],
  [
    'TooManyOutputs',
    { outputs: Array.from({ length: 257 }, () => enough) },
    'it has 257 outputs, at most 256: pay fewer destinations in each transaction',
  ],
  ['TooManyScriptSignatures', { scriptSignatures: 33 }, 'it has 33 signatures for its script, at most 32'],
  [
    'UnexpectedScriptSignatures',
    { scriptSignatures: 1, outputs: [assetOutput(testKeyOfGroup(1).lockupScript, coin)] },
    'it pays from group 2 to group 1: only a transaction within one group has signatures for a script',
  ],
  [
    'InvalidStartGas',
    { unsigned: { gasAmount: 19_999 } },
    'its gas amount is 19999, expected 20000 to 625000 units of gas: build the transaction again',
  ],
  [
    'InvalidGasPrice',
    { unsigned: { gasPrice: 7n } },
    'its gas price is 0.000000000000000007 {COIN} (7 atto{Coin}), expected at least 0.0000001 {COIN} (100000000000 atto{Coin}) and less than 1000000000 {COIN} (1000000000000000000000000000 atto{Coin})',
  ],
  [
    'InvalidOutputStats',
    { outputs: [enough, paying(1_000n)] },
    'output 2 of 2 has 0.000000000000001 {COIN} (1000 atto{Coin}), expected at least 0.001 {COIN} (1000000000000000 atto{Coin})',
  ],
  [
    'InvalidOutputStats',
    { outputs: [paying(coin / 1000n, { tokens: [...someToken(1n), { id: 'cd'.repeat(32), amount: 1n }] })] },
    'output 1 of 1 has 2 tokens, at most 1: send each token in an output of its own',
  ],
  [
    'InvalidOutputStats',
    { outputs: [paying(coin / 1000n, { tokens: someToken(0n) })] },
    `output 1 of 1 has the amount 0 of token ${token}: leave that token out`,
  ],
  [
    'InvalidOutputStats',
    { outputs: [paying(coin, { tokens: someToken(1n) })] },
    'output 1 of 1 has a token and 1 {COIN} (1000000000000000000 atto{Coin}), expected exactly 0.001 {COIN} (1000000000000000 atto{Coin}): send the rest in another output',
  ],
  [
    'TooManyKeysInMultisig',
    {
      outputs: [
        paying(coin, {
          lockupScript: { kind: 'p2mpkh', publicKeyHashes: Array.from({ length: 17 }, () => token), m: 1 },
        }),
      ],
    },
    'output 1 of 1 goes to an address of 17 keys, at most 16',
  ],
  [
    'OutputDataSizeExceeded',
    { outputs: [enough, paying(coin, { additionalData: new Uint8Array(257) })] },
    'output 2 of 2 has a message of 257 bytes, at most 256: shorten it',
  ],
  [
    'BalanceOverFlow',
    { outputs: [paying(2n ** 256n - 1n), enough] },
    'the sum of its outputs is above 2^256 - 1 atto{Coin}',
  ],
  ['InvalidInputGroupIndex', { unsigned: { inputs: [] } }, 'it has no inputs: it must spend at least one output'],
  [
    'InvalidInputGroupIndex',
    { unsigned: { inputs: inputsOf(2, 2, 0) } },
    'input 1 is of group 2, input 3 of 3 is of group 0: all inputs must be of one group; make one transaction for each group',
  ],
  [
    'InvalidOutputGroupIndex',
    { outputs: [0, 1].map((group) => assetOutput(testKeyOfGroup(group).lockupScript, coin)) },
    'its outputs go to groups 0 and 1 besides group 2 of its inputs: make one transaction for each group',
  ],
  [
    'TxDoubleSpending',
    { unsigned: { inputs: [...inputsOf(2), ...inputsOf(2)] } },
    () =>
      `inputs 1 and 2 of 2 spend the same output, ${inputsOf(2)[0]!.outputReference.key}: build the transaction again`,
  ],
  [
    'NonExistInput',
    { spends: [twice, { ...twice, isThere: false }] },
    ({ keyOf }) =>
      `input 2 of 2 does not exist: output ${keyOf(1)} is spent already, or never was; build the transaction again`,
  ],
  ['TimeLockedTx', { spends: [twice, spendOf(first, { lockTime: now + 1n })] }, `input 2 of 2, of ${me}, is locked`],
  [
    'InvalidCoinBalance',
    { outputs: [enough] },
    'its inputs have 2 {COIN} (2000000000000000000 atto{Coin}), its outputs and the gas fee take 1.004 {COIN} (1004000000000000000 atto{Coin}); 0.996 {COIN} (996000000000000000 atto{Coin}) is left over: add it to an output, or build the transaction again',
  ],
  [
    'InvalidCoinBalance',
    { outputs: [paying(2n * coin)] },
    'its inputs have 2 {COIN} (2000000000000000000 atto{Coin}), its outputs and the gas fee take 2.004 {COIN} (2004000000000000000 atto{Coin}); 0.004 {COIN} (4000000000000000 atto{Coin}) is missing: build the transaction again',
  ],
  [
    'InvalidTokenBalance',
    { outputs: [paying(coin / 1000n, { tokens: someToken(5n) }), paying(1_995_000_000_000_000_000n)] },
    `of token ${token} its inputs have 0, its outputs 5: both must be equal; build the transaction again`,
  ],
  [
    'OutOfGas',
    { outputs: [...Array.from({ length: 9 }, () => paying(coin / 1000n)), paying(1_987_000_000_000_000_000n)] },
    'its gas amount is 40000, but its inputs, outputs and unlock scripts take 48000 or more, at most 625000: build it with more gas, or without a gas amount',
  ],
  [
    'InvalidPublicKeyHash',
    { spends: [spendBy(first.lockupScript, single(second))] },
    `public key ${keyText(second)} of input 1 of 1 is not the key of ${me}, whose output it spends: build the transaction again with the right key`,
  ],
  [
    'InvalidScriptHash',
    { spends: [spendBy({ kind: 'p2sh', scriptHash: token }, { kind: 'p2sh', script: failing, parameters: [] })] },
    `the script of input 1 of 1 is not the one of address ${addressOf({ kind: 'p2sh', scriptHash: token })}: build the transaction again`,
  ],
  [
    'InvalidUnlockScriptType',
    { spends: [spendBy(first.lockupScript, several([first, 0]))] },
    `input 1 of 1 has m of n public keys, ${me} is unlocked by a public key: build the transaction again`,
  ],
  [
    'InvalidNumberOfPublicKey',
    { spends: [spendBy(twoOfThree, several([first, 0]))] },
    `input 1 of 1 names 1 public key, ${ofMultisig} takes exactly 2`,
  ],
  [
    'InvalidP2mpkhUnlockScript',
    { spends: [spendBy(twoOfThree, several([second, 1], [first, 0]))] },
    'the keys of input 1 of 1 have the indexes 1, 0: each must be larger than the one before it, and below 3',
  ],
  [
    'NotEnoughSignature',
    { spends: [twice, spendOf(second)] },
    `signature 2 is missing: it has 1 signature, and public key ${keyText(second)} of input 2 of 2 must sign, too; the signatures of several keys go in the order of the inputs and their keys`,
  ],
  [
    'InvalidSignature',
    { signers: [second] },
    ({ id }) =>
      `signature 1 of 1 does not verify with public key ${keyText(first)} of input 1 of 1: sign the 32 bytes of the transaction id ${id}, without hashing them, with the private key of that public key; ${belongs}`,
  ],
  [
    'InvalidSignature',
    { signers: [second], signWrongly: signHigh },
    ({ id }) =>
      `signature 1 of 1 does not verify with public key ${keyText(first)} of input 1 of 1: sign the 32 bytes of the transaction id ${id}, without hashing them, with the private key of that public key; ${belongs}${highToo}`,
  ],
  [
    'InvalidSignature',
    { signWrongly: signHigh },
    `signature 1 of 1 does not verify with public key ${keyText(first)} of input 1 of 1: its s is above half the order n of the curve secp256k1, and with n - s it verifies; put n - s in its place ("low s"), or let the library do so`,
  ],
  [
    'InvalidSignature',
    { signWrongly: (message, privateKey) => sign(blake2b(message), privateKey) },
    ({ id }) =>
      `signature 1 of 1 does not verify with public key ${keyText(first)} of input 1 of 1: it signs the BLAKE2b hash of the transaction id; sign the 32 bytes of the transaction id ${id} as they are, without hashing them`,
  ],
  [
    'InvalidSignature',
    { signWrongly: (message, privateKey) => signHigh(sha256(message), privateKey) },
    ({ id }) =>
      `signature 1 of 1 does not verify with public key ${keyText(first)} of input 1 of 1: it signs the SHA-256 hash of the transaction id; sign the 32 bytes of the transaction id ${id} as they are, without hashing them${highToo}`,
  ],
  [
    'InvalidSignature',
    { spends: [twice, spendOf(second)], signers: [first, first] },
    `signature 2 of 2 does not verify with public key ${keyText(second)} of input 2 of 2: it is the signature of public key ${keyText(first)} of input 1 of 2; ${belongs}`,
  ],
  [
    'InvalidSignature',
    { spends: [spendBy(twoOfThree, several([first, 0], [third, 2]))], signers: [third, first] },
    `signature 1 of 2 does not verify with public key ${keyText(first)} of input 1 of 1: it is the signature of public key ${keyText(third)} of input 1 of 1; ${belongs}`,
  ],
  [
    'InvalidSignature',
    { spends: [spendBy(twoOfThree, several([first, 0], [third, 2]))], signers: [third, first], signWrongly: signHigh },
    `signature 1 of 2 does not verify with public key ${keyText(first)} of input 1 of 1: it is the signature of public key ${keyText(third)} of input 1 of 1; ${belongs}${highToo}`,
  ],
  [
    'InvalidSignature',
    { spends: [spendBy(twoOfThree, several([first, 0], [third, 2]))], signers: [first, third], signWrongly: signHigh },
    `signature 1 of 2 does not verify with public key ${keyText(first)} of input 1 of 1: its s is above half the order n of the curve secp256k1, and with n - s it verifies; put n - s in its place ("low s"), or let the library do so`,
  ],
  [
    'InvalidSignature',
    {
      spends: [spendBy(twoOfThree, several([first, 0], [third, 2]))],
      signers: [first, third],
      signWrongly: (message, privateKey) => sign(sha256(sha256(message)), privateKey),
    },
    ({ id }) =>
      `signature 1 of 2 does not verify with public key ${keyText(first)} of input 1 of 1: it signs the double SHA-256 hash of the transaction id; sign the 32 bytes of the transaction id ${id} as they are, without hashing them`,
  ],
  [
    'InvalidSignature',
    { spends: [spendBy(twoOfThree, several([first, 0], [third, 2]))], signers: [first, second] },
    ({ id }) =>
      `signature 2 of 2 does not verify with public key ${keyText(third)} of input 1 of 1: sign the 32 bytes of the transaction id ${id}, without hashing them, with the private key of that public key; signatures go in the order of the inputs and their keys`,
  ],
  [
    'TooManyInputSignatures',
    { signers: [first, first] },
    'it has 2 signatures, its inputs take 1: inputs of one address that follow each other share a signature; send one signature for each key',
  ],
  [
    'UnlockScriptExeFailed',
    { spends: [spendBy(ofScript, { kind: 'p2sh', script: failing, parameters: [] })], signers: [] },
    'the script that unlocks input 1 of 1 fails: stack underflow',
  ],
  [
    'UnexpectedTxScript',
    {
      outputs: [assetOutput(testKeyOfGroup(1).lockupScript, 1_996_000_000_000_000_000n)],
      unsigned: { script: emptyScript },
    },
    'it has a script and pays from group 2 to group 1: a script runs within one group only, so send the coins in a transaction of their own',
  ],
  [
    'InvalidRemainingBalancesForFailedScriptTx',
    {
      spends: [spendOf(first, { amount: coin / 1000n })],
      unsigned: { script: { methods: [{ ...methodOf(), assetModifier: 1 }] } },
      outputs: [],
    },
    'its first input must pay the gas fee of 0.004 {COIN} (4000000000000000 atto{Coin}) even if the script fails, and cannot: send less, or use more inputs',
  ],
];

/** One for each rule of admission, and for each kind of mistake that a rule finds. */
export const refusedTransactions = (): RefusedTransaction[] =>
  rows.map(([code, of, reason]) => {
    const transaction = built(of);
    return { code, ...transaction, reason: typeof reason === 'string' ? reason : reason(transaction) };
  });
