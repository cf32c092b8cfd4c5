import { type BusFaults, type Sender } from '@shardnode/core/bus';
import { seededRandom } from '../seeded-random/index.js';

/** Random faults of the in-process bus. Probabilities 0 to 1. */
export interface ChaosSettings {
  /** Events are lost; of requests either the request or the response. */
  readonly lose?: number;
  /** Events arrive twice. */
  readonly repeat?: number;
  /** Messages are delayed by up to `delayMs`, so that later ones overtake them. */
  readonly reorder?: number;
  /** Milliseconds, default 30. */
  readonly delayMs?: number;
  /** Milliseconds of latency, without reordering; for requests in each direction. Default 0. */
  readonly latency?: (from: Sender, to: Sender) => number;
  /** Whether the link between two members is cut: no message arrives, also of those in flight. Default: none. */
  readonly isCut?: (from: Sender, to: Sender) => boolean;
  /** The same seed and the same messages give the same fate. */
  readonly seed: number;
}

export const createChaos = (settings: ChaosSettings): BusFaults => {
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
