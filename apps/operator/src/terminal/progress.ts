import { durationText, numberText } from './quantities.js';

/** Output of progress. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  /** Reports this much done, of so much in all. */
  at(done: number, total: number): void;
  /** Finishes the line. */
  end(): void;
}

export interface ProgressOptions {
  /** `Importing`. */
  readonly title: string;
  /** `blocks`. */
  readonly unit: string;
  readonly output?: ProgressOutput;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds: between two drawings, between two lines without a terminal, and the window of the rate. */
const times = { draw: 100, line: 10_000, rate: 15_000 };
const barWidth = 24;

interface Sample {
  readonly time: number;
  readonly done: number;
}

/** Recent rate per second. */
class Rate {
  private readonly samples: Sample[] = [];

  add(time: number, done: number): void {
    this.samples.push({ time, done });
    while (this.samples.length > 2 && this.samples[1]!.time < time - times.rate) this.samples.shift();
  }

  get perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.time === first.time) return 0;
    return ((last.done - first.done) * 1000) / (last.time - first.time);
  }
}

/** Progress as one line: `52 %  1,234 of 2,345 blocks  812 blocks/s  3 s left`. */
export const progressText = (done: number, total: number, perSecond: number, unit: string): string => {
  const percent = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0;
  const parts = [`${percent} %`, `${numberText(done)} of ${numberText(total)} ${unit}`];
  if (perSecond > 0) {
    parts.push(`${numberText(perSecond)} ${unit}/s`, `${durationText(((total - done) * 1000) / perSecond)} left`);
  }
  return parts.join('  ');
};

const barOf = (done: number, total: number): string => {
  const filled = total > 0 ? Math.min(barWidth, Math.floor((barWidth * done) / total)) : 0;
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
};

/** Shows progress: a moving bar on a terminal, else a line every ten seconds. On standard error. */
export const openProgress = (options: ProgressOptions): Progress => {
  const { title, unit, output = process.stderr, now = () => performance.now() } = options;
  const isTerminal = output.isTTY === true;
  const rate = new Rate();
  const started = now();
  let drawn = isTerminal ? -Infinity : started;
  let last = { done: 0, total: 0 };
  let isOpen = false;
  const draw = (): void => {
    const text = progressText(last.done, last.total, rate.perSecond, unit);
    output.write(isTerminal ? `\r\u001b[K${title}  ${barOf(last.done, last.total)}  ${text}` : `${title}  ${text}\n`);
    isOpen = isTerminal;
  };
  return {
    at: (done, total) => {
      const time = now();
      last = { done, total };
      rate.add(time, done);
      if (time - drawn < (isTerminal ? times.draw : times.line)) return;
      drawn = time;
      draw();
    },
    end: () => {
      if (!isTerminal || last.total === 0) return;
      draw();
      if (isOpen) output.write('\n');
    },
  };
};
