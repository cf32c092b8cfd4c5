import { existsSync } from 'node:fs';
import { type SignatureJob } from '@shardnode/protocol/validation';
import { WorkerThread } from '../event-loop/worker-thread.js';
import { type SignaturePool } from './signatures.js';
import { type SignatureBatch, type SignatureResults } from './signature-worker.js';

const lengths = { message: 32, signature: 64, publicKey: 33 };

const isWellFormed = ({ message, signature, publicKey }: SignatureJob): boolean =>
  message.length === lengths.message &&
  signature.length === lengths.signature &&
  publicKey.length === lengths.publicKey;

const packed = (jobs: readonly SignatureJob[], field: keyof SignatureJob, length: number): Uint8Array => {
  const bytes = new Uint8Array(jobs.length * length);
  jobs.forEach((job, i) => bytes.set(job[field], i * length));
  return bytes;
};

/** One thread that verifies signatures. */
class SignatureThread {
  private readonly thread: WorkerThread<SignatureResults, Uint8Array>;

  constructor(script: URL) {
    this.thread = new WorkerThread({
      script,
      name: 'a signature worker',
      onMessage: ({ id, results }, settle) => settle(id)?.resolve(results),
    });
  }

  verify(jobs: readonly SignatureJob[]): Promise<Uint8Array> {
    if (jobs.length === 0 && !this.thread.isClosed) return Promise.resolve(new Uint8Array());
    return this.thread.request((id): SignatureBatch => ({
      id,
      count: jobs.length,
      messages: packed(jobs, 'message', lengths.message),
      signatures: packed(jobs, 'signature', lengths.signature),
      publicKeys: packed(jobs, 'publicKey', lengths.publicKey),
    }));
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

const builtWorker = new URL('./signature-worker.js', import.meta.url);

/**
 * Threads that verify signatures (architecture, decision 5). Undefined for 0 threads, and without a build (run from
 * source): the caller then verifies in place. `verifyAll` rejects when its thread dies; the next call starts a new one.
 */
export const openSignaturePool = (threads: number, script: URL = builtWorker): SignaturePool | undefined => {
  if (threads === 0 || !existsSync(script)) return undefined;
  const pool = Array.from({ length: threads }, () => new SignatureThread(script));
  return {
    verifyAll: async (jobs) => {
      // Odd lengths never verify; they must not shift the others.
      const wellFormed = jobs.filter(isWellFormed);
      const share = Math.ceil(wellFormed.length / pool.length);
      const parts = await Promise.all(
        pool.map((thread, i) => thread.verify(wellFormed.slice(i * share, (i + 1) * share))),
      );
      const valid = parts.flatMap((part) => [...part]);
      let next = 0;
      return jobs.map((job) => isWellFormed(job) && valid[next++] === 1);
    },
    close: async () => {
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
};
