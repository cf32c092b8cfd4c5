import { existsSync } from 'node:fs';
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

interface OpenThread {
  readonly worker: Worker;
  readonly waiting: Map<
    number,
    { readonly resolve: (results: Uint8Array) => void; readonly reject: (error: Error) => void }
  >;
}

/** One thread, made for the first batch: nobody pays for it who never sees a large block. One that died is made anew. */
class SignatureThread {
  private thread: OpenThread | undefined;
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly script: URL) {}

  verify(jobs: readonly SignatureJob[]): Promise<Uint8Array> {
    if (this.isClosed) return Promise.reject(new Error('the signature workers are closed'));
    if (jobs.length === 0) return Promise.resolve(new Uint8Array());
    const { worker, waiting } = (this.thread ??= this.open());
    const id = ++this.lastId;
    const batch: SignatureBatch = {
      id,
      count: jobs.length,
      messages: packed(jobs, 'message', lengths.message),
      signatures: packed(jobs, 'signature', lengths.signature),
      publicKeys: packed(jobs, 'publicKey', lengths.publicKey),
    };
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage(batch);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.worker.terminate();
  }

  private open(): OpenThread {
    const thread: OpenThread = { worker: new Worker(this.script), waiting: new Map() };
    const { worker, waiting } = thread;
    const ended = (error: Error): void => {
      if (this.thread === thread) this.thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.unref();
    worker.on('message', ({ id, results }: SignatureResults) => {
      waiting.get(id)?.resolve(results);
      waiting.delete(id);
    });
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('a signature worker has ended')));
    return thread;
  }
}

const builtWorker = new URL('./signature-worker.js', import.meta.url);

/**
 * Threads that verify signatures (architecture, decision 5). Undefined for 0 threads, and where the build is not there
 * (run from source): the caller then verifies in place. `verifyAll` rejects when a thread dies over its work; the next
 * call finds a new one.
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
