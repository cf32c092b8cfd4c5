import { type Clock } from '../../lifecycle/clock.js';
import { type JoinOptions } from '../bus.js';
import { BusServer, type RoutedHandler } from '../bus-server.js';
import { type CarriedMessage, type FarSubscription } from './channel-messages.js';
import { payloadOf } from './open-responses.js';

/** Receiving side at the far end of a channel. */
export class ChannelServer extends BusServer {
  private open: readonly { readonly routed: RoutedHandler; readonly subscription: FarSubscription }[] = [];

  constructor(
    options: JoinOptions,
    clock: Clock,
    /** Replaces all subscriptions of the member; resolves when the network has them. */
    private readonly listenTo: (open: readonly FarSubscription[]) => Promise<unknown>,
  ) {
    super(options, clock);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const routes = this.routedHandlers().flatMap((routed) =>
        routed.route.subjects.map((subject) => ({ routed, subject })),
      );
      this.open = routes.map(({ routed, subject }, key) => {
        const { kind, route } = routed;
        return { routed, subscription: { key, subject, queue: route.queue, kind } };
      });
      await this.listenTo(this.open.map(({ subscription }) => subscription));
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  override async close(): Promise<void> {
    if (this.open.length === 0) return;
    await this.listenTo([]);
    this.open = [];
  }

  /** Serves a delivered message; the outcome of a request is the reply. */
  async deliver(key: number, { frame, ...message }: CarriedMessage): Promise<unknown> {
    const routed = this.open[key]?.routed;
    if (!routed) return undefined;
    const incoming = { ...message, payload: payloadOf(frame) };
    return routed.kind === 'request' ? this.answer(routed, incoming) : this.take(routed, incoming);
  }
}
