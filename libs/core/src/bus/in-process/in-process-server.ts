import { type Clock } from '../../lifecycle/clock.js';
import { type JoinOptions } from '../bus.js';
import { BusServer, type RoutedHandler } from '../bus-server.js';
import { type Subscription, type Subscriptions } from './subscriptions.js';

/** Receiving side in one process: calls the handlers directly. */
export class InProcessServer extends BusServer {
  private open: Subscription[] = [];

  constructor(
    options: JoinOptions,
    clock: Clock,
    private readonly subscriptions: Subscriptions,
  ) {
    super(options, clock);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.open = this.routedHandlers().flatMap((routed) => this.subscriptionsOf(routed));
    } catch (error) {
      callback(error);
      return;
    }
    for (const subscription of this.open) this.subscriptions.add(subscription);
    callback();
  }

  override async close(): Promise<void> {
    for (const subscription of this.open) this.subscriptions.remove(subscription);
    this.open = [];
  }

  private subscriptionsOf(routed: RoutedHandler): Subscription[] {
    return routed.route.subjects.map((subject) => ({
      subject,
      owner: this.options.sender,
      queue: routed.route.queue,
      kind: routed.kind,
      handle: (message) => (routed.kind === 'request' ? this.answer(routed, message) : this.take(routed, message)),
    }));
  }
}
