import { type SignatureVerifier } from '../crypto/index.js';
import { hexToBytes, sameBytes } from '../encoding/index.js';
import { type OutputView } from '../state/index.js';
import { type Transaction, transactionId } from '../transaction/index.js';
import { unlockKeys } from './unlock-keys.js';
import { repeatsPrevious } from './unlocking.js';

/** One signature to verify: a 32-byte message, a 64-byte signature, a 33-byte public key. */
export interface SignatureJob {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** Ends at an input whose signatures depend on the run of a script, or where the transaction is refused. */
const jobsOf = (transaction: Transaction, view: OutputView): SignatureJob[] => {
  const message = hexToBytes(transactionId(transaction.unsigned));
  const jobs: SignatureJob[] = [];
  let previous: Parameters<typeof repeatsPrevious>[0] | undefined;
  for (const { outputReference, unlockScript: unlock } of transaction.unsigned.inputs) {
    const output = view.output(outputReference);
    if (output?.kind !== 'asset') break;
    const current = { lockup: output.lockupScript, unlock };
    if (!previous || !repeatsPrevious(previous, current)) {
      const keys = unlockKeys(unlock);
      if (!keys) break;
      for (const publicKey of keys) {
        const signature = transaction.inputSignatures[jobs.length];
        if (!signature) return jobs;
        jobs.push({ message, signature, publicKey });
      }
    }
    previous = current;
  }
  return jobs;
};

/**
 * The signatures that `checkTransaction` will verify, so that worker pools can verify them in advance: all of them, and
 * possibly more for refused transactions. Without those from the first p2sh unlock of a transaction on, because its
 * script decides.
 */
export const signatureJobs = (transactions: readonly Transaction[], view: OutputView): SignatureJob[] =>
  transactions.flatMap((transaction) => jobsOf(transaction, view));

/**
 * A verifier that returns the results of `jobs` (`results[i]` is that of `jobs[i]`) and calls `fallback` for any other
 * signature. A job is found by the identity of its signature array, which belongs to one decoded transaction.
 */
export const preparedVerifier = (
  jobs: readonly SignatureJob[],
  results: readonly boolean[],
  fallback: SignatureVerifier,
): SignatureVerifier => {
  const known = new Map<Uint8Array, { readonly job: SignatureJob; readonly valid: boolean }>();
  for (const [i, job] of jobs.entries()) {
    const valid = results[i];
    if (valid !== undefined) known.set(job.signature, { job, valid });
  }
  return (message, signature, publicKey) => {
    const found = known.get(signature);
    const matches = found && sameBytes(found.job.publicKey, publicKey) && sameBytes(found.job.message, message);
    return matches ? found.valid : fallback(message, signature, publicKey);
  };
};
