import { NatsFrameReader, type NatsFrame } from './nats-frames.js';
import { type Fault, type Step, type Tap } from './proxy-channel.js';

/** What may happen to messages; probabilities from 0 to 1. */
export interface MessageFaults {
  lose: number;
  repeat: number;
  /** The message goes after the next one, or after 20 ms when none comes. */
  reorder: number;
  /** Whether a subject is concerned at all. */
  concerns: (subject: string) => boolean;
  random: () => number;
}

const longestHold = 20;

/** Loses, repeats and reorders whole messages of one direction; what holds the connection together always passes. */
export class NatsFilter implements Tap {
  private readonly reader = new NatsFrameReader();
  private held: Buffer | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly faults: MessageFaults,
    private readonly hit: (fault: Fault) => void,
    private readonly later: (step: Step) => void,
  ) {}

  push(chunk: Buffer): readonly Step[] {
    const passed = this.reader.push(chunk).flatMap((frame) => this.judge(frame));
    return passed.length === 0 ? [] : [{ bytes: passed.length === 1 ? passed[0]! : Buffer.concat(passed) }];
  }

  private judge({ subject, bytes }: NatsFrame): readonly Buffer[] {
    const { lose, repeat, reorder, concerns, random } = this.faults;
    if (subject === undefined || lose + repeat + reorder === 0 || !concerns(subject)) return this.afterHeld([bytes]);
    if (lose > 0 && random() < lose) {
      this.hit('lost');
      return [];
    }
    if (reorder > 0 && this.held === undefined && random() < reorder) {
      this.held = bytes;
      this.timer = setTimeout(() => this.afterHeld([]).forEach((late) => this.later({ bytes: late })), longestHold);
      return [];
    }
    if (repeat > 0 && random() < repeat) {
      this.hit('repeated');
      return this.afterHeld([bytes, bytes]);
    }
    return this.afterHeld([bytes]);
  }

  private afterHeld(passing: readonly Buffer[]): readonly Buffer[] {
    const { held } = this;
    if (held === undefined) return passing;
    clearTimeout(this.timer);
    this.held = undefined;
    if (passing.length > 0) this.hit('reordered');
    return [...passing, held];
  }
}
