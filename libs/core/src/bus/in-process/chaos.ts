import { seededRandom } from '../../seeded-random/index.js';

/** What the in-process bus does to messages, so that it is no kinder than a network. Probabilities 0 to 1. */
export interface ChaosSettings {
  /** Events vanish; of requests either the question or the answer. */
  readonly lose?: number;
  /** Events arrive twice. */
  readonly repeat?: number;
  /** Events arrive late, by up to `delayMs`, so that later ones overtake them. */
  readonly reorder?: number;
  /** Milliseconds, default 30. */
  readonly delayMs?: number;
  /** The same seed and the same messages give the same fate. */
  readonly seed: number;
}

export interface Chaos {
  /** One entry for each time the event arrives: the delay in milliseconds, 0 for at once. Empty: lost. */
  arrivals(): readonly number[];
  requestFate(): 'delivered' | 'question-lost' | 'answer-lost';
}

export const createChaos = (settings: ChaosSettings): Chaos => {
  const random = seededRandom(settings.seed);
  const delay = (): number =>
    random() < (settings.reorder ?? 0) ? 1 + Math.floor(random() * (settings.delayMs ?? 30)) : 0;
  return {
    arrivals: () => {
      if (random() < (settings.lose ?? 0)) return [];
      return random() < (settings.repeat ?? 0) ? [delay(), delay()] : [delay()];
    },
    requestFate: () => {
      if (random() >= (settings.lose ?? 0)) return 'delivered';
      return random() < 0.5 ? 'question-lost' : 'answer-lost';
    },
  };
};
