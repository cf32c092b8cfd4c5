import { type Sender } from '../sender.js';

/** The fate of a message, for a message log. `delivered` is reported at arrival. */
export type MessageFate = 'sent' | 'delivered' | 'lost' | 'repeated';

type RequestFate = 'delivered' | 'question-lost' | 'answer-lost';

/** Faults of the in-process bus, so that it is no more reliable than a network. */
export interface BusFaults {
  /** One entry per delivery of the event: the delay in milliseconds, 0 for none. Empty: lost. */
  arrivals(from: Sender, to: Sender): readonly number[];
  requestFate(): RequestFate;
  /** Milliseconds of delay of a request in one direction. */
  requestDelay(from: Sender, to: Sender): number;
  isCut(from: Sender, to: Sender): boolean;
}
