import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type SignatureJob } from '@shardnode/protocol/validation';
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

class SignatureThread {
  private readonly waiting = new Map<
    number,
    { resolve: (results: Uint8Array) => void; reject: (error: Error) => void }
  >();
  private lastId = 0;

  constructor(private readonly worker: Worker) {
    worker.unref();
    worker.on('message', ({ id, results }: SignatureResults) => {
      this.waiting.get(id)?.resolve(results);
      this.waiting.delete(id);
    });
    worker.on('error', (error: Error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('a signature worker has ended')));
  }

  verify(jobs: readonly SignatureJob[]): Promise<Uint8Array> {
    const id = ++this.lastId;
    const batch: SignatureBatch = {
      id,
      count: jobs.length,
      messages: packed(jobs, 'message', lengths.message),
      signatures: packed(jobs, 'signature', lengths.signature),
      publicKeys: packed(jobs, 'publicKey', lengths.publicKey),
    };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage(batch);
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/**
 * Threads that verify signatures (architecture, decision 5). Undefined for 0 threads, and where the build is not there
 * (run from source): the caller then verifies in place.
 */
export const openSignaturePool = (threads: number): SignaturePool | undefined => {
  const script = fileURLToPath(new URL('./signature-worker.js', import.meta.url));
  if (threads === 0 || !existsSync(script)) return undefined;
  const pool = Array.from({ length: threads }, () => new SignatureThread(new Worker(script)));
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
