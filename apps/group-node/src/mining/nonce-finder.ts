import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { targetValue } from '@shardnode/protocol/block';
import { type BlockTemplate, searchNonce } from '@shardnode/protocol/mining';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { nonceLength } from '@shardnode/protocol/primitives';
import { type NonceAnswer, type NonceTask } from './nonce-worker.js';

/** The fields of a template that a search needs. */
export type Searched = Pick<BlockTemplate, 'header' | 'chain'>;

export interface NonceFinder {
  /**
   * A nonce with which the block lies on its chain and has enough work; undefined when some tenths of a second found
   * none. Nonces have no memory, and another template may be easier by then (protocol 03 §9.3). Rejects after a close.
   */
  find(template: Searched): Promise<Uint8Array | undefined>;
  /** Whether the search is short enough to run in place. */
  isShort(template: Searched): boolean;
  close(): Promise<void>;
}

/** Expected tries above which a thread pays (architecture, decision 5). */
const threadPaysAbove = 1_000;
/** Nonces tried in one event-loop tick, a few milliseconds. */
const triesPerTick = 2_000;
/** Nonces tried per template. */
const triesPerTemplate = 100_000;

/** Expected tries: one nonce in `groups` squared lies on the chain, and the hash must not exceed the target. */
export const expectedTries = ({ header }: Searched, groups: number): number =>
  Number((2n ** 256n * BigInt(groups) ** 2n) / (targetValue(header.target) + 1n));

/** The thread of nonce searches, started by the first hard block; searches run on it one after the other. */
class NonceThread {
  private worker: Worker | undefined;
  private lastId = 0;
  private readonly waiting = new Map<
    number,
    { readonly resolve: (nonce: Uint8Array | undefined) => void; readonly reject: (error: Error) => void }
  >();

  constructor(private readonly script: URL) {}

  find(task: Omit<NonceTask, 'id'>): Promise<Uint8Array | undefined> {
    const worker = (this.worker ??= this.open());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ ...task, id } satisfies NonceTask);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private open(): Worker {
    const worker = new Worker(this.script);
    const ended = (error: Error): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    worker.unref();
    worker.on('message', ({ id, nonce }: NonceAnswer) => {
      this.waiting.get(id)?.resolve(nonce);
      this.waiting.delete(id);
    });
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the search for a nonce has ended')));
    return worker;
  }
}

export interface NonceFinderParts {
  readonly settings: NetworkSettings;
  /** Returns so many random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** False: every search runs in place. Default true. */
  readonly threads?: boolean;
  /** Called after each `triesPerTick` nonces of a search in place. Default: yields to the event loop. */
  readonly yieldTick?: (() => Promise<void>) | undefined;
  /** Worker of the build. Without it (run from source) every search runs in place. */
  readonly script?: URL;
}

const builtWorker = new URL('./nonce-worker.js', import.meta.url);

/** Searches for nonces: easy ones in place, hard ones on a thread (architecture, decision 5). */
export const createNonceFinder = (parts: NonceFinderParts): NonceFinder => {
  const { settings, randomBytes, threads = true, yieldTick = yieldToEventLoop, script = builtWorker } = parts;
  const thread = threads && existsSync(script) ? new NonceThread(script) : undefined;
  // The thread does not need the allocations, which may be a long list.
  const rules: NetworkSettings = { ...settings, allocations: [] };
  let isClosed = false;
  const isShort = (template: Searched): boolean => expectedTries(template, settings.groups) <= threadPaysAbove;
  const findHere = async ({ header, chain }: Searched): Promise<Uint8Array | undefined> => {
    for (let tries = 0; tries < triesPerTemplate; tries += triesPerTick) {
      if (isClosed) throw new Error('the search for a nonce has ended');
      const nonce = searchNonce(header, chain, settings, randomBytes(nonceLength), triesPerTick);
      if (nonce) return nonce;
      await yieldTick();
    }
    return undefined;
  };
  return {
    isShort,
    find: (template) => {
      if (!thread || isShort(template)) return findHere(template);
      if (isClosed) return Promise.reject(new Error('the search for a nonce has ended'));
      const { header, chain } = template;
      return thread.find({ header, chain, settings: rules, start: randomBytes(nonceLength), tries: triesPerTemplate });
    },
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
};
