import { type Sender } from '../sender.js';

/** What becomes of a message, for whoever keeps a log of it. `delivered` is told when it arrives. */
export type MessageFate = 'sent' | 'delivered' | 'lost' | 'repeated';

type RequestFate = 'delivered' | 'question-lost' | 'answer-lost';

/** What the in-process bus does to messages, so that it is no kinder than a network. */
export interface BusFaults {
  /** One entry for each time the event arrives: the delay in milliseconds, 0 for at once. Empty: lost. */
  arrivals(from: Sender, to: Sender): readonly number[];
  requestFate(): RequestFate;
  /** Milliseconds for one way of a request. */
  requestDelay(from: Sender, to: Sender): number;
  isCut(from: Sender, to: Sender): boolean;
}
