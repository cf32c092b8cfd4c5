import { blake2bHash } from '../crypto/index.js';
import { encode } from '../encoding/index.js';
import {
  type AssetLockupScript,
  gasOfHashing,
  maxCodeSize,
  p2pkUnlockGas,
  sameLockupScript,
  scriptBaseGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import { statelessScriptCodec } from '../script/index.js';
import { type AssetOutput, sameUnlockScript, type UnlockScript } from '../transaction/index.js';
import { failedBeforeRun } from './execution-refusal.js';
import { firstRefusal, type Refusal, refuse, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { type TransactionExamination } from './transaction-context.js';

const charge = (examination: TransactionExamination, gas: number): Verdict => {
  if (examination.gasLeft < gas) return refuse('OutOfGas');
  examination.gasLeft -= gas;
  return undefined;
};

const basicGas = ({ transaction: { unsigned } }: TransactionExamination): number =>
  txBaseGas + txInputBaseGas * unsigned.inputs.length + txOutputBaseGas * unsigned.fixedOutputs.length;

/** One public key that must match a hash of the lockup script and have signed. */
interface KeyUnlock {
  readonly examination: TransactionExamination;
  readonly publicKey: Uint8Array;
  readonly expectedHash: string | undefined;
}

const takesValidSignature = ({ examination, publicKey }: KeyUnlock): boolean => {
  const signature = examination.transaction.inputSignatures[examination.signaturesTaken]!;
  examination.signaturesTaken += 1;
  return examination.verifySignature(examination.idBytes, signature, publicKey);
};

/** Rules of one key, all before those of the next key; the signature before its gas (protocol 02 §9.5, 19). */
const keyChecks: readonly Rule<KeyUnlock>[] = [
  required('InvalidPublicKeyHash', ({ publicKey, expectedHash }) => blake2bHash(publicKey) === expectedHash),
  required(
    'NotEnoughSignature',
    ({ examination }) => examination.signaturesTaken < examination.transaction.inputSignatures.length,
  ),
  required('InvalidSignature', takesValidSignature),
  grouped('OutOfGas', ({ examination }) => charge(examination, p2pkUnlockGas)),
];

type LockupOf<Kind extends AssetLockupScript['kind']> = Extract<AssetLockupScript, { kind: Kind }>;
type UnlockOf<Kind extends UnlockScript['kind']> = Extract<UnlockScript, { kind: Kind }>;

const unlockPublicKey = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2pkh'>,
  unlock: UnlockOf<'p2pkh'>,
): Verdict => firstRefusal(keyChecks, { examination, publicKey: unlock.publicKey, expectedHash: lockup.publicKeyHash });

const hasIncreasingIndexes = (keys: UnlockOf<'p2mpkh'>['keys']): boolean =>
  keys.every((key, i) => i === keys.length - 1 || (key.index >= 0 && key.index < keys[i + 1]!.index));

const unlockMultisig = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2mpkh'>,
  { keys }: UnlockOf<'p2mpkh'>,
): Verdict => {
  if (keys.length !== lockup.m) return refuse('InvalidNumberOfPublicKey');
  if (!hasIncreasingIndexes(keys)) return refuse('InvalidP2mpkhUnlockScript');
  for (const { publicKey, index } of keys) {
    const expectedHash = lockup.publicKeyHashes[index];
    if (expectedHash === undefined) return refuse('InvalidP2mpkhUnlockScript');
    const verdict = firstRefusal(keyChecks, { examination, publicKey, expectedHash });
    if (verdict) return verdict;
  }
  return undefined;
};

const unlockFailed = (failure: Refusal): Refusal => ({ code: 'UnlockScriptExeFailed', reason: failure });

const unlockScriptHash = (
  examination: TransactionExamination,
  lockup: LockupOf<'p2sh'>,
  { script, parameters }: UnlockOf<'p2sh'>,
  inputIndex: number,
): Verdict => {
  const code = encode(statelessScriptCodec, script);
  if (blake2bHash(code) !== lockup.scriptHash) return refuse('InvalidScriptHash');
  if (code.length > maxCodeSize) return unlockFailed(failedBeforeRun('CodeSizeTooLarge', code.length));
  const outOfGas = charge(examination, scriptBaseGas + code.length) ?? charge(examination, gasOfHashing(code.length));
  if (outOfGas) return unlockFailed(failedBeforeRun('OutOfGas'));
  const { transaction, previousOutputs, executor, gasLeft: gasLimit, signaturesTaken } = examination;
  const signatures = transaction.inputSignatures.slice(signaturesTaken);
  const run = { transaction, previousOutputs, inputIndex, script, parameters, gasLimit, signatures };
  const outcome = executor.runUnlockScript(run);
  if (outcome.kind === 'failed') return unlockFailed(outcome.failure);
  examination.gasLeft = outcome.gasLeft;
  examination.signaturesTaken += outcome.signaturesTaken;
  return undefined;
};

const unlockInput = (examination: TransactionExamination, lockup: AssetLockupScript, inputIndex: number): Verdict => {
  const { unlockScript: unlock } = examination.transaction.unsigned.inputs[inputIndex]!;
  if (lockup.kind === 'p2pkh' && unlock.kind === 'p2pkh') return unlockPublicKey(examination, lockup, unlock);
  if (lockup.kind === 'p2mpkh' && unlock.kind === 'p2mpkh') return unlockMultisig(examination, lockup, unlock);
  if (lockup.kind === 'p2sh' && unlock.kind === 'p2sh') {
    return unlockScriptHash(examination, lockup, unlock, inputIndex);
  }
  return refuse('InvalidUnlockScriptType');
};

/**
 * Whether an input is opened by the one before it: same lockup script, and a marker or the same unlock script as
 * written. An explicit unlock script after a marker is compared with the marker, hence checked again.
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

/** Gas and unlock scripts, in this order (protocol 02 §9.5). They leave in `gasLeft` what a script may use. */
export const unlockChecks: readonly Rule<TransactionExamination>[] = [
  grouped('OutOfGas', (examination) => charge(examination, basicGas(examination))),
  grouped('unlock of each input', unlockInputs),
  required(
    'TooManyInputSignatures',
    ({ signaturesTaken, transaction }) => signaturesTaken === transaction.inputSignatures.length,
  ),
];
