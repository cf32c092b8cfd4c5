import { type Clock, yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type CallReply, type ContractCall } from '@shardnode/messages';
import { type GroupMemory } from '../memory/group-memory.js';
import { contractLayer } from '../view/contract-view.js';
import { tryCall } from './make-run.js';
import { type CallJob } from './run-job.js';

/**
 * Most calls read some fields: they take a few thousand units of gas and a tenth of a millisecond, less than a round
 * trip to a thread.
 */
const defaultLimits = {
  /** Some 3 ms of the slowest instructions. */
  gas: 50_000,
  /** Milliseconds of all calls in one event-loop tick; further calls wait for the next tick. */
  tickMs: 2,
  /** Calls that wait for a tick; one more goes to the thread, whose semaphore may refuse it. */
  mostWaiting: 200,
  /** Attempts of a call: after each but the last one, the missing state is loaded. */
  rounds: 5,
  /** Methods known to take more gas. */
  knownLong: 1_000,
};

/** Bounds of the data in a small call, in bytes, hexadecimal digits and counts: reading it costs no gas. */
const most = { args: 1_024, assets: 4, lockupScript: 1_024, tokens: 8, existingContracts: 4 };

const bringsLittle = ({ args, inputAssets, existingContracts }: ContractCall): boolean =>
  args.length <= most.args &&
  existingContracts.length <= most.existingContracts &&
  inputAssets.length <= most.assets &&
  inputAssets.every(
    ({ lockupScript, tokens }) => lockupScript.length <= most.lockupScript && tokens.length <= most.tokens,
  );

const methodOf = ({ contractId, methodIndex }: ContractCall): string => `${contractId}:${methodIndex}`;

/**
 * Makes small calls in place, over the memory of the node. Larger calls are detected after a small part of their gas.
 */
export class SmallCalls {
  private readonly long = new Set<string>();
  private spent = 0;
  private waiting = 0;

  constructor(
    /** Its memory is replaced by a rebuild after a failed commit. */
    private readonly state: { readonly memory: Pick<GroupMemory, 'nodes' | 'immutables' | 'loaded'> },
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly limits = defaultLimits,
  ) {}

  /**
   * The result of the call; undefined when it exceeds the limits of a call in place. The caller then runs it on the
   * thread, from its start. Throws ServiceError as `makeCall` does.
   */
  async make(job: CallJob): Promise<CallReply | undefined> {
    const { request } = job;
    if (!bringsLittle(request) || this.long.has(methodOf(request))) return undefined;
    while (this.spent >= this.limits.tickMs) {
      if (this.waiting >= this.limits.mostWaiting) return undefined;
      this.waiting += 1;
      await yieldToEventLoop();
      this.waiting -= 1;
    }
    let rounds = 0;
    const { memory } = this.state;
    return memory.loaded(() => {
      const mayBegin = rounds++ < this.limits.rounds && this.spent < this.limits.tickMs;
      return mayBegin ? this.timed(memory, job) : undefined;
    });
  }

  private timed(memory: Pick<GroupMemory, 'nodes' | 'immutables'>, job: CallJob): CallReply | undefined {
    const began = this.clock.monotonic();
    if (this.spent === 0) setImmediate(() => (this.spent = 0));
    try {
      const reply = tryCall(contractLayer(memory, job.roots), job.request, job, this.limits.gas);
      if (!reply) this.foundLong(job.request);
      return reply;
    } finally {
      // Calls shorter than the resolution of the clock count too.
      this.spent += Math.max(this.clock.monotonic() - began, Number.EPSILON);
    }
  }

  private foundLong(request: ContractCall): void {
    if (this.long.size >= this.limits.knownLong) this.long.clear();
    this.long.add(methodOf(request));
  }
}
