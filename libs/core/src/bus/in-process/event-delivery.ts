import { type Clock } from '../../lifecycle/clock.js';
import { type IncomingMessage } from '../bus-context.js';
import { type Subscription } from './subscriptions.js';

/**
 * Delivers events to their listeners in the order of publishing, in a later event-loop tick. So the publisher never
 * runs a listener's code, and a chain of events cannot starve the event loop.
 */
export class EventDelivery {
  private waiting: { listener: Subscription; message: IncomingMessage }[] = [];
  private isScheduled = false;
  private closed = false;
  /** Events delayed or being handled. */
  private underWay = 0;
  private onIdle: (() => void)[] = [];

  constructor(
    private readonly clock: Clock,
    /** Called when a message arrives: false drops it. */
    private readonly mayArrive: (listener: Subscription, message: IncomingMessage) => boolean = () => true,
  ) {}

  /** `arrivals`: one delay in milliseconds per delivery; default: one delivery without delay. */
  send(listener: Subscription, message: IncomingMessage, arrivals: readonly number[] = atOnce): void {
    for (const delay of arrivals) {
      if (delay === 0) {
        this.enqueue(listener, message);
        continue;
      }
      this.underWay++;
      this.clock.after(delay, () => {
        this.underWay--;
        this.enqueue(listener, message);
      });
    }
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.onIdle.push(resolve);
      this.checkIdle();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.waiting = [];
    this.checkIdle();
  }

  private enqueue(listener: Subscription, message: IncomingMessage): void {
    if (this.closed) {
      this.checkIdle();
      return;
    }
    this.waiting.push({ listener, message });
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.deliver());
  }

  private deliver(): void {
    this.isScheduled = false;
    const batch = this.waiting;
    this.waiting = [];
    for (const { listener, message } of batch) {
      if (!this.mayArrive(listener, message)) continue;
      this.underWay++;
      // `handle` of an event never rejects.
      void listener.handle(message).finally(() => {
        this.underWay--;
        this.checkIdle();
      });
    }
    this.checkIdle();
  }

  private checkIdle(): void {
    if (this.underWay > 0 || this.waiting.length > 0) return;
    const resolvers = this.onIdle;
    this.onIdle = [];
    for (const resolve of resolvers) resolve();
  }
}

const atOnce = [0] as const;
