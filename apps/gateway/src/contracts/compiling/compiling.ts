import { existsSync } from 'node:fs';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ClientSemaphore, type Release } from '@shardnode/core/concurrency';
import { type ServiceError } from '@shardnode/core/errors';
import { clientOfAddress } from '@shardnode/core/http-limits';
import { errorOf } from '@shardnode/http';
import { abortWhenClosed } from '@shardnode/http/large-answers';
import { type CompileBound, type CompileJob, type CompileOutcome } from './compile-job.js';
import { CompiledNames } from './compiled-names.js';
import { type CompileLimits, CompileThread } from './compile-thread.js';

/** Sources that are compiled at once, and requests that wait. One client compiles one source after the other. */
const bounds = { permits: { inAll: 2, ofOne: 1 }, waiting: { inAll: 64, ofOne: 16 } };
const retryAfterSeconds = 2;
/** Milliseconds that a request waits at most for its permit. */
const mostWaitMs = 10_000;

export const compileLimits: CompileLimits = { processorMs: 2_000, elapsedMs: 10_000, heapMb: 192 };

const full = {
  ofOne: () =>
    errorOf(
      'TooManyRequests',
      `${bounds.waiting.ofOne} sources of this client wait for the compiler: send one after the other, or all of them as one project`,
      { retryAfterSeconds },
    ),
  inAll: () =>
    errorOf('ServerBusy', `${bounds.waiting.inAll} sources wait for the compiler already`, { retryAfterSeconds }),
};

const waitedTooLong = (): ServiceError =>
  errorOf('ServerBusy', `The source has waited ${mostWaitMs / 1_000} s for the compiler, which has others to compile`, {
    retryAfterSeconds,
  });

const starved = (): ServiceError =>
  errorOf('ServerBusy', 'The compiler did not get its processor time: the machine has too much else to do', {
    retryAfterSeconds,
  });

const exceededTexts: Readonly<Record<CompileBound, string>> = {
  time: `it takes more than ${compileLimits.processorMs / 1_000} s of processor time`,
  memory: `it takes more than ${compileLimits.heapMb} MB of memory`,
  answer: 'its result has more than 8 MiB',
};

const exceeded = (bound: CompileBound): ServiceError =>
  errorOf('SourceTooCostly', `The source was given up, because ${exceededTexts[bound]}. Compile less at once`);

const builtWorker = new URL('./compile-worker.js', import.meta.url);

/** Compiles sources of clients on threads of their own, which start with their first source. */
@Injectable()
export class Compiling implements OnModuleDestroy {
  private readonly permits = new ClientSemaphore({ ...bounds, full });
  /** In place when the build is absent (run from source). */
  private readonly threads = existsSync(builtWorker)
    ? Array.from({ length: bounds.permits.inAll }, () => new CompileThread(builtWorker, compileLimits))
    : undefined;
  private readonly idle = [...(this.threads ?? [])];

  constructor(private readonly names: CompiledNames) {}

  /**
   * The JSON text of the answer.
   *
   * @throws ServiceError as `compileFor`
   */
  compile(reply: FastifyReply, job: CompileJob): Promise<string> {
    return this.compileFor(clientOfAddress(reply.request.ip), job, abortWhenClosed(reply));
  }

  /**
   * @param client with whom others share the compiler
   * @param waiting aborted when the client is gone
   * @throws ServiceError `CompileError`, `SourceTooCostly`; `TooManyRequests` of this client, `ServerBusy` because of all
   */
  async compileFor(client: string, job: CompileJob, waiting = new AbortController()): Promise<string> {
    const release = await this.acquire(client, waiting);
    let outcome: CompileOutcome;
    try {
      outcome = await this.outcomeOf(job);
    } finally {
      release();
    }
    switch (outcome.kind) {
      case 'compiled':
        this.names.add(outcome.names);
        return outcome.json;
      case 'rejected':
        throw errorOf('CompileError', outcome.text + outcome.hint, { bareText: outcome.text });
      case 'exceeded':
        throw exceeded(outcome.bound);
      case 'starved':
        throw starved();
    }
  }

  private async acquire(client: string, waiting: AbortController): Promise<Release> {
    const deadline = setTimeout(() => waiting.abort(waitedTooLong()), mostWaitMs);
    try {
      return await this.permits.acquire(client, waiting.signal);
    } finally {
      clearTimeout(deadline);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all((this.threads ?? []).map((thread) => thread.close()));
  }

  /** A permit is held: of as many threads as there are permits, one is idle. */
  private async outcomeOf(job: CompileJob): Promise<CompileOutcome> {
    const thread = this.idle.pop();
    if (!thread) {
      // Only here: the compiler takes some 60 ms to load, which a gateway with threads leaves to them.
      const { compile } = await import('./compile.js');
      return compile(job);
    }
    try {
      return await thread.compile(job);
    } finally {
      this.idle.push(thread);
    }
  }
}
