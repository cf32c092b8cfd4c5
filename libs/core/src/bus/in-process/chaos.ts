import { seededRandom } from '../../seeded-random/index.js';
import { type Sender } from '../sender.js';

/** What the in-process bus does to messages, so that it is no kinder than a network. Probabilities 0 to 1. */
export interface ChaosSettings {
  /** Events vanish; of requests either the question or the answer. */
  readonly lose?: number;
  /** Events arrive twice. */
  readonly repeat?: number;
  /** Messages arrive late, by up to `delayMs`, so that later ones overtake them. */
  readonly reorder?: number;
  /** Milliseconds, default 30. */
  readonly delayMs?: number;
  /** Milliseconds that the way takes, without disorder; of requests there and back each. Default 0. */
  readonly latency?: (from: Sender, to: Sender) => number;
  /** Whether the way between two members is cut: nothing arrives, also of what is under way. Default: none. */
  readonly isCut?: (from: Sender, to: Sender) => boolean;
  /** The same seed and the same messages give the same fate. */
  readonly seed: number;
}

/** What becomes of a message, for whoever keeps a log of it. `delivered` is told when it arrives. */
export type MessageFate = 'sent' | 'delivered' | 'lost' | 'repeated';

export type RequestFate = 'delivered' | 'question-lost' | 'answer-lost';

export interface Chaos {
  /** One entry for each time the event arrives: the delay in milliseconds, 0 for at once. Empty: lost. */
  arrivals(from: Sender, to: Sender): readonly number[];
  requestFate(): RequestFate;
  /** Milliseconds for one way of a request. */
  requestDelay(from: Sender, to: Sender): number;
  isCut(from: Sender, to: Sender): boolean;
}

export const createChaos = (settings: ChaosSettings): Chaos => {
  const random = seededRandom(settings.seed);
  const { lose = 0, repeat = 0, reorder = 0, delayMs = 30, latency = () => 0, isCut = () => false } = settings;
  const delay = (): number => (random() < reorder ? 1 + Math.floor(random() * delayMs) : 0);
  return {
    arrivals: (from, to) => {
      if (random() < lose || isCut(from, to)) return [];
      const way = latency(from, to);
      return random() < repeat ? [way + delay(), way + delay()] : [way + delay()];
    },
    requestFate: () => {
      if (random() >= lose) return 'delivered';
      return random() < 0.5 ? 'question-lost' : 'answer-lost';
    },
    requestDelay: (from, to) => latency(from, to),
    isCut,
  };
};
