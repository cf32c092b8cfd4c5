import { blake2bHash } from '../crypto/index.js';
import { encode } from '../encoding/index.js';
import {
  type AssetLockupScript,
  gasOfHashing,
  maxCodeSize,
  maximalGasPerTx,
  p2pkUnlockGas,
  sameLockupScript,
  scriptBaseGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import { statelessScriptCodec } from '../script/index.js';
import { type AssetOutput, sameUnlockScript, type UnlockScript } from '../transaction/index.js';
import { buildAgain, counted, ownerText, placeOf } from './detail-words.js';
import { failedBeforeRun } from './execution-refusal.js';
import { firstRefusal, type Refusal, refuse, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { type TransactionExamination } from './transaction-context.js';
import { keyPlace, refuseSignature } from './wrong-signature.js';

const inputText = ({ transaction }: TransactionExamination, index: number): string =>
  placeOf('input', index, transaction.unsigned.inputs.length);

const outOfGasDetail = ({ transaction: { unsigned }, gasLeft }: TransactionExamination, gas: number): string =>
  `its gas amount is ${unsigned.gasAmount}, but its inputs, outputs and unlock scripts take ${unsigned.gasAmount - gasLeft + gas} or more, at most ${maximalGasPerTx}: build it with more gas, or without a gas amount`;

const charge = (examination: TransactionExamination, gas: number): Verdict => {
  if (examination.gasLeft < gas) return refuse('OutOfGas', outOfGasDetail(examination, gas));
  examination.gasLeft -= gas;
  return undefined;
};

const basicGas = ({ transaction: { unsigned } }: TransactionExamination): number =>
  txBaseGas + txInputBaseGas * unsigned.inputs.length + txOutputBaseGas * unsigned.fixedOutputs.length;

/** One public key that must match a hash of the lockup script and have signed. */
interface KeyUnlock {
  readonly examination: TransactionExamination;
  readonly inputIndex: number;
  readonly lockup: AssetLockupScript;
  readonly publicKey: Uint8Array;
  readonly expectedHash: string | undefined;
}

const takesValidSignature = ({ examination, publicKey }: KeyUnlock): boolean => {
  const signature = examination.transaction.inputSignatures[examination.signaturesTaken]!;
  examination.signaturesTaken += 1;
  return examination.verifySignature(examination.idBytes, signature, publicKey);
};

const keyText = ({ examination, inputIndex, publicKey }: KeyUnlock): string =>
  keyPlace(examination, publicKey, inputIndex);

const keyDetail = (unlock: KeyUnlock): string =>
  `${keyText(unlock)} is not the key of ${ownerText(unlock.lockup)}, whose output it spends: ${buildAgain} with the right key`;

const missingSignatureDetail = (unlock: KeyUnlock): string => {
  const { length } = unlock.examination.transaction.inputSignatures;
  return `signature ${length + 1} is missing: it has ${counted(length, 'signature')}, and ${keyText(unlock)} must sign, too; the signatures of several keys go in the order of the inputs and their keys`;
};

const checkSignature = (unlock: KeyUnlock): Verdict => {
  const { examination, inputIndex, publicKey } = unlock;
  const index = examination.signaturesTaken;
  return takesValidSignature(unlock) ? undefined : refuseSignature({ examination, index, inputIndex, publicKey });
};

/** Rules of one key, all before those of the next key; the signature before its gas (protocol 02 §9.5, 19). */
const keyChecks: readonly Rule<KeyUnlock>[] = [
  required('InvalidPublicKeyHash', ({ publicKey, expectedHash }) => blake2bHash(publicKey) === expectedHash, keyDetail),
  required(
    'NotEnoughSignature',
    ({ examination }) => examination.signaturesTaken < examination.transaction.inputSignatures.length,
    missingSignatureDetail,
  ),
  grouped('InvalidSignature', checkSignature),
  grouped('OutOfGas', ({ examination }) => charge(examination, p2pkUnlockGas)),
];

type LockupOf<Kind extends AssetLockupScript['kind']> = Extract<AssetLockupScript, { kind: Kind }>;
type UnlockOf<Kind extends UnlockScript['kind']> = Extract<UnlockScript, { kind: Kind }>;

const unlockPublicKey = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2pkh'>,
  { publicKey }: UnlockOf<'p2pkh'>,
  inputIndex: number,
): Verdict =>
  firstRefusal(keyChecks, { examination, inputIndex, lockup, publicKey, expectedHash: lockup.publicKeyHash });

const hasIncreasingIndexes = (keys: UnlockOf<'p2mpkh'>['keys']): boolean =>
  keys.every((key, i) => i === keys.length - 1 || (key.index >= 0 && key.index < keys[i + 1]!.index));

const unlockMultisig = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2mpkh'>,
  { keys }: UnlockOf<'p2mpkh'>,
  inputIndex: number,
): Verdict => {
  const orderDetail = (): string =>
    `the keys of ${inputText(examination, inputIndex)} have the indexes ${keys.map(({ index }) => index).join(', ')}: each must be larger than the one before it, and below ${lockup.publicKeyHashes.length}`;
  if (keys.length !== lockup.m) {
    const place = inputText(examination, inputIndex);
    const expected = `${ownerText(lockup)} takes exactly ${lockup.m}`;
    return refuse('InvalidNumberOfPublicKey', `${place} names ${counted(keys.length, 'public key')}, ${expected}`);
  }
  if (!hasIncreasingIndexes(keys)) return refuse('InvalidP2mpkhUnlockScript', orderDetail());
  for (const { publicKey, index } of keys) {
    const expectedHash = lockup.publicKeyHashes[index];
    if (expectedHash === undefined) return refuse('InvalidP2mpkhUnlockScript', orderDetail());
    const verdict = firstRefusal(keyChecks, { examination, inputIndex, lockup, publicKey, expectedHash });
    if (verdict) return verdict;
  }
  return undefined;
};

const unlockFailed = (failure: Refusal, place: string): Refusal => ({
  code: 'UnlockScriptExeFailed',
  detail: `the script that unlocks ${place} fails`,
  reason: failure,
});

const unlockScriptHash = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2sh'>,
  { script, parameters }: UnlockOf<'p2sh'>,
  inputIndex: number,
): Verdict => {
  const code = encode(statelessScriptCodec, script);
  const failed = (failure: Refusal): Refusal => unlockFailed(failure, inputText(examination, inputIndex));
  if (blake2bHash(code) !== lockup.scriptHash) {
    const place = inputText(examination, inputIndex);
    return refuse('InvalidScriptHash', `the script of ${place} is not the one of ${ownerText(lockup)}: ${buildAgain}`);
  }
  if (code.length > maxCodeSize) return failed(failedBeforeRun('CodeSizeTooLarge', code.length));
  const outOfGas = charge(examination, scriptBaseGas + code.length) ?? charge(examination, gasOfHashing(code.length));
  if (outOfGas) return failed(failedBeforeRun('OutOfGas'));
  const { transaction, previousOutputs, executor, gasLeft: gasLimit, signaturesTaken } = examination;
  const signatures = transaction.inputSignatures.slice(signaturesTaken);
  const run = { transaction, previousOutputs, inputIndex, script, parameters, gasLimit, signatures };
  const outcome = executor.runUnlockScript(run);
  if (outcome.kind === 'failed') return failed(outcome.failure);
  examination.gasLeft = outcome.gasLeft;
  examination.signaturesTaken += outcome.signaturesTaken;
  return undefined;
};

const unlockedBy: Readonly<Record<UnlockScript['kind'], string>> = {
  p2pkh: 'a public key',
  p2mpkh: 'm of n public keys',
  p2sh: 'a script',
  sameAsPrevious: 'nothing of its own (as the input before it)',
  reserved: 'a public key in a form that is reserved',
};

const unlockInput = (examination: TransactionExamination, lockup: AssetLockupScript, inputIndex: number): Verdict => {
  const { unlockScript: unlock } = examination.transaction.unsigned.inputs[inputIndex]!;
  if (lockup.kind === 'p2pkh' && unlock.kind === 'p2pkh') {
    return unlockPublicKey(examination, lockup, unlock, inputIndex);
  }
  if (lockup.kind === 'p2mpkh' && unlock.kind === 'p2mpkh') {
    return unlockMultisig(examination, lockup, unlock, inputIndex);
  }
  if (lockup.kind === 'p2sh' && unlock.kind === 'p2sh') {
    return unlockScriptHash(examination, lockup, unlock, inputIndex);
  }
  const place = inputText(examination, inputIndex);
  const wanted = `${ownerText(lockup)} is unlocked by ${unlockedBy[lockup.kind]}`;
  return refuse('InvalidUnlockScriptType', `${place} has ${unlockedBy[unlock.kind]}, ${wanted}: ${buildAgain}`);
};

/**
 * Whether the previous input unlocks an input: same lockup script, and a marker or the same unlock script as written.
 * An explicit unlock script after a marker is compared with the marker, hence checked again.
 */
export const repeatsPrevious = (
  previous: { readonly lockup: AssetLockupScript; readonly unlock: UnlockScript },
  current: { readonly lockup: AssetLockupScript; readonly unlock: UnlockScript },
): boolean =>
  sameLockupScript(previous.lockup, current.lockup) &&
  (current.unlock.kind === 'sameAsPrevious' || sameUnlockScript(previous.unlock, current.unlock));

/** All rules of an input before those of the next one (protocol 02 §9.5 step 2). */
const unlockInputs = (examination: TransactionExamination): Verdict => {
  const { inputs } = examination.transaction.unsigned;
  let previous: Parameters<typeof repeatsPrevious>[0] | undefined;
  for (const [index, { unlockScript: unlock }] of inputs.entries()) {
    // The existence rule lets only asset outputs pass for inputs.
    const { lockupScript: lockup } = examination.previousOutputs[index] as AssetOutput;
    const current = { lockup, unlock };
    if (!previous || !repeatsPrevious(previous, current)) {
      const verdict = unlockInput(examination, lockup, index);
      if (verdict) return verdict;
    }
    previous = current;
  }
  return undefined;
};

/** Gas and unlock scripts, in this order (protocol 02 §9.5). They leave the gas for a script in `gasLeft`. */
export const unlockChecks: readonly Rule<TransactionExamination>[] = [
  grouped('OutOfGas', (examination) => charge(examination, basicGas(examination))),
  grouped('unlock of each input', unlockInputs),
  required(
    'TooManyInputSignatures',
    ({ signaturesTaken, transaction }) => signaturesTaken === transaction.inputSignatures.length,
    ({ signaturesTaken, transaction }) =>
      `it has ${counted(transaction.inputSignatures.length, 'signature')}, its inputs take ${signaturesTaken}: inputs of one address that follow each other share a signature; send one signature for each key`,
  ),
];
