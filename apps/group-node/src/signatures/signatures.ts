import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { verifySignature, type SignatureVerifier } from '@shardnode/protocol/crypto';
import { sameBytes } from '@shardnode/protocol/encoding';
import { type OutputView } from '@shardnode/protocol/state';
import { type Transaction } from '@shardnode/protocol/transaction';
import { preparedVerifier, signatureJobs, type SignatureJob } from '@shardnode/protocol/validation';

/** Runs many verifications off the main thread; `results[i]` is that of `jobs[i]`. */
export interface SignaturePool {
  verifyAll(jobs: readonly SignatureJob[]): Promise<readonly boolean[]>;
  close(): Promise<void>;
}

export interface SignatureChecker {
  readonly verify: SignatureVerifier;
  /** A verifier that has verified these transactions already, when there are many. */
  verifyAhead(transactions: readonly Transaction[], view: OutputView): Promise<SignatureVerifier>;
}

/** Workers pay above this number; below, the rules verify in place (architecture, decision 5). */
const poolPaysAbove = 200;
/** Without a pool: verifications in one event-loop tick, about 3 ms. */
const perTick = 64;

const verifyInPlace = async (jobs: readonly SignatureJob[]): Promise<boolean[]> => {
  const results: boolean[] = [];
  for (const [i, job] of jobs.entries()) {
    results.push(verifySignature(job.message, job.signature, job.publicKey));
    if (i % perTick === perTick - 1) await yieldToEventLoop();
  }
  return results;
};

/**
 * Verifies only signatures that it has not found valid before. A pooled transaction is judged on arrival, in a template
 * and in the block; its signature arrays stay the same objects and identify it.
 */
const rememberingVerifier = (): SignatureVerifier => {
  const valid = new WeakMap<Uint8Array, { readonly message: Uint8Array; readonly publicKey: Uint8Array }>();
  return (message, signature, publicKey) => {
    const known = valid.get(signature);
    if (known && sameBytes(known.message, message) && sameBytes(known.publicKey, publicKey)) return true;
    const isValid = verifySignature(message, signature, publicKey);
    if (isValid) valid.set(signature, { message, publicKey });
    return isValid;
  };
};

/** After a failure of the pool it verifies in place: a fault of a thread says nothing about a signature. */
const verifyMany = async (
  jobs: readonly SignatureJob[],
  pool: SignaturePool | undefined,
  onFault: (error: Error) => void,
): Promise<readonly boolean[]> => {
  if (!pool || jobs.length <= poolPaysAbove) return verifyInPlace(jobs);
  try {
    return await pool.verifyAll(jobs);
  } catch (error) {
    onFault(error as Error);
    return verifyInPlace(jobs);
  }
};

/** `onFault` is called when the pool fails. */
export const createSignatureChecker = (
  pool: SignaturePool | undefined,
  onFault: (error: Error) => void = () => undefined,
): SignatureChecker => {
  const verify = rememberingVerifier();
  return {
    verify,
    verifyAhead: async (transactions, view) => {
      if (transactions.length <= perTick) return verify;
      const jobs = signatureJobs(transactions, view);
      if (jobs.length <= perTick) return verify;
      return preparedVerifier(jobs, await verifyMany(jobs, pool, onFault), verify);
    },
  };
};
