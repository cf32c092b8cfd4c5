import { subjectMatches } from '../routing.js';
import { type IncomingMessage } from '../bus-context.js';
import { type Sender } from '../sender.js';

export interface Subscription {
  readonly subject: string;
  /** The member that listens. */
  readonly owner: Sender;
  readonly queue: string | undefined;
  readonly kind: 'request' | 'event';
  /** Requests: resolves with the reply. Events: resolves when handled. */
  handle(message: IncomingMessage): Promise<unknown>;
}

/** Subscriptions of all members. Lookups by subject are cached until a subscription is added or removed. */
export class Subscriptions {
  private readonly all = new Set<Subscription>();
  private readonly known = new Map<string, { responders: Subscription[]; listeners: Subscription[] }>();
  private turn = 0;

  add(subscription: Subscription): void {
    this.all.add(subscription);
    this.known.clear();
  }

  remove(subscription: Subscription): void {
    this.all.delete(subscription);
    this.known.clear();
  }

  /** The responder of a request; members of a queue group alternate (round robin). */
  responder(subject: string): Subscription | undefined {
    const { responders } = this.find(subject);
    return responders.length < 2 ? responders[0] : responders[this.turn++ % responders.length];
  }

  /** The listeners of an event: each subscription without a queue, one of each queue group. */
  listeners(subject: string): readonly Subscription[] {
    const { listeners } = this.find(subject);
    if (listeners.every((listener) => listener.queue === undefined)) return listeners;
    const byQueue = new Map<string | undefined, Subscription[]>();
    for (const listener of listeners) byQueue.set(listener.queue, [...(byQueue.get(listener.queue) ?? []), listener]);
    return [...byQueue].flatMap(([queue, members]) => {
      const chosen = members[this.turn++ % members.length];
      return queue === undefined || chosen === undefined ? members : [chosen];
    });
  }

  private find(subject: string): { responders: Subscription[]; listeners: Subscription[] } {
    const known = this.known.get(subject);
    if (known) return known;
    const matching = [...this.all].filter((subscription) => subjectMatches(subscription.subject, subject));
    const found = {
      responders: matching.filter(({ kind }) => kind === 'request'),
      listeners: matching.filter(({ kind }) => kind === 'event'),
    };
    // Subjects are few (groups times methods); the bound limits memory for foreign subjects.
    if (this.known.size < 10_000) this.known.set(subject, found);
    return found;
  }
}
