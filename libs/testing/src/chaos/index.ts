import { type BusFaults, type Sender } from '@shardnode/core/bus';
import { seededRandom } from '../seeded-random/index.js';

/** Random faults of the in-process bus. Probabilities 0 to 1. */
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
