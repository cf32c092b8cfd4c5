import { type Metric, type Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

/** Takes the values of one set of labels. */
export interface Recorder {
  observe(value: number): void;
}

/** A line of the registry's output; the registry writes `sharedLabels` after its labels. */
interface Line {
  readonly labels: Labels;
  readonly sharedLabels: Labels;
  readonly value: number;
  readonly metricName: string;
}

interface Counts {
  readonly labels: Labels;
  /** Counts by bucket; the last one is for values above all bounds. */
  readonly inBucket: number[];
  sum: number;
  count: number;
}

export interface PreparedHistogramSettings {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  /** Names of the labels of `of`, for lists of metrics. */
  readonly labelNames: readonly string[];
  readonly registers: readonly Registry[];
}

/**
 * A histogram that gets its labels once and not with each value. The library's own histogram checks and sorts labels
 * for every value, which took a twentieth of the processor time of a request. The output is the same.
 */
export class PreparedHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly labelNames: readonly string[];
  private readonly buckets: readonly number[];
  private readonly counts: Counts[] = [];

  constructor({ name, help, buckets, labelNames, registers }: PreparedHistogramSettings) {
    this.name = name;
    this.help = help;
    this.buckets = buckets;
    this.labelNames = labelNames;
    for (const registry of registers) registry.registerMetric(this as unknown as Metric);
  }

  /** Call it once for each set of labels, and retain the result. */
  of(labels: Labels): Recorder {
    const counts: Counts = {
      labels: { ...labels },
      inBucket: Array.from({ length: this.buckets.length + 1 }, () => 0),
      sum: 0,
      count: 0,
    };
    const { buckets } = this;
    let isListed = false;
    return {
      observe: (value) => {
        // Labels without values are not shown.
        if (!isListed) isListed = this.counts.push(counts) > 0;
        let bucket = 0;
        while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
        counts.inBucket[bucket]!++;
        counts.sum += value;
        counts.count++;
      },
    };
  }

  /** The data for the registry. */
  async get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: this.counts.flatMap((counts) => this.linesOf(counts)) };
  }

  /** Resets all counts. */
  reset(): void {
    for (const counts of this.counts) {
      counts.inBucket.fill(0);
      counts.sum = 0;
      counts.count = 0;
    }
  }

  private linesOf({ labels, inBucket, sum, count }: Counts): Line[] {
    const line = (suffix: string, value: number, own: Labels = {}): Line => ({
      labels: own,
      sharedLabels: labels,
      value,
      metricName: `${this.name}_${suffix}`,
    });
    let upTo = 0;
    return [
      ...this.buckets.map((le, index) => line('bucket', (upTo += inBucket[index]!), { le })),
      line('bucket', count, { le: '+Inf' }),
      line('sum', sum),
      line('count', count),
    ];
  }
}
